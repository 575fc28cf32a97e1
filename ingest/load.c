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
#include "ingest/attempt.h"
#include "model/graph.h"

#define DEPTH_MOST 64
#define FILES_MOST ((size_t)1000000)
#define REASONS_SHOWN 3

/* A file that was named, or found in a folder. */
struct found {
	const char *path;
	const char *group; /* folder it lies in, or NULL */
	bool named;	   /* also, or only, on the command line itself */
	bool is_stdin;
	size_t argument;   /* place among the arguments */
	uint64_t size_bytes;
	dev_t device;
	ino_t inode;
};

struct loader {
	const struct load_options *opt;
	struct loaded *loaded;
	struct vec found, skipped, profiles;
	size_t argument; /* the one that is looked at */
	size_t depth;
	dev_t open_device[DEPTH_MOST]; /* folders that are being listed: against links in a circle
					*/
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
	found->argument = l->argument;
	if (status) {
		found->size_bytes = status->st_size > 0 ? (uint64_t)status->st_size : 0;
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
		const char *below =
			arena_printf(l->loaded->arena, "%s%s%s", path, slash ? "" : "/", names[i]);
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
		id[i] = (struct identity){found[i].is_stdin, found[i].device, found[i].inode, i};
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
static int no_steps(const struct profile *profile, struct error *err)
{
	error_set(err, ERROR_INPUT, profile->path,
		"no step was traced: %zu ops and not one execution", profile->op_count);
	return error_hint(err, "trace some steps before the profile is written "
			       "(ProfileContext: trace_steps; session.run: FULL_TRACE)");
}

/* What becomes of one attempt: a profile, a skipped file, or the end of it all. */
static int settle(struct loader *l, struct attempt *a, struct error *err)
{
	struct profile **slot;

	if (a->state == ATTEMPT_FAILED || (a->state == ATTEMPT_REFUSED && a->named)) {
		if (err)
			*err = a->err;
		return -1;
	}
	if (a->state == ATTEMPT_REFUSED)
		return skip_file(l, a->path, a->err.message, a->companion, err);
	if (a->profile->step_count == 0 && !a->named)
		return skip_file(l, a->path, "no step was traced", false, err);
	if (a->profile->step_count == 0)
		return no_steps(a->profile, err);
	slot = vec_push(&l->profiles, err);
	if (!slot)
		return -1;
	*slot = a->profile;
	a->profile = NULL;
	return 0;
}

/* Reads all files that were found, several at a time, then looks at the results in order. */
static int read_found(struct loader *l, struct error *err)
{
	struct attempt *attempt = arena_array(l->loaded->arena, l->found.count, sizeof(*attempt));
	int result = 0;

	for (size_t i = 0; i < l->found.count; i++) {
		const struct found *file = vec_at(&l->found, i);

		attempt[i].path = file->path;
		attempt[i].group = file->group;
		attempt[i].named = file->named;
		attempt[i].size_bytes = file->size_bytes;
		attempt[i].argument = file->argument;
	}
	attempt_all(attempt, l->found.count, l->opt->jobs, l->opt);
	for (size_t i = 0; i < l->found.count && !result; i++)
		result = settle(l, &attempt[i], err);
	for (size_t i = 0; i < l->found.count; i++)
		profile_free(attempt[i].profile);
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
			reason[count++] = (struct reason){
				skipped[i].reason, text_base_name(skipped[i].path), 0};
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

static bool uses_graph(const struct reader *reader)
{
	return reader->uses_graph;
}

static bool uses_nanoseconds(const struct reader *reader)
{
	return reader->uses_nanoseconds;
}

/* Is there an input whose reader makes use of it? Where not, an issue says so. */
static bool check_use(struct loader *l, bool (*uses)(const struct reader *reader), const char *code,
	const char *text)
{
	struct profile *const *profile = l->profiles.data;

	for (size_t i = 0; i < l->profiles.count; i++) {
		const struct reader *reader = reader_find(profile[i]->format, NULL);

		if (reader && uses(reader))
			return true;
	}
	if (l->profiles.count)
		issue_add(&profile[0]->issues, ISSUE_INFO, code, text, 1, profile[0]->path);
	return false;
}

/* The graph of the model as a profile without steps, so that its ops are there which ran in none, once and
 * not for each step. */
static int add_graph(struct loader *l, struct error *err)
{
	const struct read_options *opt = &l->opt->read;
	struct profile *profile, **slot;

	if (opt->nanoseconds)
		check_use(l, uses_nanoseconds, "precision-unused",
			"--precision=ns changes nothing: these inputs have no nanoseconds");
	if (!opt->graph || !check_use(l, uses_graph, "graph-unused",
				   "--graph changes nothing: these inputs have their own graph"))
		return 0;
	slot = vec_push(&l->profiles, err);
	if (!slot)
		return -1;
	*slot = profile = profile_new(opt->graph->path ? opt->graph->path : "--graph");
	profile->format_title = "TensorFlow graph";
	return graph_to_profile(opt->graph, profile, &opt->limits, err);
}

static int load_all(struct loader *l, const char *const *paths, size_t count, struct error *err)
{
	for (size_t i = 0; i < count; i++) {
		l->argument = i;
		if (add_path(l, paths[i], err))
			return -1;
	}
	if (l->found.count)
		qsort(l->found.data, l->found.count, sizeof(struct found), compare_found);
	drop_twins(l);
	if (read_found(l, err))
		return -1;
	if (l->profiles.count == 0)
		return nothing_found(l, count ? paths[0] : NULL, err);
	return add_graph(l, err);
}

static void hand_over(struct loader *l)
{
	struct loaded *loaded = l->loaded;

	loaded->count = l->profiles.count;
	loaded->profile = arena_array(loaded->arena, loaded->count, sizeof(*loaded->profile));
	if (loaded->count)
		memcpy(loaded->profile, l->profiles.data, loaded->count * sizeof(*loaded->profile));
	loaded->skipped_count = l->skipped.count;
	loaded->skipped =
		arena_array(loaded->arena, loaded->skipped_count, sizeof(*loaded->skipped));
	if (loaded->skipped_count)
		memcpy(loaded->skipped, l->skipped.data,
			loaded->skipped_count * sizeof(*loaded->skipped));
}

struct loaded *load_inputs(
	const char *const *paths, size_t count, const struct load_options *opt, struct error *err)
{
	struct arena *arena = arena_new();
	struct loader l = {.opt = opt, .loaded = arena_alloc(arena, sizeof(*l.loaded))};
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
