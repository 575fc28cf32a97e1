/* Sources: NCCL's and RCCL's kernels are ncclKernel_*, ncclDevKernel_*, mscclKernel_*; oneCCL's and
 * HCCL's have the library's name in theirs. Servers bring their own: cross_device_reduce_1stage
 * (vLLM, SGLang, aiter), allreduce_prototype_twoshot (quickreduce),
 * allreduce_fusion_kernel_oneshot_lamport (flashinfer), one_shot_all_reduce_kernel and
 * multimem_all_gather_kernel (PyTorch's symmetric memory), deep_ep::internode_ll::dispatch,
 * nvshmem_alltoall_kernel and, on streams of the host, rdxn_on_stream_kernel (NVSHMEM). XLA names
 * collectives by their HLO opcode
 * ("all-reduce.7", "all-gather-start"). Kineto's categories of copies are gpu_memcpy and
 * gpu_memset (also with other devices' names before _memcpy), TensorFlow's names of copies
 * MEMCPYHtoD and MEMSET. */
#include "ingest/events/device_work.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

/* True if one of the words (of lower case, with no '_' first) is anywhere in the text, in any case.
 */
static bool is_any_in(const char *text, const char *const *words)
{
	uint32_t first = 0; /* letters with which one begins */

	for (size_t i = 0; words[i]; i++)
		first |= 1u << (*words[i] & 31);
	for (; *text; text++)
		for (size_t i = 0; first >> (*text & 31) & 1 && words[i]; i++)
			if ((*text | 0x20) == *words[i] &&
				strncasecmp(text, words[i], strlen(words[i])) == 0)
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

/* True if the word is at the beginning of the text, in upper or lower case, with `_` or `-` between
 * its letters or without. */
static bool has_word_at(const char *text, const char *word)
{
	size_t at = 0;

	while (*word) {
		if (at && (text[at] == '_' || text[at] == '-'))
			at++;
		if (tolower((unsigned char)text[at++]) != *word++)
			return false;
	}
	return true;
}

/* True if the kernel is named for a collective: the last part of a path, before template arguments
 * and parameters. Kernels that Inductor makes have the names of what they replace
 * ("triton_poi_..."). */
static bool is_named_collective(const char *name)
{
	static const char *const words[] = {"allreduce", "allgather", "alltoall", "reducescatter"};
	static const char nameless[] = "(anonymous namespace)";
	const char *const slash = strrchr(name, '/'), *at = slash ? slash + 1 : name;
	char before = '\0';

	if (strncmp(at, "triton_", 7) == 0)
		return false;
	for (; *at && *at != '<'; before = *at++) {
		if (*at == '(' && strncmp(at, nameless, strlen(nameless)) != 0)
			return false;
		if (*at == '(')
			at += strlen(nameless) - 1;
		if (isalpha((unsigned char)before) &&
			!(islower((unsigned char)before) && isupper((unsigned char)*at)))
			continue;
		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			if (has_word_at(at, words[i]))
				return true;
	}
	return false;
}

/* True if the kernel is one of NVSHMEM's on streams of the host: a word that is one of its ops. */
static bool is_on_stream(const char *name)
{
	static const char *const ops[] = {"rdxn", "reduce", "barrier", "barrier_all", "sync",
		"sync_all", "fcollect", "alltoall", "broadcast", "reducescatter", "quiet",
		"signal_op", "signal_wait_until", NULL};
	const char *const end = strstr(name, "_on_stream_kernel"), *at = end;

	while (end && at > name && (isalpha((unsigned char)at[-1]) || at[-1] == '_'))
		at--;
	for (size_t i = 0; end && ops[i]; i++)
		if (strlen(ops[i]) == (size_t)(end - at) &&
			strncmp(at, ops[i], (size_t)(end - at)) == 0)
			return true;
	return false;
}

enum device_work device_work_of(const char *name, const char *type)
{
	static const char *const libraries[] = {"nccl", "rccl", "msccl", "oneccl", "hccl",
		"nvshmem", "cross_device_reduce", "deep_ep::intranode", "deep_ep::internode",
		"deep_ep9intranode", "deep_ep9internode", "deep_ep12internode_ll", NULL};
	static const char *const collectives[] = {"all-reduce", "all-gather", "reduce-scatter",
		"all-to-all", "collective-permute", "collective-broadcast", NULL};
	static const char *const copies[] = {"memcpy", "memset", "copy-start", "copy-done", NULL};
	static const char *const copy_types[] = {"memcpy", "memset", NULL};

	if (is_any_in(type, copy_types) || starts_with_any(type, copies))
		return WORK_COPY;
	if (is_any_in(name, libraries) || is_on_stream(name) ||
		starts_with_any(name, collectives) || is_named_collective(name) ||
		starts_with_any(type, collectives) || strcmp(type, DEVICE_WORK_COMMUNICATION) == 0)
		return WORK_COMMUNICATION;
	return starts_with_any(name, copies) ? WORK_COPY : WORK_COMPUTE;
}

/* True if the text, of letters without '_' and '-', is one of DeepEP's kernels in which a rank
 * takes tokens from all others. */
static bool is_of_experts(const char *letters)
{
	static const char *const words[] = {
		"::dispatch", "::combine", "8dispatch", "7combine", "notify", NULL};

	return is_any_in(letters, (const char *const[]){"deepep", NULL}) &&
	       is_any_in(letters, words);
}

bool device_work_is_of_all(const char *text, size_t n)
{
	static const char *const words[] = {"allreduce", "allgather", "reducescatter", "alltoall",
		"barrier", "crossdevicereduce", "rdxnonstream", "fcollectonstream", "synconstream",
		NULL};
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
	return (is_any_in(letters, words) || is_of_experts(letters)) && !is_any_in(name, halves);
}
