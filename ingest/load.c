/* From paths to profiles: reads each file that was found with the reader that its content asks
 * for. */
#include "ingest/load.h"

#include <string.h>
#include "base/intern.h"
#include "base/text.h"
#include "base/memory.h"
#include "ingest/events/call_store.h"
#include "ingest/read_file.h"
#include "tfprof/graph/graph.h"
#include "tfprof/graph/host_trace.h"

#define REASONS_SHOWN 3

struct loader {
	struct load_options *opt;
	struct loaded *loaded;
	struct vec found, skipped, profiles;
	struct error broken; /* of the first file of a folder that cannot be read */
	bool any_broken;
};

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

static bool has_issue(const struct profile *profile, const char *code)
{
	for (size_t i = 0; i < profile->issues.count; i++)
		if (text_equal(profile->issues.issue[i].code, code))
			return true;
	return false;
}

/* Everything that ran is on the host tracer's device, whose times the file does not hold. */
static bool is_host_untimed(const struct profile *profile)
{
	return has_issue(profile, HOST_UNTIMED_CODE);
}

/* A file of a folder that a reader read and that holds no step: where it is damaged, they may have
 * been in what is lost. */
static int skip_empty(struct loader *l, const struct attempt *a, struct error *err)
{
	const struct issue_list *issues = &a->profile->issues;
	struct skipped_file *skipped;

	if (skip_file(l, a->path,
		    is_host_untimed(a->profile) ? "no times of ops on /host:CPU"
						: "no step was traced",
		    false, err) < 0)
		return -1;
	skipped = vec_at(&l->skipped, l->skipped.count - 1);
	for (size_t i = 0; i < issues->count; i++)
		skipped->broken |= issues->issue[i].severity == ISSUE_ERROR ||
				   text_equal(issues->issue[i].code, "trace-cut") ||
				   text_equal(issues->issue[i].code, "trace-open");
	return 0;
}

/* Why nothing is left of a trace. A trace without steps is not lost: then all of it is one step. */
static bool first_loss(const struct profile *profile, const struct issue **loss)
{
	for (size_t i = 0; i < profile->issues.count; i++) {
		*loss = &profile->issues.issue[i];
		if ((*loss)->severity != ISSUE_INFO && !issue_is_unmarked((*loss)->code))
			return true;
	}
	return false;
}

static int no_steps(const struct profile *profile, struct error *err)
{
	const struct issue *loss;
	const struct reader *reader = reader_find(profile->format, NULL);

	if (is_host_untimed(profile)) {
		error_set(err, ERROR_INPUT, profile->path,
			"all ops ran on /host:CPU, of which a dump of TensorFlow's profiler has no "
			"times");
		return error_hint(err, "give RunMetadata or timelines of the same steps");
	}
	error_set(err, ERROR_INPUT, profile->path,
		"no step was traced: %zu op%s and not one execution", profile->op_count,
		profile->op_count == 1 ? "" : "s");
	if (reader && reader->empty_hint && first_loss(profile, &loss)) {
		struct text text;

		text_init(&text);
		issue_add_sentence(&text, loss);
		if (issue_advice(loss->code))
			text_printf(&text, "; %s", issue_advice(loss->code));
		error_hint(err, "%s", text_string(&text));
		text_release(&text);
		return -1;
	}
	if (reader && reader->empty_hint)
		return error_hint(err, "%s",
			profile->op_count ? "none of them begins in a step: --window, --step-marker"
					  : reader->empty_hint);
	return error_hint(err, "trace some steps before the profile is written (ProfileContext: "
			       "trace_steps; session.run: FULL_TRACE)");
}

/* True if any of its files has steps. */
static bool has_steps(const struct profile *profile)
{
	while (profile && profile->step_count == 0)
		profile = profile->next;
	return profile;
}

