/*
 * Sources: NCCL's and RCCL's kernels are ncclKernel_*, ncclDevKernel_*, mscclKernel_*; oneCCL's and
 * HCCL's have the library's name in theirs. XLA names collectives by their HLO opcode
 * ("all-reduce.7", "all-gather-start"). Kineto's categories of copies are gpu_memcpy and
 * gpu_memset (also with other devices' names before _memcpy), TensorFlow's names of copies
 * MEMCPYHtoD and MEMSET.
 */
#include "events/device_work.h"

#include <string.h>
#include <strings.h>

/* Is the word, in upper or lower case, anywhere in the text? */
static bool is_in(const char *text, const char *word)
{
	const size_t size = strlen(word);

	for (; *text; text++)
		if (strncasecmp(text, word, size) == 0)
			return true;
	return false;
}

static bool is_any_in(const char *text, const char *const *words)
{
	for (size_t i = 0; words[i]; i++)
		if (is_in(text, words[i]))
			return true;
	return false;
}

static bool starts_with_any(const char *text, const char *const *words)
{
	for (size_t i = 0; words[i]; i++)
		if (strncasecmp(text, words[i], strlen(words[i])) == 0)
			return true;
	return false;
}

enum device_work device_work_of(const char *name, const char *type)
{
	static const char *const libraries[] = {"nccl", "rccl", "msccl", "oneccl", "hccl", NULL};
	static const char *const collectives[] = {"all-reduce", "all-gather", "reduce-scatter",
		"all-to-all", "collective-permute", "collective-broadcast", NULL};
	static const char *const copies[] = {"memcpy", "memset", "copy-start", "copy-done", NULL};
	static const char *const copy_types[] = {"memcpy", "memset", NULL};

	if (is_any_in(type, copy_types))
		return WORK_COPY;
	if (is_any_in(name, libraries) || starts_with_any(name, collectives))
		return WORK_COMMUNICATION;
	return starts_with_any(name, copies) ? WORK_COPY : WORK_COMPUTE;
}

bool device_work_is_of_all(const char *text, size_t n)
{
	static const char *const words[] = {
		"allreduce", "allgather", "reducescatter", "alltoall", "barrier", NULL};
	static const char *const halves[] = {"-start", "-done", NULL};
	char name[256], letters[256];
	size_t size = 0;

	n = n < sizeof(name) ? n : sizeof(name) - 1;
	if (n)
		memcpy(name, text, n);
	name[n] = '\0';
	for (size_t i = 0; i < n; i++)
		if (name[i] != '-' && name[i] != '_')
			letters[size++] = name[i];
	letters[size] = '\0';
	return is_any_in(letters, words) && !is_any_in(name, halves);
}
