/* Files of a folder whose names are those of recorded runs; only their facts are read. */
#include "pipeline/store.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/day.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/order.h"
#include "base/temporary_file.h"
#include "base/text.h"
#include "ingest/table/obs_head.h"
#include "model/sessions.h"

#define SUFFIX ".obs"
#define START_SIZE 16 /* "20261128T034016Z" */

void store_name(char out[STORE_NAME_SIZE], int64_t start_ns, const void *bytes, size_t n)
{
	char start[MOMENT_TEXT_SIZE];
	size_t used = 0;

	moment_to_text(start, start_ns);
	for (const char *at = start; *at && *at != '.'; at++)
		if (*at != '-' && *at != ':' && used + 1 < START_SIZE)
			out[used++] = *at;
	snprintf(out + used, STORE_NAME_SIZE - used, "Z-%016llx",
		(unsigned long long)intern_hash(bytes, n, 0));
}

/* "20261128T034016Z-0123456789abcdef.obs" */
static bool is_name(const char *name)
{
	static const char pattern[] = "ddddddddTddddddZ-xxxxxxxxxxxxxxxx" SUFFIX;

	if (strlen(name) != strlen(pattern))
		return false;
	for (size_t i = 0; pattern[i]; i++) {
		const unsigned char c = (unsigned char)name[i];

		if (pattern[i] == 'd'	    ? !isdigit(c)
			: pattern[i] == 'x' ? !isxdigit(c)
					    : c != (unsigned char)pattern[i])
			return false;
	}
	return true;
}

const char *store_selector(const char *text)
{
	static const char *const keys[] = {":last=", ":tag=", ":commit=", ":branch=", ":machine="};
	const char *end = text + strlen(text);

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		const char *at = strstr(text, keys[i]);

		end = at && at < end ? at : end;
	}
	return end;
}

bool store_is(const char *text)
{
	char *folder = memory_alloc(strlen(text) + 1);
	const size_t n = (size_t)(store_selector(text) - text);
	const struct dirent *entry;
	bool found = false;
	DIR *dir;

	memcpy(folder, text, n);
	folder[n] = '\0';
	dir = opendir(folder);
	while (dir && !found && (entry = readdir(dir)))
		found = is_name(entry->d_name);
	if (dir)
		closedir(dir);
	memory_free(folder);
	return found;
}

ORDERED(compare_store_runs, struct store_run,
	ORDER(x->start_ns, y->start_ns) ?: strcmp(x->name, y->name));

/* Sessions of all runs of the store, whichever are chosen later. */
static void number_sessions(struct store *store, struct arena *arena)
{
	uint32_t *session = arena_array(arena, store->count, sizeof(*session));
	struct run *run = arena_array(arena, store->count, sizeof(*run));
	const struct cube cube = {.run = run, .run_count = store->count};

	for (size_t i = 0; i < store->count; i++)
		run[i].facts = &store->run[i].facts;
	sessions_find(&cube, session);
	for (size_t i = 0; i < store->count; i++)
		store->run[i].session = session[i];
}

static void add_file(struct store *store, const char *name, size_t room[2], struct arena *arena)
{
	struct error err = {.kind = ERROR_NONE};
	struct store_run run = {.path = arena_printf(arena, "%s/%s", store->folder, name),
		.name = arena_strndup(arena, name, strlen(name) - strlen(SUFFIX))};

	if (obs_head_read(run.path, arena, &run.facts, &err) < 0) {
		store->unreadable = arena_make_room(arena, store->unreadable,
			store->unreadable_count, &room[1], sizeof(*store->unreadable));
		store->unreadable[store->unreadable_count++] =
			(struct skipped_file){.path = run.path,
				.reason = arena_strdup(arena, err.message),
				.broken = true};
		return;
	}
	if (!run.facts.start ||
		!moment_from_text(run.facts.start, strlen(run.facts.start), &run.start_ns))
		run.start_ns = 0;
	store->run = arena_make_room(arena, store->run, store->count, &room[0], sizeof(run));
	store->run[store->count++] = run;
}

