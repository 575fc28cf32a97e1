/*
 * From paths to profiles: finds the files, sorts them as people would, and reads each with the
 * reader that its content asks for.
 */
#include "ingest/load.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/memory.h"
#include "base/text.h"
#include "base/vec.h"

#define DEPTH_MOST 64
#define FILES_MOST ((size_t)1000000)
#define REASONS_SHOWN 3

/* A file that was named, or found in a folder. */
struct found {
	const char *path;
	const char *group; /* folder it lies in, or NULL */
	bool named;	   /* also, or only, on the command line itself */
	bool is_stdin;
	dev_t device;
	ino_t inode;
};

struct loader {
	const struct load_options *opt;
	struct loaded *loaded;
	struct vec found, skipped, profiles;
	size_t depth;
	dev_t open_device[DEPTH_MOST]; /* folders that are being listed: against links in a circle */
	ino_t open_inode[DEPTH_MOST];
};

static int system_error(const char *path, const char *what, struct error *err)
{
	return error_set(err, ERROR_INPUT, path, "%s: %s", what, strerror(errno));
}

static int skip_file(
	struct loader *l, const char *path, const char *reason, bool companion, struct error *err)
{
	struct skipped_file *skipped = vec_push(&l->skipped, err);

	if (!skipped)
		return -1;
	skipped->path = path;
	skipped->reason = arena_strdup(l->loaded->arena, reason);
	skipped->companion = companion;
	return 0;
}

