/*
 * The messages for options that matched nothing.
 */
#include "ingest/trace_tally.h"

#include "ingest/reader.h"

void trace_tally_reset(struct trace_tally *tally)
{
	*tally = (struct trace_tally){.has_names = ATOMIC_FLAG_INIT};
}

int trace_tally_check(const struct trace_options *options, struct error *err)
{
	const struct trace_tally *tally = options->tally;

	if (!tally || !atomic_load(&tally->traces))
		return 0;
	if (options->marker && !atomic_load(&tally->marked)) {
		error_set(err, ERROR_INPUT, "--step-marker", "\"%s\" matches no slice",
			options->marker_text);
		if (*tally->names)
			return error_hint(err, "nearest names: %s", tally->names);
		return error_hint(err, "the names of the slices: stepstat events INPUT");
	}
	if (options->name && !atomic_load(&tally->named)) {
		error_set(err, ERROR_INPUT, "--name", "no event has a field of \"%s\"",
			options->name);
		return error_hint(err, "fields are {name}, {cat}, {pid}, {tid} and {args.KEY}");
	}
	return 0;
}