int store_read(const char *folder, struct arena *arena, struct store *out, struct error *err)
{
	const struct dirent *entry;
	size_t room[2] = {0, 0};
	DIR *dir;

	*out = (struct store){.folder = folder};
	dir = opendir(folder);
	if (!dir) {
		error_set(err, ERROR_INPUT, folder, "%s", strerror(errno));
		return error_hint(err, "stepstat record %s INPUT... makes a store", folder);
	}
	while ((entry = readdir(dir)))
		if (is_name(entry->d_name))
			add_file(out, entry->d_name, room, arena);
	closedir(dir);
	if (out->count)
		qsort(out->run, out->count, sizeof(*out->run), compare_store_runs);
	number_sessions(out, arena);
	return 0;
}

int store_open(const char *text, struct arena *arena, struct store *out, struct error *err)
{
	const char *selector = store_selector(text);

	if (store_read(arena_strndup(arena, text, (size_t)(selector - text)), arena, out, err) < 0)
		return -1;
	return *selector ? store_choose(out, selector + 1, NULL, arena, err) : 0;
}

size_t store_sessions(const struct store *store, const char *machine)
{
	size_t n = 0, most = 0;
	bool *seen;

	for (size_t i = 0; i < store->count; i++)
		most = store->run[i].session > most ? store->run[i].session : most;
	seen = memory_alloc(most + 1);
	for (size_t i = 0; i < store->count; i++) {
		const char *of = store->run[i].facts.machine;

		if (machine && !(of && text_equal(of, machine)))
			continue;
		n += !seen[store->run[i].session];
		seen[store->run[i].session] = true;
	}
	memory_free(seen);
	return n;
}

int store_expand(const char *const *text, size_t count, struct arena *arena,
	struct store_inputs *out, struct error *err)
{
	size_t room[2] = {0, 0};

	*out = (struct store_inputs){.count = 0};
	for (size_t i = 0; i < count; i++) {
		struct store_run named = {.path = text[i]};
		struct store store = {.run = &named, .count = 1};

		if (*store_selector(text[i]) && access(text[i], F_OK) != 0 &&
			store_open(text[i], arena, &store, err) < 0)
			return -1;
		for (size_t k = 0; k < store.count; k++) {
			out->path = arena_make_room(
				arena, out->path, out->count, &room[0], sizeof(*out->path));
			out->path[out->count++] = store.run[k].path;
		}
		for (size_t k = 0; k < store.unreadable_count; k++) {
			out->unreadable = arena_make_room(arena, out->unreadable,
				out->unreadable_count, &room[1], sizeof(*out->unreadable));
			out->unreadable[out->unreadable_count++] = store.unreadable[k];
		}
	}
	return 0;
}

void store_inputs_skip(const struct store_inputs *inputs, struct loaded *loaded)
{
	struct skipped_file *all;

	if (!loaded || !inputs->unreadable_count)
		return;
	all = arena_array(
		loaded->arena, loaded->skipped_count + inputs->unreadable_count, sizeof(*all));
	if (loaded->skipped_count)
		memcpy(all, loaded->skipped, loaded->skipped_count * sizeof(*all));
	memcpy(all + loaded->skipped_count, inputs->unreadable,
		inputs->unreadable_count * sizeof(*all));
	loaded->skipped = all;
	loaded->skipped_count += inputs->unreadable_count;
}

/* NFS locks only what is open for writing; where there are no locks, nothing is locked. */
static int open_locked(const char *path)
{
	int fd = file_open(path, O_RDWR | O_CLOEXEC);

	if (fd < 0 && (errno == EACCES || errno == EROFS))
		fd = file_open(path, O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && flock(fd, LOCK_EX) != 0 && errno == EINTR)
		continue;
	return fd;
}

