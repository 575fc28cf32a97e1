/* Lists folders, identifies files by device and inode, sorts as people would. */
#include "ingest/find.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/file_nearest.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/platform.h"
#include "base/temporary_file.h"
#include "base/text.h"
#include "ingest/read_file.h"

#define DEPTH_MOST 64

struct finder {
	struct arena *arena;
	struct vec *found, *skipped;
	size_t argument; /* the one that is looked at */
	size_t depth;
	/* folders that are being listed: against links in a circle */
	dev_t open_device[DEPTH_MOST];
	ino_t open_inode[DEPTH_MOST];
};

static int system_error(const char *path, const char *what, struct error *err)
{
	return error_set(err, ERROR_INPUT, path, "%s: %s", what, strerror(errno));
}

static int skip_file(
	struct finder *f, const char *path, const char *reason, bool broken, struct error *err)
{
	struct skipped_file *skipped = vec_push(f->skipped, err);

	if (!skipped)
		return -1;
	skipped->path = path;
	skipped->reason = arena_strdup(f->arena, reason);
	skipped->broken = broken;
	return 0;
}

static int add_file(struct finder *f, const char *path, const char *group,
	const struct stat *status, struct error *err)
{
	struct found_file *found = vec_push(f->found, err);

	if (!found)
		return -1;
	found->path = found->name = arena_strdup(f->arena, path);
	found->group = group;
	found->named = !group;
	found->is_stdin = !status;
	found->argument = f->argument;
	if (status) {
		found->size_bytes = status->st_size > 0 ? (uint64_t)status->st_size : 0;
		found->device = status->st_dev;
		found->inode = status->st_ino;
		found->modified = status->st_mtim;
		found->changed = status->st_ctim;
	}
	return 0;
}

/* Names in a folder, without hidden ones and outputs that are being written, sorted so that nothing
 * depends on the disk. */
static int list_names(
	struct finder *f, const char *path, const char ***names, size_t *count, struct error *err)
{
	struct vec list;
	struct dirent *entry;
	DIR *dir = opendir(path);
	int result = 0;

	if (!dir)
		return system_error(path, "cannot list the folder", err);
	vec_init(&list, sizeof(const char *), FILES_MOST, "names in a folder");
	while (errno = 0, result == 0 && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.' || temporary_file_is(entry->d_name))
			continue;
		const char **name = vec_push(&list, err);

		if (name)
			*name = arena_strdup(f->arena, entry->d_name);
		else
			result = -1;
	}
	if (result == 0 && errno)
		result = system_error(path, "cannot list the folder", err);
	closedir(dir);
	if (list.count)
		qsort(list.data, list.count, sizeof(const char *), order_texts);
	*names = arena_array(f->arena, list.count, sizeof(**names));
	*count = list.count;
	if (list.count)
		memcpy(*names, list.data, list.count * sizeof(**names));
	vec_release(&list);
	return result;
}

/* A folder with all below it; as deep as DEPTH_MOST allows. */
static int add_folder(
	struct finder *f, const char *path, const struct stat *status, struct error *err)
{
	const char **names = NULL;
	size_t count = 0;
	int result = 0;

	for (size_t i = 0; i < f->depth; i++)
		if (f->open_device[i] == status->st_dev && f->open_inode[i] == status->st_ino)
			return 0;
	if (f->depth == DEPTH_MOST)
		return error_set(err, ERROR_LIMIT, path, "more than %d folders deep", DEPTH_MOST);
	f->open_device[f->depth] = status->st_dev;
	f->open_inode[f->depth++] = status->st_ino;
	if (list_names(f, path, &names, &count, err))
		return -1;
	for (size_t i = 0; i < count && result == 0; i++) {
		bool slash = text_ends(path, "/");
		const char *below =
			arena_printf(f->arena, "%s%s%s", path, slash ? "" : "/", names[i]);
		struct stat inside;

		if (stat(below, &inside) != 0)
			result = skip_file(f, below, strerror(errno), attempt_is_lost(below), err);
		else if (S_ISDIR(inside.st_mode))
			result = add_folder(f, below, &inside, err);
		else if (S_ISREG(inside.st_mode))
			result = add_file(f, below, path, &inside, err);
		else
			result = skip_file(f, below, "not a regular file", false, err);
	}
	f->depth--;
	return result;
}

