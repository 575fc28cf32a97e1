/* A folder under a temporary name: its files are known by full path, so that a signal handler can
 * remove them without looking into the folder. */
#include "base/output/outfolder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/arena.h"
#include "base/temporary_file.h"
#include "base/memory.h"
#include "base/output/outfile.h"
#include "base/output/file_identity.h"
#include "base/platform.h"
#include "base/text.h"

struct outfolder {
	struct arena *arena;
	char *path;  /* without '/' at its end, links followed */
	char *shown; /* as given, for messages */
	char *temporary;
	bool (*is_ours)(const char *name);
	bool made;				   /* the temporary folder */
	int guarded;				   /* of output_guard_open */
	int lock;				   /* of the temporary folder (beside_lock) */
	struct outfolder *volatile next;	   /* that is open */
	char *volatile file[OUTFOLDER_FILES_MOST]; /* full paths of the files made in it */
	volatile sig_atomic_t file_count;
};

/* Folders that a signal handler has to remove. Static, as a handler gets no argument. */
static struct outfolder *volatile open_folders;

static int fail(struct error *err, const char *path, int number)
{
	return error_set(err, ERROR_OUTPUT, path, "cannot write: %s", strerror(number));
}

/* Refuses a folder with an entry that may not be replaced. */
static int check_entries(const struct outfolder *folder, struct error *err)
{
	DIR *dir = opendir(folder->path);
	const struct dirent *entry;
	struct stat info;
	int status = 0;

	if (!dir)
		return errno == ENOENT ? 0 : fail(err, folder->shown, errno);
	while (!status && (entry = readdir(dir))) {
		if (text_equal(entry->d_name, ".") || text_equal(entry->d_name, ".."))
			continue;
		if (!folder->is_ours(entry->d_name)) {
			error_set(err, ERROR_OUTPUT, folder->shown,
				"the folder holds \"%s\", which is not a table of this program",
				entry->d_name);
			status = error_hint(
				err, "a folder of tables is replaced as a whole: name a new one");
		} else if (fstatat(dirfd(dir), entry->d_name, &info, 0) == 0) {
			status = output_guard_check_member(
				folder->shown, entry->d_name, info.st_dev, info.st_ino, err);
		}
	}
	closedir(dir);
	return status;
}

