/* The messages for options that matched nothing. */
#include "ingest/trace_tally.h"

#include <string.h>
#include "ingest/reader.h"

void trace_tally_reset(struct trace_tally *tally)
{
	*tally = (struct trace_tally){
		.names.taken = ATOMIC_FLAG_INIT, .keys.taken = ATOMIC_FLAG_INIT};
}

/* The first field of the template that no event had; false: all were there. */
static bool missing_field(const struct trace_options *options, const char **at, size_t *size)
{
	const uint64_t found = atomic_load(&options->tally->fields);
	size_t field = 0;

	for (const char *p = options->name; (p = strchr(p, '{')); p++) {
		if (p[1] == '{') {
			p++;
			continue;
		}
		*at = p;
		*size = strcspn(p, "}") + 1;
		if (field < 64 && !(found >> field & 1))
			return true;
		field++;
	}
	return false;
}

int trace_tally_check(const struct trace_options *options, struct error *err)
{
	const struct trace_tally *tally = options->tally;
	const char *field;
	size_t size;

	if (!tally || !atomic_load(&tally->traces))
		return 0;
	if (options->marker && !atomic_load(&tally->marked)) {
		const char *names = options->tally->names.words;

		error_set(err, ERROR_INPUT, "--step-marker", "\"%s\" matches no slice",
			options->marker_text);
		if (!*names)
			return error_hint(
				err, "none recurs regularly; all slices: stepstat events INPUT");
		return error_hint(
			err, "these recur regularly: %s; all slices: stepstat events INPUT", names);
	}
	if (!options->name || !missing_field(options, &field, &size))
		return 0;
	error_set(err, ERROR_INPUT, "--name", "no event has %.*s", (int)size, field);
	if (!*tally->keys.words)
		return error_hint(err, "fields are {name}, {cat}, {pid}, {tid} and {args.KEY}");
	return error_hint(err, "%s %s; other fields are {name}, {cat}, {pid} and {tid}",
		tally->keys.near ? "nearest in args:" : "args have", tally->keys.words);
}

static const struct {
	const char *option, *label, *hint; /* of a source without one of its own; NULL: none */
} rows_words[] = {
	[TRACE_ROWS_LAUNCHERS] = {"--by=launcher", "op of the framework"},
	[TRACE_ROWS_SHAPES] = {"--by=shape", "op with shapes",
		"PyTorch's profiler records them (record_shapes=True)"},
	[TRACE_ROWS_ANNOTATIONS] = {"--by=annotation", "user annotation"},
	[TRACE_ROWS_MODULES] = {"--by=module", "frame of an nn.Module",
		"PyTorch's profiler records them (with_stack=True)"},
	[TRACE_ROWS_PHASES] = {"--by=phase", "phase"},
	[TRACE_ROWS_STACKS] = {"--by=stack", "frame of the user's code",
		"PyTorch's profiler records frames (with_stack=True)"},
	[TRACE_ROWS_SCOPES] = {"--by=scope", "op with a scope (op_name)",
		"programs that XLA compiled have them (jax.named_scope, names of modules)"},
	[TRACE_ROWS_SOURCES] = {"--by=source", "op with a line of source",
		"XPlane files of JAX have them, and trace.json.gz of a TPU; "
		"PyTorch's profiler records frames (with_stack=True) for --by=stack:1"},
};

const char *trace_rows_word(enum trace_rows rows)
{
	return rows_words[rows].label;
}

/* The hint where nothing in any trace makes the rows; `own` is that of the reader, or NULL. */
static int say_missing(
	const struct trace_options *options, const char *found, const char *own, struct error *err)
{
	const struct trace_tally *tally = options->tally;
	const bool are_launches = trace_rows_are_launchers(options->rows) &&
				  atomic_load(&tally->hosts) < atomic_load(&tally->launched);
	const char *hint = own ? own : rows_words[options->rows].hint;
	const char *other = !are_launches ? "--by=name makes rows of the ops themselves"
			    : own	  ? "--by=launcher needs none"
					  : "--by=name makes rows of what the device ran";

	error_set(err, ERROR_INPUT, rows_words[options->rows].option, "no %s%s in %s",
		rows_words[options->rows].label, are_launches ? " around the launches" : "", found);
	if (hint && strstr(hint, "--by="))
		return error_hint(err, "%s", hint);
	return error_hint(err, "%s%s%s", hint ? hint : "", hint ? "; " : "", other);
}

void trace_report_no_launches(struct profile *profile)
{
	issue_add(&profile->issues, ISSUE_LOSS, "no-launches",
		"traces without a launch of a device's work: in their steps every row but "
		"[not attributed] is 0",
		1, profile->path);
}

int trace_tally_check_launchers(const struct trace_options *options, const char *found,
	const char *const *hints, struct error *err)
{
	const struct trace_tally *tally = options->tally;
	const bool are_launchers = trace_rows_are_launchers(options->rows);

	if (!tally || options->rows == TRACE_ROWS_OPS ||
		(options->rows == TRACE_ROWS_SCOPES && !atomic_load(&tally->launched)))
		return 0;
	if (are_launchers && !atomic_load(&tally->launched)) {
		error_set(err, ERROR_INPUT, rows_words[options->rows].option,
			"no launch of a device's work in %s", found);
		return error_hint(err,
			"it is for traces in which the host launches kernels (PyTorch on a GPU); "
			"--by=name makes rows of the ops themselves");
	}
	if (atomic_load(&tally->labelled))
		return 0;
	if (options->rows == TRACE_ROWS_MODULES && atomic_load(&tally->worded)) {
		error_set(
			err, ERROR_INPUT, "--by=module", "no op of a program of XLA in %s", found);
		return error_hint(err, "programs that XLA compiled are modules there; --by=name "
				       "makes rows of the ops themselves");
	}
	return say_missing(
		options, found, are_launchers && hints ? hints[options->rows] : NULL, err);
}