int store_lock(struct store_run *run, struct arena *arena, int *fd, struct error *err)
{
	struct stat locked, there;

	/* The file that was waited for may have been replaced by now: its place has another. */
	while ((*fd = open_locked(run->path)) >= 0) {
		if (fstat(*fd, &locked) == 0 && stat(run->path, &there) == 0 &&
			locked.st_dev == there.st_dev && locked.st_ino == there.st_ino) {
			run->facts = (struct facts){0};
			if (obs_head_read(run->path, arena, &run->facts, err) == 0)
				return 1;
			close(*fd);
			return -1;
		}
		close(*fd);
	}
	return errno == ENOENT ? 0 : error_set(err, ERROR_INPUT, run->path, "%s", strerror(errno));
}

/* ---- choosing ---- */

enum { BY_LAST, BY_TAG, BY_COMMIT, BY_BRANCH, BY_MACHINE, BY_WORD };
static const char *const item_words[] = {"last=", "tag=", "commit=", "branch=", "machine="};

static bool starts_with(const char *fact, const char *text)
{
	return fact && text_starts(fact, text);
}

static bool is_chosen(const struct store_run *run, int by, const char *text)
{
	const struct facts *f = &run->facts;

	switch (by) {
	case BY_TAG:
		return f->tag && facts_has_item(f->tag, text);
	case BY_COMMIT:
		return starts_with(f->commit, text);
	case BY_BRANCH:
		return f->branch && text_equal(f->branch, text);
	case BY_MACHINE:
		return f->machine && text_equal(f->machine, text);
	default:
		return text_starts(run->name, text) || (f->tag && facts_has_item(f->tag, text)) ||
		       (strlen(text) >= 4 && starts_with(f->commit, text));
	}
}

static int choose_item(struct store *store, const char *item, int64_t *last, struct error *err)
{
	int by = 0;
	size_t kept = 0;

	while (by < BY_WORD && !text_starts(item, item_words[by]))
		by++;
	if (by < BY_WORD)
		item += strlen(item_words[by]);
	else if (strchr(item, '='))
		return error_set(err, ERROR_USAGE, item,
			"choose by last=, tag=, commit=, branch= or machine=");
	if (by == BY_LAST) {
		if (number_parse_int(item, strlen(item), last) && *last > 0)
			return 0;
		return error_set(
			err, ERROR_USAGE, "last=", "expected a number from 1, found \"%s\"", item);
	}
	for (size_t i = 0; i < store->count && *item; i++)
		if (is_chosen(&store->run[i], by, item))
			store->run[kept++] = store->run[i];
	store->count = kept;
	return 0;
}

static bool has_key(const char *text)
{
	for (size_t i = 0; i < BY_WORD; i++)
		if (text_starts(text, item_words[i]))
			return true;
	return false;
}

/* Names of machines and branches may have commas: such a name ends where the next key begins. */
static size_t item_size(const char *at)
{
	const bool is_name =
		text_starts(at, item_words[BY_MACHINE]) || text_starts(at, item_words[BY_BRANCH]);
	size_t n = strcspn(at, ",");

	while (is_name && at[n] && !has_key(at + n + 1))
		n += 1 + strcspn(at + n + 1, ",");
	return n;
}

int store_choose(struct store *store, const char *selector, const struct store_filter *also,
	struct arena *arena, struct error *err)
{
	const size_t all = store->count;
	const char *at = selector;
	int64_t last = INT64_MAX;

	/* An empty selector is an item that no run has: a variable that is not set chooses none. */
	do {
		const size_t n = item_size(at);

		if (choose_item(store, arena_strndup(arena, at, n), &last, err) < 0)
			return -1;
		at += n + (at[n] == ',');
	} while (*at);
	if (!store->count) {
		error_set(err, ERROR_INPUT, store->folder, "none of %zu run%s is \"%s\"", all,
			all == 1 ? "" : "s", selector);
		return error_hint(err, "stepstat list %s", store->folder);
	}
	if (also)
		also->keep(also->context, store);
	if ((int64_t)store->count > last) {
		store->run += store->count - (size_t)last;
		store->count = (size_t)last;
	}
	return 0;
}
