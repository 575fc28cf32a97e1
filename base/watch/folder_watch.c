/* inotify where it reports everything; else a look at the clock, which leaves the finding of
 * changes to the caller. Whether a file is open for writing is asked with a read lease, which the
 * system refuses then. */
#include "base/watch/folder_watch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/platform.h"
#include "base/text.h"

#define DEPTH_MOST 64
#define SETTLE_MS 100	    /* of quiet, before something is a change */
#define SETTLE_MOST_MS 1000 /* while files appear without a pause */
#define BUSY_MS 50	    /* between looks at events that change nothing */
#define LOOK_MS 1000	    /* between looks at folders that report nothing */
#define OLD_S 2		    /* a file there is complete when it has not changed for this long */
#define EVENT_BYTES 65536

struct watched {
	int number; /* of inotify */
	char *path;
};

struct folder_watch {
	int fd; /* of inotify; -1: none */
	const char *limit;
	struct vec root;    /* char *: folders that were added */
	struct vec folder;  /* struct watched */
	struct vec writing; /* char *: files that were written to and not closed */
	bool root_gone;
};

struct folder_watch *folder_watch_new(void)
{
	struct folder_watch *watch = memory_alloc(sizeof(*watch));

	vec_init(&watch->root, sizeof(char *), SIZE_MAX, "folders");
	vec_init(&watch->folder, sizeof(struct watched), SIZE_MAX, "folders");
	vec_init(&watch->writing, sizeof(char *), SIZE_MAX, "files");
	watch->fd = -1;
	watch->limit = "this system has no inotify";
#if PLATFORM_INOTIFY
	watch->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (watch->fd >= 0)
		watch->limit = NULL;
	else if (errno == EMFILE)
		watch->limit = "no inotify instance is left (fs.inotify.max_user_instances)";
#endif
	return watch;
}

static void forget_files(struct folder_watch *watch)
{
	for (size_t i = 0; i < watch->writing.count; i++)
		memory_free(*(char **)vec_at(&watch->writing, i));
	vec_clear(&watch->writing);
}

void folder_watch_free(struct folder_watch *watch)
{
	if (!watch)
		return;
	if (watch->fd >= 0)
		close(watch->fd);
	forget_files(watch);
	for (size_t i = 0; i < watch->folder.count; i++)
		memory_free(((struct watched *)vec_at(&watch->folder, i))->path);
	for (size_t i = 0; i < watch->root.count; i++)
		memory_free(*(char **)vec_at(&watch->root, i));
	vec_release(&watch->root);
	vec_release(&watch->folder);
	vec_release(&watch->writing);
	memory_free(watch);
}

const char *folder_watch_limit(const struct folder_watch *watch)
{
	return watch->limit;
}

#if PLATFORM_INOTIFY

static struct watched *find_folder(const struct folder_watch *watch, int number)
{
	for (size_t i = watch->folder.count; i-- > 0;) {
		struct watched *folder = vec_at(&watch->folder, i);

		if (folder->number == number)
			return folder;
	}
	return NULL;
}

static void drop_folder(struct folder_watch *watch, int number)
{
	struct watched *folder = find_folder(watch, number);

	if (!folder)
		return;
	memory_free(folder->path);
	*folder = *(struct watched *)vec_at(&watch->folder, watch->folder.count - 1);
	watch->folder.count--;
}

static char *join(const char *folder, const char *name)
{
	size_t size = strlen(folder) + strlen(name) + 2;
	char *path = memory_alloc(size);

	snprintf(path, size, "%s%s%s", folder, text_ends(folder, "/") ? "" : "/", name);
	return path;
}

/* A folder that is gone again, or may not be read, is the caller's to report. */
static void watch_folder(struct folder_watch *watch, const char *path, size_t depth)
{
	static const uint32_t events = IN_CREATE | IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE |
				       IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF |
				       IN_MOVE_SELF | IN_ONLYDIR;
	struct dirent *entry;
	struct watched *known;
	DIR *dir;
	int number;

	if (depth == DEPTH_MOST || watch->limit)
		return;
	if (platform_is_shared(path)) {
		watch->limit = "other machines write to this file system";
		return;
	}
	number = inotify_add_watch(watch->fd, path, events);
	if (number < 0) {
		if (errno == ENOSPC || errno == ENOMEM)
			watch->limit = "no inotify watch is left (fs.inotify.max_user_watches)";
		return;
	}
	known = find_folder(watch, number);
	if (known && text_equal(known->path, path) && depth)
		return;
	if (known && depth && text_starts(path, known->path))
		return; /* a link to a folder above it */
	if (known) {
		memory_free(known->path);
		known->path = memory_string(path);
	} else {
		*(struct watched *)vec_push(&watch->folder, NULL) =
			(struct watched){number, memory_string(path)};
	}
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		struct stat info;
		char *below;

		if (entry->d_name[0] == '.')
			continue;
		below = join(path, entry->d_name);
		if ((entry->d_type == DT_DIR || entry->d_type == DT_LNK ||
			    entry->d_type == DT_UNKNOWN) &&
			stat(below, &info) == 0 && S_ISDIR(info.st_mode))
			watch_folder(watch, below, depth + 1);
		memory_free(below);
	}
	if (dir)
		closedir(dir);
}

#else

static void watch_folder(struct folder_watch *watch, const char *path, size_t depth)
{
	(void)watch, (void)path, (void)depth;
}

#endif