/* The profile of the file, or those of the files in it. */
static int store_profiles(struct loader *l, struct attempt *a, struct error *err)
{
	struct profile *idle = NULL, *kept = NULL;

	while (a->profile) {
		struct profile *profile = a->profile, **slot;

		a->profile = profile->next;
		if (profile->step_count == 0) {
			profile->next = idle;
			idle = profile;
			continue;
		}
		profile->next = NULL;
		slot = vec_push(&l->profiles, err);
		if (!slot) {
			profile_free(profile);
			profile_free(idle);
			return -1;
		}
		*slot = profile;
		kept = kept ? kept : profile;
	}
	size_t count = 0;

	/* The issues of files without a step are reported with those of the others. */
	if (idle) {
		for (struct profile *p = idle; p; p = p->next, count++)
			issue_list_join(&kept->issues, &p->issues);
		issue_add(&kept->issues, ISSUE_INFO, "merged-idle",
			"files in a merged trace without a step, left out", count,
			arena_strdup(l->loaded->arena, idle->path));
		profile_free(idle);
	}
	return 0;
}

/* The outcome of one attempt: a profile, a skipped file, or the error that ends the loading. */
static int use_attempt(struct loader *l, struct attempt *a, struct error *err)
{
	if (a->state == ATTEMPT_FAILED && !a->named &&
		(l->opt->cache || a->err.kind == ERROR_INPUT)) {
		/* A file of a folder that a reader accepts, and that cannot be read: it is not
		 * whole, or a text of another kind. */
		const char *place =
			text_starts(a->err.place, a->path) ? a->err.place + strlen(a->path) : "";
		struct skipped_file *skipped = vec_push(&l->skipped, err);

		if (!skipped)
			return -1;
		skipped->path = a->path;
		skipped->reason = arena_printf(l->loaded->arena, "%s%s%s",
			*place == ':' ? place + 1 : place, *place ? ": " : "", a->err.message);
		skipped->broken = !a->is_foreign;
		if (!l->any_broken)
			l->broken = a->err;
		l->any_broken = true;
		return 0;
	}
	if (a->state == ATTEMPT_FAILED || (a->state == ATTEMPT_REFUSED && a->named)) {
		if (err)
			*err = a->err;
		return -1;
	}
	if (a->state == ATTEMPT_REFUSED) {
		/* A file of a folder that no reader accepts. */
		struct skipped_file *skipped;

		if (skip_file(l, a->path, a->err.message, a->companion, err) < 0)
			return -1;
		skipped = vec_at(&l->skipped, l->skipped.count - 1);
		skipped->broken = a->cut;
		if (*a->err.hint)
			skipped->hint = arena_strdup(l->loaded->arena, a->err.hint);
		return 0;
	}
	if (!has_steps(a->profile) && !a->named)
		return skip_empty(l, a, err);
	if (!has_steps(a->profile))
		return no_steps(a->profile, err);
	return store_profiles(l, a, err);
}

static struct attempt attempt_for(const struct loader *l, const struct found_file *file)
{
	return (struct attempt){.path = file->path,
		.name = file->is_stdin ? l->opt->input_name : NULL,
		.is_stdin = file->is_stdin,
		.group = file->group,
		.named = file->named,
		.size_bytes = file->size_bytes,
		.argument = file->argument};
}

/* The entry of the cache for a file. */
static int take_cache_entry(
	struct loader *l, const struct cached_file *file, const char *path, struct error *err)
{
	struct skipped_file *skipped;

	for (size_t i = 0; i < file->profile_count; i++) {
		struct profile **slot = vec_push(&l->profiles, err);

		if (!slot)
			return -1;
		*slot = file->profile[i];
	}
	if (!file->reason)
		return 0;
	skipped = vec_push(&l->skipped, err);
	if (!skipped)
		return -1;
	*skipped = (struct skipped_file){.path = path,
		.reason = arena_strdup(l->loaded->arena, file->reason),
		.companion = file->companion,
		.broken = file->broken};
	return 0;
}

/* Hands what became of an attempt to the cache. What was written to meanwhile is forgotten. */
static int cache_attempt(struct loader *l, size_t i, struct attempt *a, struct error *err)
{
	const struct found_file *file = vec_at(&l->found, i);
	const size_t profiles = l->profiles.count, skipped = l->skipped.count;
	struct profile_cache *cache = l->opt->cache;

	if (!profile_cache_is_same(cache, file))
		return 0;
	if (use_attempt(l, a, err) < 0)
		return -1;
	if (l->skipped.count > skipped)
		profile_cache_put_skipped(cache, i, file, vec_at(&l->skipped, skipped));
	else
		profile_cache_put(cache, i, file, (struct profile **)l->profiles.data + profiles,
			l->profiles.count - profiles);
	l->profiles.count = profiles;
	l->skipped.count = skipped;
	return 0;
}

