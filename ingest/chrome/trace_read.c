/* Reading of an input into the profiles of the traces in it: one, or those of the files of a merged
 * trace, one after the other in its order. */
#include <stdio.h>
#include <string.h>
#include "base/intern.h"
#include "base/text.h"
#include "base/memory.h"
#include "ingest/chrome/trace_base.h"
#include "ingest/chrome/trace_parts.h"
#include "ingest/perfetto/pftrace_scan.h"

#define NO_SOURCE SIZE_MAX

struct kept_member {   /* around the events, for the files that come */
	size_t source; /* NO_SOURCE: of all */
	struct json_member member;
};

struct reading {
	struct input *in;
	struct profile *out, *last;
	struct read_options opt;
	const struct trace_dialect *dialect; /* NULL: that of each file's reader */
	struct trace *trace;		     /* that is filled; NULL: none yet */
	struct arena *arena;
	struct merged *merged;	     /* NULL: the trace is of one file */
	size_t source;		     /* that is filled */
	bool *is_done, *shares_name; /* by source */
	bool has_near;
	int64_t near_us;   /* of a trace of one file */
	struct vec member; /* struct kept_member */
	struct trace_totals totals;
	bool is_named; /* out has got its name */
};

/* ---- the files of a merged trace ---- */

static const struct trace_dialect *dialect_of(const struct reading *r, const struct reader **reader)
{
	struct error ignored;

	*reader = reader_find(merged_source_at(r->merged, r->source)->reader, &ignored);
	if (!*reader || !(*reader)->dialect)
		*reader = reader_find("chrome", &ignored);
	return r->dialect ? r->dialect : (*reader)->dialect;
}

static int pass_members(struct reading *r, struct error *err)
{
	const struct merged_source *source = merged_source_at(r->merged, r->source);
	char digits[32];
	struct json_member base = {{"baseTimeNanoseconds", 19, '"'}, {digits, 0, '0'}};
	int status = 0;

	for (size_t i = 0; i < r->member.count && status == 0; i++) {
		const struct kept_member *kept = vec_at(&r->member, i);

		if (kept->source == NO_SOURCE || kept->source == r->source)
			status = trace_add_member(r->trace, &kept->member, err);
	}
	base.value.size = (size_t)snprintf(
		digits, sizeof(digits), "%llu", (unsigned long long)source->base_ns);
	return status == 0 && source->base_ns > 0 ? trace_add_member(r->trace, &base, err) : status;
}

static int end_file(struct reading *r, struct error *err)
{
	const struct trace_totals totals = {
		.events = merged_source_at(r->merged, r->source)->events};
	int status =
		trace_end(r->trace, &totals, merged_source_at(r->merged, r->source)->path, err);

	trace_free(r->trace);
	r->trace = NULL;
	return status;
}

/* The first file fills the caller's profile, each other file a new one chained to it. */
static int begin_file(struct reading *r, size_t source, struct error *err)
{
	const struct trace_dialect *dialect;
	const struct reader *reader;

	r->source = source;
	r->is_done[source] = true;
	dialect = dialect_of(r, &reader);
	if (r->is_named) {
		r->last->next = profile_new(r->out->path);
		r->last = r->last->next;
	}

	const char *path = merged_source_at(r->merged, r->source)->path;

	profile_make_part(r->last, r->out, r->source,
		r->shares_name[r->source] ? path + strspn(path, "./") : text_base_name(path));
	r->last->format = r->dialect ? r->out->format : reader->name;
	r->last->format_title = r->dialect ? r->out->format_title : reader->title;
	r->last->is_file_a_step = r->dialect ? r->out->is_file_a_step : reader->is_file_a_step;
	r->is_named = true;
	r->trace = trace_new(r->in, r->last, &r->opt, dialect, err);
	if (!r->trace)
		return -1;
	if (merged_source_at(r->merged, source)->has_near)
		trace_set_near(r->trace, merged_source_at(r->merged, source)->near_us);
	return pass_members(r, err);
}

static void report_loss(
	struct reading *r, const char *code, const char *text, const struct trace_event *event)
{
	char place[512];

	error_place_offset(place, sizeof(place), input_path(r->in), event->offset);
	issue_add(&r->out->issues, ISSUE_LOSS, code, text, 1, place);
}

static struct json_value copy_value(struct arena *arena, const struct json_value *value)
{
	struct json_value copy = *value;

	copy.at = arena_strndup(arena, value->size ? value->at : "", value->size);
	return copy;
}

static int store_member(
	void *context, size_t source, const struct json_member *member, struct error *err)
{
	struct reading *r = context;
	struct kept_member *kept = vec_push(&r->member, err);

	if (!kept)
		return -1;
	kept->source = source;
	kept->member.key = copy_value(r->arena, &member->key);
	kept->member.value = copy_value(r->arena, &member->value);
	return 0;
}

/* ---- any trace ---- */

