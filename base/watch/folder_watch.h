/* Waits until files in folders are complete: those that were closed after writing, moved there, or
 * linked, at any depth. It reads no file and knows nothing about what is in them. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

struct folder_watch;

struct folder_watch *folder_watch_new(void);
void folder_watch_free(struct folder_watch *watch); /* NULL is fine */

/* Watches the folder with all below it, hidden names left out, also folders that appear later. */
void folder_watch_add(struct folder_watch *watch, const char *path);

/* Why changes are not reported by the system, so that the folders are to be looked at every second:
 * a sentence without its end. NULL: they are reported. */
const char *folder_watch_limit(const struct folder_watch *watch);

enum folder_event {
	FOLDER_CHANGED, /* something may be complete, or gone; events that follow each other closely
			   are one */
	FOLDER_WOKEN,	/* the descriptor can be read */
};

/* Sleeps until one of these happens. `wake` is any descriptor. */
enum folder_event folder_watch_wait(struct folder_watch *watch, int wake);

/* True if the file is complete: not empty, and open for writing nowhere. Where the system does not
 * report who has it open (the file of another user, a file system of other machines): not written
 * to since it was last closed or, where nothing is reported, for two seconds. */
bool folder_watch_is_whole(const struct folder_watch *watch, const char *path);