/* Reads those files that changed, then takes all of them from the cache. */
static int read_changed(struct loader *l, struct error *err)
{
	struct arena *arena = l->loaded->arena;
	struct profile_cache *cache = l->opt->cache;
	struct attempt *attempt;
	size_t *number, count = 0;
	int result = 0;

	profile_cache_list(cache, &l->found);
	attempt = arena_array(arena, l->found.count, sizeof(*attempt));
	number = arena_array(arena, l->found.count, sizeof(*number));
	for (size_t i = 0; i < l->found.count; i++) {
		const struct found_file *file = vec_at(&l->found, i);

		if (!profile_cache_wants(cache, i, file))
			continue;
		attempt[count] = attempt_for(l, file);
		number[count++] = i;
	}
	attempt_all(attempt, count, l->opt->jobs, l->opt);
	for (size_t k = 0; k < count && !result; k++)
		result = cache_attempt(l, number[k], &attempt[k], err);
	for (size_t k = 0; k < count; k++)
		profile_free(attempt[k].profile);
	for (size_t i = 0; i < l->found.count && !result; i++)
		result = take_cache_entry(l, &cache->file[i],
			((const struct found_file *)vec_at(&l->found, i))->path, err);
	return result;
}

/* Reads all files that were found, several at a time, then looks at the results in order. */
static int read_found(struct loader *l, struct error *err)
{
	struct attempt *attempt = arena_array(l->loaded->arena, l->found.count, sizeof(*attempt));
	int result = 0;

	for (size_t i = 0; i < l->found.count; i++)
		attempt[i] = attempt_for(l, vec_at(&l->found, i));
	attempt_all(attempt, l->found.count, l->opt->jobs, l->opt);
	for (size_t i = 0; i < l->found.count && !result; i++)
		result = use_attempt(l, &attempt[i], err);
	for (size_t i = 0; i < l->found.count; i++)
		profile_free(attempt[i].profile);
	return result;
}

static bool has_steps_beside(const struct loader *l, const struct profile *average)
{
	for (size_t i = 0; i < l->profiles.count; i++) {
		const struct profile *other = *(struct profile **)vec_at(&l->profiles, i);

		if (other && !other->is_average && other->group &&
			text_equal(other->group, average->group))
			return true;
	}
	return false;
}

static bool is_named(const struct loader *l, const struct profile *profile)
{
	for (size_t i = 0; i < l->found.count; i++) {
		const struct found_file *file = vec_at(&l->found, i);

		if (file->named && text_equal(file->name, profile->path))
			return true;
	}
	return false;
}

/* Takes a profile out of the list, which has NULL in its place. */
static int pass_over(
	struct loader *l, struct profile **profile, const char *reason, struct error *err)
{
	const char *path = arena_strdup(l->loaded->arena, (*profile)->path);

	if (!(*profile)->is_kept)
		profile_free(*profile);
	*profile = NULL;
	return skip_file(l, path, reason, false, err);
}

/* A folder holds the steps of a run and, in another file, averages of the same run: the steps are
 * read. */
static int pass_averages(struct loader *l, struct error *err)
{
	struct profile **profile = l->profiles.data;

	for (size_t i = 0; i < l->profiles.count; i++) {
		struct profile *p = profile[i];

		if (p->is_average && p->group && !is_named(l, p) && has_steps_beside(l, p) &&
			pass_over(l, &profile[i],
				"averages only; another file of the folder has steps", err) < 0)
			return -1;
	}
	return 0;
}

/* Formats in which TensorFlow writes a step into a file, that with the most in it first. */
static const char *const step_formats[] = {
	"run-metadata", "run-metadata-text", "timeline", "tfprof-text"};
#define STEP_FORMATS (sizeof(step_formats) / sizeof(*step_formats))

/* True if it is a step that a file of an earlier format has, too. Steps of this format are
 * added. */