static void watch_roots(struct folder_watch *watch)
{
	watch->root_gone = false;
	for (size_t i = 0; i < watch->root.count; i++) {
		const char *path = *(char **)vec_at(&watch->root, i);
		struct stat info;

		if (stat(path, &info) == 0)
			watch_folder(watch, path, 0);
		else
			watch->root_gone = true;
	}
}

void folder_watch_add(struct folder_watch *watch, const char *path)
{
	*(char **)vec_push(&watch->root, NULL) = memory_string(path);
	watch_folder(watch, path, 0);
}

/* SIZE_MAX: it is not being written. */
static size_t find_writing(const struct folder_watch *watch, const char *path)
{
	for (size_t i = 0; i < watch->writing.count; i++)
		if (text_equal(*(char **)vec_at(&watch->writing, i), path))
			return i;
	return SIZE_MAX;
}

#if PLATFORM_INOTIFY

static void end_writing(struct folder_watch *watch, char *path)
{
	const size_t at = find_writing(watch, path);

	memory_free(path);
	if (at == SIZE_MAX)
		return;
	memory_free(*(char **)vec_at(&watch->writing, at));
	*(char **)vec_at(&watch->writing, at) =
		*(char **)vec_at(&watch->writing, watch->writing.count - 1);
	watch->writing.count--;
}

/* Returns whether something may be complete or gone. */
static bool take_event(struct folder_watch *watch, const struct inotify_event *event)
{
	const struct watched *folder = find_folder(watch, event->wd);
	char *path;

	if (event->mask & IN_Q_OVERFLOW) { /* closes may be among what was lost */
		forget_files(watch);
		watch_roots(watch);
		return true;
	}
	if (!folder)
		return false;
	if (event->mask & (IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF)) {
		for (size_t i = 0; i < watch->root.count; i++)
			watch->root_gone |=
				text_equal(*(char **)vec_at(&watch->root, i), folder->path);
		if (event->mask & IN_IGNORED)
			drop_folder(watch, event->wd);
		return true;
	}
	if (!event->len || event->name[0] == '.')
		return false;
	path = join(folder->path, event->name);
	if (event->mask & IN_ISDIR) {
		if (event->mask & (IN_CREATE | IN_MOVED_TO))
			watch_folder(watch, path, 1);
		memory_free(path);
	} else if (event->mask & IN_MODIFY) {
		if (find_writing(watch, path) == SIZE_MAX)
			*(char **)vec_push(&watch->writing, NULL) = path;
		else
			memory_free(path);
		return false;
	} else if (event->mask & (IN_CLOSE_WRITE | IN_MOVED_FROM | IN_DELETE)) {
		end_writing(watch, path);
	} else {
		memory_free(path);
	}
	return true;
}

static bool take_events(struct folder_watch *watch)
{
	char bytes[EVENT_BYTES] __attribute__((aligned(__alignof__(struct inotify_event))));
	bool changed = false;
	ssize_t n;

	while ((n = read(watch->fd, bytes, sizeof(bytes))) > 0)
		for (ssize_t at = 0; at < n;) {
			const struct inotify_event *event = (const void *)(bytes + at);

			changed |= take_event(watch, event);
			at += (ssize_t)(sizeof(*event) + event->len);
		}
	return changed;
}

#else

static bool take_events(struct folder_watch *watch)
{
	(void)watch;
	return false;
}

#endif

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Events go on being taken until none changes anything for a while. */
static void settle(struct folder_watch *watch)
{
	const int64_t end = now_ms() + SETTLE_MOST_MS;
	int64_t quiet = now_ms() + SETTLE_MS, now;

	while ((now = now_ms()) < quiet && now < end) {
		struct pollfd ready = {.fd = watch->fd, .events = POLLIN};
		const int64_t until = quiet < end ? quiet : end;

		if (poll(&ready, 1, (int)(until - now)) > 0) {
			if (take_events(watch))
				quiet = now_ms() + SETTLE_MS;
			poll(NULL, 0, BUSY_MS / 5);
		}
	}
}

enum folder_event folder_watch_wait(struct folder_watch *watch, int wake)
{
	if (watch->limit && watch->fd >= 0) { /* some folders would report, others not */
		close(watch->fd);
		watch->fd = -1;
	}
	for (;;) {
		struct pollfd ready[] = {{.fd = wake, .events = POLLIN},
			{.fd = watch->limit ? -1 : watch->fd, .events = POLLIN}};
		const bool look = watch->limit || watch->root_gone;

		if (poll(ready, 2, look ? LOOK_MS : -1) < 0 && errno != EINTR)
			return FOLDER_WOKEN; /* out of memory: the caller's read will fail */
		if (ready[0].revents)
			return FOLDER_WOKEN;
		if (watch->root_gone)
			watch_roots(watch);
		if (look)
			return FOLDER_CHANGED;
		if (!ready[1].revents)
			continue;
		if (take_events(watch)) {
			settle(watch);
			return FOLDER_CHANGED;
		}
		/* A program that writes in small pieces must not keep two processors busy. */
		poll(ready, 1, BUSY_MS);
	}
}

bool folder_watch_is_whole(const struct folder_watch *watch, const char *path)
{
	struct stat info;
	enum platform_openness openness;

	if (stat(path, &info) != 0 || info.st_size == 0)
		return false;
	openness = platform_openness(path);
	if (watch->limit) /* a lease does not know writers on other machines */
		return openness != OPEN_FOR_WRITING && time(NULL) - info.st_mtime >= OLD_S;
	if (openness != OPENNESS_UNKNOWN)
		return openness == NOT_OPEN_FOR_WRITING;
	return find_writing(watch, path) == SIZE_MAX;
}
