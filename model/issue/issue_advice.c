/*
 * Advice about a finding, by its code.
 */
#include "base/text.h"
#include "model/issue/issue.h"

static const struct {
	const char *code, *text;
} advice[] = {
	{"zero-time", "record again with another driver or version of the profiler; until "
		      "then --steps keeps the steps that are whole"},
	{"stream-overlap", "take the low bound: a stream does one thing after the other"},
	{"before-launch", "do not use --measures=delay, nor causes of idle time"},
	{"after-sync", "do not use --measures=delay, nor causes of idle time"},
	{"launch-lost",
		"CUPTI drops what does not fit: give it larger buffers (PyTorch: "
		"ACTIVITIES_MAX_GPU_BUFFER_SIZE_MB=1024 in the file that KINETO_CONFIG names), "
		"empty them more often (Nsight: --cuda-flush-interval=1000), or record as many "
		"steps in several windows (schedule(repeat=N)), which are one run"},
	{"replay-lost", "record the kernels of graphs (Nsight: --cuda-graph-trace=node), or "
			"with larger buffers"},
	{"device-missing", "record the device, too"},
	{"device-outside", "--step-time=period takes in what runs between two marks; a "
			   "marker of the whole loop body does, too"},
	{"event-outside", "--step-time=period takes in what runs between two marks; a "
			  "marker of the whole loop body does, too"},
	{"step-empty", "--step-marker=REGEX chooses marks around the work"},
	{"launch-before", "begin the recording a step earlier (schedule's warmup)"},
	{"kernel-lost", "begin the recording a step earlier (schedule's warmup)"},
	{"producer-cap", "JAX and xprof write all events into the .xplane.pb beside it; ONNX "
			 "Runtime: record the same steps in several sessions (end_profiling() "
			 "writes a file of each)"},
	{"cut-step", "leave the step out: --steps"},
	{"trace-cut", "copy the file again, or end the recording before the program ends; "
		      "until then --steps leaves the last step out"},
	{"event-damaged", "copy the file again; see what wrote, or merged, it"},
	{"step-crossing", "call prof.step() after the slice has ended"},
	{"duplicate-event", "take the low bound; see what wrote, or merged, the file"},
	{"negative-time", "what had not ended: stop the recording later; in a table see "
			  "what wrote it"},
	{"long-event", "take the low bound, or leave its step out: --steps"},
	{"clock-jump", "the low bound is without them; see what merged the file"},
	{"device-clock", "nothing of the device can be put into steps"},
	{"bad-nesting", "take --on=device; times of the host are as recorded"},
	{"wait-unlinked", "do not follow waits between streams"},
	{"wait-future", "do not follow waits between streams"},
	{"sync-overlap", "take the low bound of that kernel"},
	{"comm-metadata", "do not compute bandwidths of collectives"},
	{"rank-clock", "let the machines take their time from one server; times within a "
		       "rank are true"},
	{"rank-times", "--runs=REGEX makes one run of them, if they are one"},
	{"rank-steps",
		"give the marker a number (step 7); --step-marker=REGEX chooses another one"},
	{"backward-shared", "do not pair backward ops with forward ones"},
};

const char *issue_advice(const char *code)
{
	for (size_t i = 0; i < sizeof(advice) / sizeof(*advice); i++)
		if (text_equal(advice[i].code, code))
			return advice[i].text;
	return NULL;
}

const char *issue_advice_code(size_t index)
{
	return index < sizeof(advice) / sizeof(*advice) ? advice[index].code : NULL;
}