static bool is_repeated(struct intern *steps, const struct profile *p, size_t format)
{
	struct text key;
	uint32_t id;
	bool found = false;

	if (!p || !text_equal(p->format, step_formats[format]) || p->step_count != 1 ||
		p->step[0].unnumbered || p->is_average)
		return false;
	text_init(&key);
	for (size_t i = 0; i <= format; i++) {
		text_clear(&key);
		text_printf(&key, "%zu %lld %s", i, (long long)p->step[0].number,
			p->group ? p->group : "");
		found |= i < format && intern_find(steps, text_string(&key), key.size, &id);
	}
	intern_id(steps, text_string(&key), key.size);
	text_release(&key);
	return found;
}

/* A folder has the same steps in two formats, as a program leaves it that makes timelines of its
 * RunMetadata: one is read. */
static int pass_repeated(struct loader *l, struct error *err)
{
	struct intern *steps = intern_new(l->loaded->arena);
	struct profile **profile = l->profiles.data;

	for (size_t f = 0; f < STEP_FORMATS; f++)
		for (size_t i = 0; i < l->profiles.count; i++)
			if (is_repeated(steps, profile[i], f) &&
				pass_over(l, &profile[i],
					"a step that another file has with more in it (RunMetadata "
					"before timelines before text), which is read",
					err) < 0)
				return -1;
	return 0;
}

/* True if it has times, bytes or counts of parts of a step: it is no benchmark, and no table that
 * has only measures of its own. */
static bool has_parts(const struct profile *p)
{
	bool any = p->own_count == 0 || p->packed;

	for (size_t id = 0; id < MEASURE_STEP_COUNT; id++)
		any |= p->obs.column[id] && !measure_is_own((enum measure_id)id);
	return any && !p->benchmarks;
}

/* Files of a folder that hold a loss or benchmarks beside profiles of steps are no runs of these.
 */
