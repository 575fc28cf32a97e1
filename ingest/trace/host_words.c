/* Names in PyTorch's code, with the place where they are written, and those of the runtimes. */
#include "ingest/trace/host_words.h"

#include <string.h>

#define VLLM_STEP_PREFIX "execute_context_" /* vllm/v1/worker/gpu_worker.py, annotate_profile() */
#define SGLANG_STEP_PREFIX "step["  /* sglang/srt/utils/profile_utils.py, build_step_span_name() */
#define MODULE_PREFIX "nn.Module: " /* torch/csrc/autograd/profiler_python.cpp */

/* All that is launched within has the phase of one that covers: autograd's recomputed forward is a
 * part of the backward pass. An optimiser's step does not cover: it may call a closure with a whole
 * training step. */
static const struct {
	const char *prefix;
	enum host_phase phase;
	bool covers;
} known[] = {
	/* torch/csrc/autograd/engine.cpp, evaluate_function() and call_function() */
	{"autograd::engine::evaluate_function", PHASE_BACKWARD, true},
	{"torch::autograd::", PHASE_BACKWARD, true}, /* AccumulateGrad, CopySlices */
	/* torch/optim/optimizer.py, profile_hook_step() and zero_grad() */
	{"Optimizer.step#", PHASE_OPTIMISER, false},
	{"Optimizer.zero_grad#", PHASE_OPTIMISER, true},
	/* torch/utils/data/dataloader.py, _BaseDataLoaderIter */
	{"enumerate(DataLoader)", PHASE_INPUT, true},
	{VLLM_STEP_PREFIX, PHASE_FORWARD, false},
	{SGLANG_STEP_PREFIX, PHASE_FORWARD, false},
	{MODULE_PREFIX, PHASE_FORWARD, false},
};

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* True if the word is one of the name: "forward" is of "## forward ##" and of
 * "DistributedDataParallel.forward", not of "forward_backward". */
static bool has_word(const char *name, size_t n, const char *word)
{
	const size_t size = strlen(word);

	for (size_t i = 0; i + size <= n; i++)
		if (memcmp(name + i, word, size) == 0 && (i == 0 || !is_letter(name[i - 1])) &&
			(i + size == n || !is_letter(name[i + size])))
			return true;
	return false;
}

const char *host_phase_name(enum host_phase phase)
{
	static const char *const names[] = {"", "forward", "backward", "optimiser", "input"};

	return names[phase];
}

enum host_phase host_phase_of_name(const char *name, size_t n, bool *covers)
{
	*covers = false;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (text_begins(name, n, known[i].prefix)) {
			*covers = known[i].covers;
			return known[i].phase;
		}
	return PHASE_NONE;
}

enum host_phase host_phase_of_words(const char *name, size_t n)
{
	if (has_word(name, n, "forward"))
		return PHASE_FORWARD;
	return has_word(name, n, "backward") ? PHASE_BACKWARD : PHASE_NONE;
}

/* tools/autograd/gen_variable_type.py: a class of C++, a number behind it since version 1.9. */
bool host_is_backward_function(const char *name, size_t n)
{
	const char *const end = "Backward";
	const size_t size = strlen(end);

	while (n && text_is_digit(name[n - 1]))
		n--;
	if (n <= size || !text_begins(name + n - size, size, end) || name[0] < 'A' || name[0] > 'Z')
		return false;
	for (size_t i = 0; i < n; i++)
		if (!is_letter(name[i]) && !text_is_digit(name[i]))
			return false;
	return true;
}

bool host_is_module(const char *name, size_t n)
{
	return text_begins(name, n, MODULE_PREFIX);
}

bool host_is_batch(const char *name, size_t n)
{
	const char *const before = "execute_", *const after = "_context_";
	size_t at = text_begins(name, n, before) ? strlen(before) : n;

	while (at < n && text_is_digit(name[at]))
		at++;
	return text_begins(name + at, n - at, after) && at > strlen(before);
}

bool host_is_serving_step(const char *name, size_t n)
{
	return text_begins(name, n, VLLM_STEP_PREFIX) || text_begins(name, n, SGLANG_STEP_PREFIX) ||
	       host_is_batch(name, n);
}

static bool has_part(const char *name, size_t n, const char *part)
{
	for (size_t i = 0; i < n; i++)
		if (text_begins(name + i, n - i, part))
			return true;
	return false;
}

uint32_t host_launch_traits(const char *name, size_t n)
{
	static const char *const runtimes[] = {"cuda", "cu", "hip"};
	size_t at = 0;

	for (size_t i = 0; i < sizeof(runtimes) / sizeof(runtimes[0]) && !at; i++)
		at = text_begins(name, n, runtimes[i]) ? strlen(runtimes[i]) : 0;
	if (!at)
		return 0;
	name += at;
	n -= at;
	if (text_begins(name, n, "StreamBeginCapture"))
		return LAUNCH_CAPTURE_BEGINS;
	if (text_begins(name, n, "StreamEndCapture"))
		return LAUNCH_CAPTURE_ENDS;
	if (text_begins(name, n, "GraphLaunch"))
		return LAUNCH_REPLAY;
	if (text_begins(name, n, "Memcpy") || text_begins(name, n, "Memset"))
		return LAUNCH_COPY;
	if (!has_part(name, n, "Launch") ||
		!(has_part(name, n, "Kernel") || has_part(name, n, "LaunchCooperative")))
		return 0;
	return has_part(name, n, "LaunchKernelEx") ? LAUNCH_KERNEL | LAUNCH_EARLY : LAUNCH_KERNEL;
}

bool host_waits_for_device(const char *name, size_t n)
{
	return text_is(name, n, "cudaDeviceSynchronize") ||
	       text_is(name, n, "hipDeviceSynchronize");
}