/* A trace of one file begins with its first event or member. */
static int begin_alone(struct reading *r, struct error *err)
{
	if (r->trace)
		return 0;
	if (!r->dialect)
		return error_set(err, ERROR_INPUT, input_path(r->in),
			"not a merged trace: it does not say which files are in it");
	r->trace = trace_new(r->in, r->out, &r->opt, r->dialect, err);
	if (!r->trace)
		return -1;
	if (r->has_near)
		trace_set_near(r->trace, r->near_us);
	return 0;
}

static int on_event(void *context, const struct trace_event *event, struct error *err)
{
	struct reading *r = context;

	if (r->merged) {
		struct trace_event own;
		const struct merged_part *part = merged_restore(r->merged, event, &own);

		if (!part) {
			report_loss(r, "merged-stray",
				"events of a process that is not in the merged files, left out",
				event);
			return 0;
		}
		if (!r->trace || part->source != r->source) {
			if (r->is_done[part->source]) {
				report_loss(r, "merged-apart",
					"events apart from the others of their file in a merged "
					"trace, left out: it was changed after the merge",
					event);
				return 0;
			}
			if ((r->trace && end_file(r, err) != 0) ||
				begin_file(r, part->source, err) != 0)
				return -1;
		}
		trace_set_part(r->trace, part);
		return trace_add_event(r->trace, &own, err);
	}
	if (begin_alone(r, err) != 0)
		return -1;
	return trace_add_event(r->trace, event, err);
}

static int on_ready(void *context, const struct trace_ready *ready, struct error *err)
{
	return trace_add_ready(((struct reading *)context)->trace, ready, err);
}

static int on_member(void *context, const struct json_member *member, struct error *err)
{
	struct reading *r = context;

	if (!r->trace && !r->merged && json_equal(&member->key, "stepstat")) {
		r->merged = merged_new(&member->value, r->arena);
		if (!r->merged)
			return 0;
		r->opt.trace.ops_suffice = false; /* other files may have no devices */
		r->is_done =
			arena_array(r->arena, merged_source_count(r->merged), sizeof(*r->is_done));

		/* Base names distinguish the files, or their whole paths do. */
		size_t count = merged_source_count(r->merged),
		       *first = arena_array(r->arena, count, sizeof(*first));
		struct intern *names = intern_new(r->arena);

		r->shares_name = arena_array(r->arena, count, sizeof(*r->shares_name));
		for (size_t i = 0; i < count; i++) {
			const char *name = text_base_name(merged_source_at(r->merged, i)->path);
			size_t known = intern_count(names);
			uint32_t id = intern_id(names, name, strlen(name));

			if (id == known)
				first[id] = i;
			else
				r->shares_name[i] = r->shares_name[first[id]] = true;
		}
		return 0;
	}
	if (!r->merged)
		return begin_alone(r, err) != 0 ? -1 : trace_add_member(r->trace, member, err);
	if (json_equal(&member->key, "stepstat_files"))
		return merged_each_member(&member->value, store_member, r, err);
	if (json_equal(&member->key,
		    "baseTimeNanoseconds")) /* of the files together; each has its own */
		return 0;
	return store_member(r, NO_SOURCE, member, err);
}

static int read_all(struct reading *r, struct error *err)
{
	struct trace_handler handler = {.event = on_event,
		.member = on_member,
		.context = r,
		.threads = r->opt.threads,
		.without_arrows = r->dialect && r->dialect->without_arrows,
		.spill_folder = r->opt.trace.spill_folder,
		.max_spill_bytes = r->opt.trace.max_spill_bytes};
	struct probe probe;

	if (trace_base(r->in, &r->near_us, &r->has_near, err) != 0 ||
		probe_input(r->in, &probe, err) != 0)
		return -1;
	if (probe_is_merged(&probe) || pftrace_is_merged(&probe))
		handler.member_bytes = MERGED_MEMBER_BYTES;
	else if (begin_alone(r, err) != 0)
		return -1;
	else
		handler.ahead = r->dialect->ahead;
	if (r->trace && trace_takes_ready(r->trace, &handler.base_us))
		handler.ready = on_ready;
	if (trace_scan(r->in, &handler, &r->out->issues, r->opt.max_record_bytes, &r->totals,
		    err) != 0)
		return -1;
	if (!r->merged)
		return begin_alone(r, err) != 0
			       ? -1
			       : trace_end(r->trace, &r->totals, input_path(r->in), err);
	return r->trace ? end_file(r, err) : 0;
}

int trace_read(struct input *in, struct profile *out, const struct read_options *opt,
	const struct trace_dialect *dialect, struct error *err)
{
	struct reading r = {.in = in,
		.out = out,
		.last = out,
		.opt = *opt,
		.dialect = dialect,
		.arena = arena_new()};
	int status;

	vec_init(&r.member, sizeof(struct kept_member), SIZE_MAX, "members around the events");
	status = read_all(&r, err);
	trace_free(r.trace);
	vec_release(&r.member);
	arena_free(r.arena);
	return status;
}