static int pass_apart(struct loader *l, struct error *err)
{
	struct profile **profile = l->profiles.data;
	bool any_parts = false;

	for (size_t i = 0; i < l->profiles.count; i++)
		any_parts |= profile[i] && has_parts(profile[i]);
	for (size_t i = 0; any_parts && i < l->profiles.count; i++)
		if (profile[i] && profile[i]->group && !is_named(l, profile[i]) &&
			!has_parts(profile[i]) &&
			pass_over(l, &profile[i],
				"benchmarks, or measures that no profile of the folder has: give "
				"it by name",
				err) < 0)
			return -1;
	return 0;
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

/* True if all files that were left out have the same advice. */
static bool all_have_hint(const struct loader *l)
{
	const struct skipped_file *skipped = l->skipped.data;

	for (size_t i = 0; i < l->skipped.count; i++)
		if (!skipped[i].hint || !text_equal(skipped[i].hint, skipped[0].hint))
			return false;
	return true;
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
	/* Files of one kind have their own advice, which is the best. */
	if (all_have_hint(l))
		return error_hint(err, "%s", ((const struct skipped_file *)l->skipped.data)->hint);
	return error_hint(err,
		"give a profile or a trace: `stepstat formats` lists what can be read; the "
		"numbers of another profiler go in as a table: stepstat help csv");
}

static bool uses_graph(const struct reader *reader)
{
	return reader->uses_graph;
}

static bool uses_nanoseconds(const struct reader *reader)
{
	return reader->uses_nanoseconds;
}

/* True if there is an input whose reader uses the option. Otherwise an issue says so. */
static bool check_use(struct loader *l, bool (*uses)(const struct reader *reader), const char *code,
	const char *text)
{
	struct profile *const *profile = l->profiles.data;

	for (size_t i = 0; i < l->profiles.count; i++) {
		const struct reader *reader = reader_find(profile[i]->format, NULL);

		if (reader && uses(reader))
			return true;
	}
	if (l->profiles.count && !has_issue(profile[0], code)) /* one of a cache may have it */
		issue_add(&profile[0]->issues, ISSUE_INFO, code, text, 1, profile[0]->path);
	return false;
}

/* The graph of the model as a profile without steps, so that its ops are there which ran in none,
 * once and not for each step. */
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

/* ---- traces beside the files that they were made of ---- */

#define COPY_REASON "a trace made of the .xplane.pb file beside it, which is read"

/* The path without an ending that is one of these; the size is 0 when it has none of them. */
static size_t stem_size(const char *path, const char *const *endings)
{
	for (size_t i = 0; endings[i]; i++)
		if (text_ends(path, endings[i]))
			return strlen(path) - strlen(endings[i]);
	return 0;
}

/* The name of the file in the table of XPlane files: its path up to its ending, or, of the name
 * that the trace for Perfetto has, its folder. */
static size_t source_of_trace(const char *path)
{
	static const char *const perfetto[] = {
		"/perfetto_trace.json.gz", "/perfetto_trace.json", NULL};
	static const char *const trace[] = {".trace.json.gz", ".trace.json", NULL};
	const size_t folder = stem_size(path, perfetto);

	return folder ? folder : stem_size(path, trace);
}

/* The profiler of XLA writes a trace for viewers beside its XPlane file. In a folder that has both
 * the steps would be there twice. */
static int skip_copies(struct loader *l, struct error *err)
{
	static const char *const xplane[] = {".xplane.pb", ".xplane.pb.gz", NULL};
	struct intern *sources;
	size_t kept = 0;

	if (l->opt->from)
		return 0;
	sources = intern_new(l->loaded->arena);
	for (size_t i = 0; i < l->found.count; i++) {
		const char *path = ((const struct found_file *)vec_at(&l->found, i))->path;
		const size_t size = stem_size(path, xplane);

		if (size == 0)
			continue;
		intern_id(sources, path, size);
		intern_id(sources, path,
			(size_t)(text_base_name(path) - path) - (text_base_name(path) > path));
	}
	for (size_t i = 0; i < l->found.count; i++) {
		const struct found_file file = *(const struct found_file *)vec_at(&l->found, i);
		const size_t size = source_of_trace(file.path);
		uint32_t id;

		if (size && intern_find(sources, file.path, size, &id)) {
			if (skip_file(l, file.path, COPY_REASON, true, err))
				return -1;
			continue;
		}
		*(struct found_file *)vec_at(&l->found, kept++) = file;
	}
	l->found.count = kept;
	return 0;
}

static int load_all(struct loader *l, const char *const *paths, size_t count, struct error *err)
{
	if (find_files(paths, count, l->loaded->arena, &l->found, &l->skipped, err))
		return -1;
	find_name_stdin(&l->found, l->opt->input_name);
	if (skip_copies(l, err))
		return -1;
	l->opt->read.trace.ops_suffice &= l->found.count == 1;
	if ((l->opt->cache ? read_changed(l, err) : read_found(l, err)) || pass_averages(l, err) ||
		pass_repeated(l, err) || pass_apart(l, err))
		return -1;

	struct profile **profile = l->profiles.data;
	size_t kept = 0;

	for (size_t i = 0; i < l->profiles.count; i++)
		if (profile[i])
			profile[kept++] = profile[i];
	l->profiles.count = kept;
	if (l->profiles.count == 0 && l->opt->cache)
		return 0;
	if (l->profiles.count == 0 && l->any_broken) {
		if (err)
			*err = l->broken;
		return -1;
	}
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
	struct load_options own = *opt;
	struct loader l = {.opt = &own, .loaded = arena_alloc(arena, sizeof(*l.loaded))};
	struct loaded *loaded = l.loaded;

	loaded->arena = arena;
	const struct trace_options *trace = &own.read.trace;
	const struct call_store_options store = {
		.buffer_bytes = trace->sort_bytes,
		.folder = trace->spill_folder,
		.max_disk_bytes = trace->max_spill_bytes,
	};

	/* Single executions of all files have one store. */
	if (own.read.calls && own.call_values) {
		own.read.call_store = call_store_new(&store);
		loaded->call_values = call_store_values(own.read.call_store);
	}
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
		if (!loaded->profile[i]->is_kept)
			profile_free(loaded->profile[i]);
	if (loaded->call_values)
		loaded->call_values->free(loaded->call_values);
	arena_free(loaded->arena);
}