static int add_file(struct loader *l, const char *path, const char *group,
	const struct stat *status, struct error *err)
{
	struct found *found = vec_push(&l->found, err);

	if (!found)
		return -1;
	found->path = arena_strdup(l->loaded->arena, path);
	found->group = group;
	found->named = !group;
	found->is_stdin = !status;
	if (status) {
		found->device = status->st_dev;
		found->inode = status->st_ino;
	}
	return 0;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names in a folder, hidden ones left out, sorted so that nothing depends on the disk. */
static int list_names(
	struct loader *l, const char *path, const char ***names, size_t *count, struct error *err)
{
	struct vec list;
	struct dirent *entry;
	DIR *dir = opendir(path);
	int result = 0;

	if (!dir)
		return system_error(path, "cannot list the folder", err);
	vec_init(&list, sizeof(const char *), FILES_MOST, "names in a folder");
	while (errno = 0, result == 0 && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		const char **name = vec_push(&list, err);

		if (name)
			*name = arena_strdup(l->loaded->arena, entry->d_name);
		else
			result = -1;
	}
	if (result == 0 && errno)
		result = system_error(path, "cannot list the folder", err);
	closedir(dir);
	if (list.count)
		qsort(list.data, list.count, sizeof(const char *), compare_names);
	*names = arena_array(l->loaded->arena, list.count, sizeof(**names));
	*count = list.count;
	if (list.count)
		memcpy(*names, list.data, list.count * sizeof(**names));
	vec_release(&list);
	return result;
}

static bool is_open(const struct loader *l, const struct stat *status)
{
	for (size_t i = 0; i < l->depth; i++)
		if (l->open_device[i] == status->st_dev && l->open_inode[i] == status->st_ino)
			return true;
	return false;
}

/* A folder with all below it; as deep as DEPTH_MOST allows. */
static int add_folder(
	struct loader *l, const char *path, const struct stat *status, struct error *err)
{
	const char **names = NULL;
	size_t count = 0;
	int result = 0;

	if (is_open(l, status))
		return 0;
	if (l->depth == DEPTH_MOST)
		return error_set(err, ERROR_LIMIT, path, "more than %d folders deep", DEPTH_MOST);
	l->open_device[l->depth] = status->st_dev;
	l->open_inode[l->depth++] = status->st_ino;
	if (list_names(l, path, &names, &count, err))
		return -1;
	for (size_t i = 0; i < count && result == 0; i++) {
		bool slash = text_ends(path, "/");
		const char *below = arena_printf(
			l->loaded->arena, "%s%s%s", path, slash ? "" : "/", names[i]);
		struct stat inside;

		if (stat(below, &inside) != 0)
			result = skip_file(l, below, strerror(errno), false, err);
		else if (S_ISDIR(inside.st_mode))
			result = add_folder(l, below, &inside, err);
		else if (S_ISREG(inside.st_mode))
			result = add_file(l, below, path, &inside, err);
		else
			result = skip_file(l, below, "not a regular file", false, err);
	}
	l->depth--;
	return result;
}

static int add_path(struct loader *l, const char *path, struct error *err)
{
	struct stat status;
	size_t length = strlen(path);

	if (text_equal(path, "-"))
		return add_file(l, path, NULL, NULL, err);
	if (stat(path, &status) != 0)
		return system_error(path, "cannot open", err);
	if (!S_ISDIR(status.st_mode))
		return add_file(l, path, NULL, &status, err);
	while (length > 1 && path[length - 1] == '/')
		length--;
	return add_folder(l, arena_strndup(l->loaded->arena, path, length), &status, err);
}

static int compare_found(const void *a, const void *b)
{
	const struct found *x = a, *y = b;
	int order = text_compare_natural(x->path, y->path);

	if (order)
		return order;
	return (x->group != NULL) - (y->group != NULL);
}

/* Files that were found twice: the first path stays, and takes over what the other knows. */
struct identity {
	bool is_stdin;
	dev_t device;
	ino_t inode;
	size_t index;
};

static int compare_identities(const void *a, const void *b)
{
	const struct identity *x = a, *y = b;

	if (x->is_stdin != y->is_stdin)
		return x->is_stdin - y->is_stdin;
	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	if (x->inode != y->inode)
		return x->inode < y->inode ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static void drop_twins(struct loader *l)
{
	struct found *found = l->found.data;
	size_t count = l->found.count, kept = 0, first = 0;
	struct identity *id = memory_alloc(memory_product(count, sizeof(*id)));

	for (size_t i = 0; i < count; i++)
		id[i] = (struct identity){ found[i].is_stdin, found[i].device, found[i].inode, i };
	qsort(id, count, sizeof(*id), compare_identities);
	for (size_t i = 1; i < count; i++) {
		if (id[i].is_stdin != id[first].is_stdin || id[i].device != id[first].device ||
			id[i].inode != id[first].inode) {
			first = i;
			continue;
		}
		struct found *stays = &found[id[first].index], *goes = &found[id[i].index];

		stays->named |= goes->named;
		if (!stays->group)
			stays->group = goes->group;
		goes->path = NULL;
	}
	for (size_t i = 0; i < count; i++)
		if (found[i].path)
			found[kept++] = found[i];
	l->found.count = kept;
	memory_free(id);
}

/* "a Chrome trace", "an ONNX Runtime profile", "an XLSX workbook". */
static const char *article(const char *title)
{
	static const char *const vowels[] = { "A", "E", "I", "O", "XL", "XS", "XP", "HT" };

	for (size_t i = 0; i < sizeof(vowels) / sizeof(vowels[0]); i++)
		if (text_starts(title, vowels[i]))
			return "an";
	return "a";
}

static int cannot_read(const struct reader *reader, const char *path, struct error *err)
{
	error_set(err, ERROR_INPUT, path,
		reader->companion ? "%s %s, which holds no measurements"
				  : "%s %s, which this version does not read yet",
		article(reader->title), reader->title);
	if (reader->advice)
		error_hint(err, "%s", reader->advice);
	return -1;
}

/* The reader for the file, or NULL with the reason. */
static const struct reader *choose_reader(
	struct loader *l, const struct found *file, struct input *in, struct error *err)
{
	struct probe probe = { .path = file->path };

	if (input_peek(in, PROBE_BYTES, &probe.bytes, &probe.size, err))
		return NULL;
	probe.path = input_path(in);
	probe.whole = probe.size < PROBE_BYTES;
	if (probe.size > PROBE_BYTES)
		probe.size = PROBE_BYTES;
	const struct reader *reader = l->opt->from;

	if (!reader)
		reader = reader_detect(&probe, err);
	else if (!file->named && reader->probe(&probe) == 0)
		return error_set(err, ERROR_INPUT, probe.path, "not --from=%s", reader->name), NULL;
	if (reader && !reader->read && l->opt->from) {
		error_set(err, ERROR_USAGE, "--from",
			"'%s' is recognised, but this version does not read it yet", reader->name);
		return NULL;
	}
	if (reader && !reader->read)
		return cannot_read(reader, probe.path, err), NULL;
	return reader;
}

static int no_steps(const struct profile *profile, struct error *err)
{
	error_set(err, ERROR_INPUT, profile->path,
		"no step was traced: %zu ops and not one execution", profile->op_count);
	return error_hint(err, "trace some steps before the profile is written "
			       "(ProfileContext: trace_steps; session.run: FULL_TRACE)");
}

static int keep_profile(struct loader *l, const struct found *file, struct profile *profile,
	struct error *err)
{
	struct profile **slot;

	if (profile->step_count == 0 && !file->named)
		return skip_file(l, file->path, "no step was traced", false, err);
	if (profile->step_count == 0)
		return no_steps(profile, err);
	slot = vec_push(&l->profiles, err);
	if (!slot)
		return -1;
	*slot = profile;
	return 1;
}

static int read_with(struct loader *l, const struct found *file, const struct reader *reader,
	struct input *in, struct error *err)
{
	struct profile *profile = profile_new(input_path(in));
	int result;

	profile->format = reader->name;
	profile->format_title = reader->title;
	if (file->group)
		profile->group = arena_strdup(profile->arena, file->group);
	result = reader->read(in, profile, &l->opt->read, err);
	if (result == 0)
		result = keep_profile(l, file, profile, err);
	if (result != 1)
		profile_free(profile);
	return result < 0 ? -1 : 0;
}

static int read_file(struct loader *l, const struct found *file, struct error *err)
{
	struct input *in = input_open(file->path, err);
	struct error reason = { 0 };
	int result;

	if (!in)
		return -1;
	const struct reader *reader = choose_reader(l, file, in, &reason);

	if (reader) {
		result = read_with(l, file, reader, in, err);
	} else if (file->named) {
		if (err)
			*err = reason;
		result = -1;
	} else {
		bool companion = text_ends(reason.message, "holds no measurements");

		result = skip_file(l, file->path, reason.message, companion, err);
	}
	input_close(in);
	return result;
}

/* A reason for skipping, and how many files have it. */
struct reason {
	const char *text;
	const char *first; /* file */
	size_t count;
};

static size_t count_reasons(const struct loader *l, struct reason *reason, size_t most)
{
	const struct skipped_file *skipped = l->skipped.data;
	size_t count = 0;

	for (size_t i = 0; i < l->skipped.count; i++) {
		size_t k = 0;

		while (k < count && !text_equal(reason[k].text, skipped[i].reason))
			k++;
		if (k == most)
			continue;
		if (k == count)
			reason[count++] = (struct reason){ skipped[i].reason,
				text_base_name(skipped[i].path), 0 };
		reason[k].count++;
	}
	return count;
}

/* Nothing could be read in folders: says what was found there instead. */
static int nothing_found(const struct loader *l, const char *path, struct error *err)
{
	struct reason reason[REASONS_SHOWN];
	size_t count = count_reasons(l, reason, REASONS_SHOWN), named = 0;
	struct text list;

	if (l->skipped.count == 0) {
		error_set(err, ERROR_INPUT, path, "no files there");
		return error_hint(err, "names that begin with a dot are left out");
	}
	text_init(&list);
	for (size_t i = 0; i < count; i++) {
		text_printf(&list, "%s%s", i ? "; " : "", reason[i].first);
		if (reason[i].count > 1)
			text_printf(&list, " and %zu like it", reason[i].count - 1);
		text_printf(&list, ": %s", reason[i].text);
		named += reason[i].count;
	}
	if (named < l->skipped.count)
		text_printf(&list, "; and %zu of other kinds", l->skipped.count - named);
	error_set(err, ERROR_INPUT, path, "no profile among %zu %s (%s)", l->skipped.count,
		l->skipped.count == 1 ? "file" : "files", text_string(&list));
	text_release(&list);
	return error_hint(err, "give a TensorFlow profile (profile_N), or see what can be read: "
			       "stepstat formats");
}

static int load_all(
	struct loader *l, const char *const *paths, size_t count, struct error *err)
{
	for (size_t i = 0; i < count; i++)
		if (add_path(l, paths[i], err))
			return -1;
	if (l->found.count)
		qsort(l->found.data, l->found.count, sizeof(struct found), compare_found);
	drop_twins(l);
	for (size_t i = 0; i < l->found.count; i++)
		if (read_file(l, vec_at(&l->found, i), err))
			return -1;
	if (l->profiles.count == 0)
		return nothing_found(l, count ? paths[0] : NULL, err);
	return 0;
}

static void hand_over(struct loader *l)
{
	struct loaded *loaded = l->loaded;

	loaded->count = l->profiles.count;
	loaded->profile = arena_array(loaded->arena, loaded->count, sizeof(*loaded->profile));
	if (loaded->count)
		memcpy(loaded->profile, l->profiles.data,
			loaded->count * sizeof(*loaded->profile));
	loaded->skipped_count = l->skipped.count;
	loaded->skipped =
		arena_array(loaded->arena, loaded->skipped_count, sizeof(*loaded->skipped));
	if (loaded->skipped_count)
		memcpy(loaded->skipped, l->skipped.data,
			loaded->skipped_count * sizeof(*loaded->skipped));
}

struct loaded *load_inputs(const char *const *paths, size_t count, const struct load_options *opt,
	struct error *err)
{
	struct arena *arena = arena_new();
	struct loader l = { .opt = opt, .loaded = arena_alloc(arena, sizeof(*l.loaded)) };
	struct loaded *loaded = l.loaded;

	loaded->arena = arena;
	vec_init(&l.found, sizeof(struct found), FILES_MOST, "input files");
	vec_init(&l.skipped, sizeof(struct skipped_file), FILES_MOST, "skipped files");
	vec_init(&l.profiles, sizeof(struct profile *), FILES_MOST, "profiles");
	int result = load_all(&l, paths, count, err);

	hand_over(&l);
	vec_release(&l.found);
	vec_release(&l.skipped);
	vec_release(&l.profiles);
	if (result == 0)
		return loaded;
	loaded_free(loaded);
	return NULL;
}

void loaded_free(struct loaded *loaded)
{
	if (!loaded)
		return;
	for (size_t i = 0; i < loaded->count; i++)
		profile_free(loaded->profile[i]);
	arena_free(loaded->arena);
}
