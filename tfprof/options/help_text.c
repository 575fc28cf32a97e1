/*
 * The answer to `help`, in the original's words.
 */
#include "tfprof/options/flags.h"

/* The flag run_log_path is a mistake of the original's text: it is op_log_path. */
void tfprof_help_text(struct text *out)
{
	text_add(out,
		"See https://github.com/tensorflow/tensorflow/tree/master/tensorflow/core/profiler/"
		"README.md for profiler tutorial.\n"
		"See https://github.com/tensorflow/tensorflow/tree/master/tensorflow/core/profiler/"
		"g3doc/command_line.md for command line tool tutorial.\n"
		"profiler --profile_path=<ProfileProto binary file> # required\n"
		"\n"
		"Or:\n"
		"\n"
		"profiler --graph_path=<GraphDef proto file>  # Contains model graph info (no "
		"needed for eager execution)\n"
		"         --run_meta_path=<RunMetadata proto file>  # Contains runtime info. "
		"Optional.\n"
		"         --run_log_path=<OpLogProto proto file>  # Contains extra source code, "
		"flops, custom type info. Optional\n"
		"\n"
		"\n"
		"To skip interactive mode, append one of the following commands:\n"
		"  scope: Organize profiles based on name scopes.\n"
		"  graph: Organize profiles based on graph node input/output.\n"
		"  op: Organize profiles based on operation type.\n"
		"  code: Organize profiles based on python codes (need op_log_path).\n"
		"  advise: Auto-profile and advise. (experimental)\n"
		"  set: Set options that will be default for follow up commands.\n"
		"  help: Show helps.\n");
}
