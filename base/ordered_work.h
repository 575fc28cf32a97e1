/* Pieces of work that several threads do and one caller takes in the order in which it put them.
 * The results do not depend on the number of threads: with one, each piece is done when it is
 * taken. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct ordered_work;

/* `threads`, the caller's own included, start as the items come: one for every ORDERED_WORK_WORTH
 * of them, so that little work starts none. Signals stay with the caller's thread. `work` is called
 * once for each item, at the same time for different ones, with the number of the thread, below
 * ordered_work_threads: 0 is the caller's. It must not touch what the caller changes meanwhile. */
#define ORDERED_WORK_WORTH 4
struct ordered_work *ordered_work_new(size_t threads, void (*work)(void *item, size_t thread));
size_t ordered_work_threads(const struct ordered_work *w); /* at most */
/* Waits for what has begun; items that were not taken are not touched any more. NULL is fine. */
void ordered_work_free(struct ordered_work *w);

/* Slots of items, at least one: so many are waiting or done at a time. */
size_t ordered_work_slots(size_t threads);
size_t ordered_work_depth(const struct ordered_work *w);
/* The oldest item, with its work done; the caller's thread works meanwhile, too. Before that, all
 * free slots get items by `begin`, which returns NULL when there are no more for now. NULL: none
 * is left. Items stay the caller's; one is done with when the next is asked for. */
void *ordered_work_next(
	struct ordered_work *w, void *(*begin)(void *context, size_t slot), void *context);
/* Waits for all items and forgets them. */
void ordered_work_drop(struct ordered_work *w);
bool ordered_work_is_empty(const struct ordered_work *w);