/* A folder that is replaced passes its permissions on. */
static int make_temporary(struct outfolder *folder, struct error *err)
{
	struct stat existing;
	int number = EEXIST;

	beside_sweep(folder->path);
	for (unsigned int attempt = 0; number == EEXIST && attempt < 100; attempt++) {
		/* No signal may come between its creation and its place in the list. */
		char *name = beside_name(folder->path, attempt);
		sigset_t all, before;
		number = 0;

		folder->temporary = arena_strdup(folder->arena, name);
		memory_free(name);
		sigfillset(&all);
		sigprocmask(SIG_SETMASK, &all, &before);
		if (mkdir(folder->temporary, 0777) != 0)
			number = errno;
		if (!number) {
			folder->lock =
				file_open(folder->temporary, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
			if (folder->lock >= 0 ? beside_lock(folder->lock) != 0 : errno != EACCES)
				number = errno == ENOENT ? EEXIST
							 : errno; /* swept before it was locked */
			if (number)
				rmdir(folder->temporary);
		}
		if (!number) {
			folder->made = true;
			folder->next = open_folders;
			open_folders = folder;
		} else if (folder->lock >= 0) {
			close(folder->lock);
			folder->lock = -1;
		}
		sigprocmask(SIG_SETMASK, &before, NULL);
	}
	if (!number && stat(folder->path, &existing) == 0 && S_ISDIR(existing.st_mode) &&
		chmod(folder->temporary, existing.st_mode & 0777) != 0)
		number = errno;
	return number ? fail(err, folder->shown, number) : 0;
}

struct outfolder *outfolder_open(
	const char *path, bool (*is_ours)(const char *name), struct error *err)
{
	struct arena *arena = arena_new();
	struct outfolder *folder = memory_alloc(sizeof(*folder));
	char *real;

	/* A link stays one. */
	real = file_follow_links(arena_strndup(arena, path, text_path_size(path)));
	folder->arena = arena;
	folder->path = arena_strdup(arena, real ? real : path);
	memory_free(real);
	folder->shown = arena_strdup(arena, path);
	folder->is_ours = is_ours;
	folder->guarded = folder->lock = -1;
	if (output_guard_check(path, err) == 0 && check_entries(folder, err) == 0 &&
		make_temporary(folder, err) == 0) {
		folder->guarded = output_guard_open(path);
		return folder;
	}
	outfolder_discard(folder);
	return NULL;
}

/* The temporary name means nothing to the user. */
static void show_place(const struct outfolder *folder, struct error *err)
{
	size_t n = strlen(folder->temporary);

	if (!text_starts(err->place, folder->temporary))
		return;
	const char *tail = err->place + n + (text_ends(folder->shown, "/") ? 1 : 0);
	char *shown = arena_printf(folder->arena, "%s%s", folder->shown, tail);

	snprintf(err->place, sizeof(err->place), "%s", shown);
}

struct outfile *outfolder_file(struct outfolder *folder, const char *name, struct error *err)
{
	struct outfile *file;
	char *path = arena_printf(folder->arena, "%s/%s", folder->temporary, name);

	if (folder->file_count == OUTFOLDER_FILES_MOST) {
		error_set(err, ERROR_LIMIT, folder->shown, "more than %d files",
			OUTFOLDER_FILES_MOST);
		return NULL;
	}
	folder->file[folder->file_count] = path;
	folder->file_count++;
	file = outfile_open_member(path, err);
	if (!file)
		show_place(folder, err);
	return file;
}

int outfolder_close(struct outfolder *folder, struct outfile *file, struct error *err)
{
	if (outfile_commit(file, err) == 0)
		return 0;
	show_place(folder, err);
	return -1;
}

int outfolder_rename(struct outfolder *folder, const char *from, const char *to, struct error *err)
{
	const char *old = arena_printf(folder->arena, "%s/%s", folder->temporary, from);
	char *now = arena_printf(folder->arena, "%s/%s", folder->temporary, to);

	for (sig_atomic_t i = 0; i < folder->file_count; i++) {
		if (!text_equal(folder->file[i], old))
			continue;
		if (rename(old, now) != 0)
			break;
		folder->file[i] = now;
		return 0;
	}
	return fail(err, folder->shown, errno);
}

static void folder_free(struct outfolder *folder)
{
	struct outfolder *volatile *at = &open_folders;

	while (*at && *at != folder)
		at = &(*at)->next;
	if (*at)
		*at = folder->next;
	if (folder->lock >= 0)
		close(folder->lock);
	output_guard_close(folder->guarded);
	arena_free(folder->arena);
	memory_free(folder);
}

/* Puts the folder in its place. Two folders change their names at once where the system can do
 * that, so that there is always one. */
static int put_in_place(struct outfolder *folder)
{
	if (rename(folder->temporary, folder->path) == 0)
		return 0;
	/* The old folder is not empty, or is a link to a folder. */
	if (!platform_exchange(folder->temporary, folder->path)) {
		/* Move the old folder away first, under a name that is swept if this process dies,
		 * and is locked until then. */
		char *old = beside_name(folder->path, 0);
		int lock = file_open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), number = 0;

		if (lock >= 0)
			beside_lock(lock);
		if (rename(folder->path, old) != 0) {
			number = errno;
		} else if (rename(folder->temporary, folder->path) == 0) {
			beside_remove_folder(old);
		} else {
			number = errno;
			rename(old, folder->path);
		}
		if (lock >= 0)
			close(lock);
		memory_free(old);
		errno = number;
		return number ? -1 : 0;
	}
	beside_remove_folder(folder->temporary);
	return 0;
}

int outfolder_commit(struct outfolder *folder, struct error *err)
{
	const char *inside = arena_printf(folder->arena, "%s/", folder->temporary);

	if (check_entries(folder, err) < 0) {
		outfolder_discard(folder);
		return -1;
	}
	if (outfile_sync_folder(inside) != 0 || put_in_place(folder) != 0) {
		fail(err, folder->shown, errno);
		outfolder_discard(folder);
		return -1;
	}
	int status = outfile_sync_folder(folder->path);

	if (status != 0)
		fail(err, folder->shown, errno);
	folder_free(folder);
	return status;
}

static void remove_files(const struct outfolder *folder)
{
	for (sig_atomic_t i = 0; i < folder->file_count; i++)
		unlink(folder->file[i]);
	rmdir(folder->temporary);
}

void outfolder_discard(struct outfolder *folder)
{
	if (!folder)
		return;
	if (folder->made)
		remove_files(folder);
	folder_free(folder);
}

void outfolder_abandon_all(void)
{
	int before = errno;

	for (const struct outfolder *folder = open_folders; folder; folder = folder->next)
		remove_files(folder);
	errno = before;
}
