/*
 * Handlers of the options about timelines.
 */
#include "cli/apply.h"
#include "cli/option_words.h"

int apply_memory(struct settings *s, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	s->timeline.memory = true;
	return 0;
}

int apply_dataflow(struct settings *s, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	s->timeline.no_dataflow = false;
	return 0;
}

int apply_no_dataflow(struct settings *s, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	s->timeline.no_dataflow = true;
	return 0;
}

int apply_align(struct settings *s, const char *value, struct error *err)
{
	static const char *const words[] = {"step", NULL};

	if (word_index("--align", value, words, err) < 0)
		return -1;
	s->timeline.clock = MERGE_CLOCK_STEP;
	return 0;
}

int apply_keep_clock(struct settings *s, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	s->timeline.clock = MERGE_CLOCK_KEEP;
	return 0;
}

int apply_skip(struct settings *s, const char *value, struct error *err)
{
	return word_steps("--skip", value, &s->timeline.skip, err);
}

int apply_max_size(struct settings *s, const char *value, struct error *err)
{
	return word_size("--max-size", value, 1024, &s->timeline.max_bytes, err);
}