static int add_path(struct finder *f, const char *path, struct error *err)
{
	struct stat status;
	size_t length = strlen(path);

	if (text_equal(path, "-"))
		return add_file(f, path, NULL, NULL, err);
	if (stat(path, &status) != 0) {
		bool missing = errno == ENOENT;
		struct text near;

		system_error(path, "cannot open", err);
		text_init(&near);
		if (missing && file_nearest(path, &near))
			error_hint(err, "did you mean \"%s\"?", text_string(&near));
		text_release(&near);
		return -1;
	}
	if (!S_ISDIR(status.st_mode))
		return add_file(f, path, NULL, &status, err);
	while (length > 1 && path[length - 1] == '/')
		length--;
	return add_folder(f, arena_strndup(f->arena, path, length), &status, err);
}

ORDERED(compare_found, struct found_file,
	text_compare_natural(x->name, y->name) ?: ((x->group != NULL) - (y->group != NULL)));

/* Files that were found twice: the first path stays, with what is known of the other. */
struct identity {
	bool is_stdin;
	dev_t device;
	ino_t inode;
	size_t index;
};

ORDERED(compare_identities, struct identity,
	ORDER(x->is_stdin, y->is_stdin)
		?: ORDER(x->device, y->device)
		?: ORDER(x->inode, y->inode)
		?: ORDER(x->index, y->index));

static void drop_shared_runs(struct finder *f)
{
	struct found_file *found = f->found->data;
	size_t count = f->found->count, kept = 0, first = 0;
	struct identity *id = memory_alloc(memory_product(count, sizeof(*id)));

	for (size_t i = 0; i < count; i++)
		id[i] = (struct identity){found[i].is_stdin, found[i].device, found[i].inode, i};
	qsort(id, count, sizeof(*id), compare_identities);
	for (size_t i = 1; i < count; i++) {
		if (id[i].is_stdin != id[first].is_stdin || id[i].device != id[first].device ||
			id[i].inode != id[first].inode) {
			first = i;
			continue;
		}
		struct found_file *stays = &found[id[first].index], *goes = &found[id[i].index];

		stays->named |= goes->named;
		if (!stays->group)
			stays->group = goes->group;
		goes->path = NULL;
	}
	for (size_t i = 0; i < count; i++)
		if (found[i].path)
			found[kept++] = found[i];
	f->found->count = kept;
	memory_free(id);
}

int find_files(const char *const *paths, size_t count, struct arena *arena, struct vec *found,
	struct vec *skipped, struct error *err)
{
	struct finder f = {.arena = arena, .found = found, .skipped = skipped};

	vec_init(found, sizeof(struct found_file), FILES_MOST, "input files");
	vec_init(skipped, sizeof(struct skipped_file), FILES_MOST, "skipped files");
	for (size_t i = 0; i < count; i++) {
		f.argument = i;
		if (add_path(&f, paths[i], err))
			return -1;
	}
	if (found->count)
		qsort(found->data, found->count, sizeof(struct found_file), compare_found);
	drop_shared_runs(&f);
	return 0;
}

void skipped_report(struct issue_list *issues, const struct skipped_file *skipped, size_t count)
{
	struct text place;

	text_init(&place);
	for (size_t i = 0; i < count; i++) {
		if (!skipped[i].broken)
			continue;
		text_clear(&place);
		text_printf(&place, "%s: %s", skipped[i].path, skipped[i].reason);
		issue_add(issues, ISSUE_LOSS, "not-whole", "files that are not whole, left out", 1,
			text_string(&place));
	}
	text_release(&place);
}

void find_name_stdin(struct vec *found, const char *name)
{
	for (size_t i = 0; name && i < found->count; i++) {
		struct found_file *file = vec_at(found, i);

		if (file->is_stdin)
			file->name = name;
	}
	if (name && found->count)
		qsort(found->data, found->count, sizeof(struct found_file), compare_found);
}
