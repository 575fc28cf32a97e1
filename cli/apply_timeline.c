/*
 * Handlers of the options about timelines.
 */
#include "cli/apply.h"

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
