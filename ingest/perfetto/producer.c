/* Producers, recognised by names that only one of them writes. */
#define _GNU_SOURCE /* memmem */
#include "ingest/perfetto/producer.h"

#include <string.h>

static const struct {
	const char *word, *reader;
} words[] = {
	{"ProfilerStep#", "kineto"},
	{"aten::", "kineto"},
	{"External id", "kineto"},
	{"Ev Idx", "kineto"},
	{"cuda_runtime", "kineto"},
	{"cpu_op", "kineto"},
	{"baseTimeNanoseconds", "kineto"},
	{"record_param_comms", "kineto"},
	{"/host:CPU", "jax-trace"},
	{"/device:TPU:", "jax-trace"},
	{"/device:GPU:", "jax-trace"},
};

static const char *reader_of_bytes(struct pf_bytes bytes)
{
	if (bytes.size == 0)
		return NULL;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (memmem(bytes.at, bytes.size, words[i].word, strlen(words[i].word)))
			return words[i].reader;
	return NULL;
}

const char *pf_reader_of(const struct pf_packet *packet)
{
	const struct pf_bytes parts[] = {
		packet->interned, packet->event, packet->track, packet->attributes};
	const char *reader = NULL;

	for (size_t i = 0; !reader && i < sizeof(parts) / sizeof(parts[0]); i++)
		reader = reader_of_bytes(parts[i]);
	return reader;
}

static struct json_value category(const char *word)
{
	return (struct json_value){word, strlen(word), '"'};
}

/* cuLaunchKernel is of the driver, cudaLaunchKernel of the runtime. */
static bool is_driver_call(const struct json_value *name)
{
	return name->size > 2 && json_begins(name, "cu") && name->at[2] >= 'A' &&
	       name->at[2] <= 'Z';
}

/* "nccl:all_reduce": a collective that is drawn from its call to its result. */
static bool is_collective(const struct json_value *name)
{
	static const char *const prefixes[] = {"nccl:", "gloo:", "xccl:", "ucc:", "mpi:"};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (json_begins(name, prefixes[i]))
			return true;
	return false;
}

/* Ops record what autograd and their inputs are; annotations of the user do not. Without that an op
 * has the name of its library, "aten::add", but for a few. */
static bool is_op(struct pf_args *args, const struct json_value *name)
{
	static const char *const keys[] = {
		"Fwd thread id", "Sequence number", "Input Dims", "Input type", "Concrete Inputs"};
	static const char *const bare[] = {
		"detach", "detach_", "_grad_sum_to_size", "record_param_comms"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (pf_arg(args, keys[i]).kind)
			return true;
	for (size_t i = 0; i < sizeof(bare) / sizeof(bare[0]); i++)
		if (json_equal(name, bare[i]))
			return true;
	return name->size > 0 && memmem(name->at, name->size, "::", 2);
}

struct json_value pf_pytorch_category(
	struct pf_args *args, const struct json_value *name, const struct json_value *thread_name)
{
	if (pf_arg(args, "Python id").kind)
		return category("python_function");
	if (pf_arg(args, "cuda_sync_kind").kind)
		return category("cuda_sync");
	if (pf_arg(args, "cbid").kind)
		return category(is_driver_call(name) ? "cuda_driver" : "cuda_runtime");
	if (json_equal(thread_name, "Overhead"))
		return category("overhead");
	if (json_begins(name, "ProfilerStep#") || is_collective(name))
		return category("user_annotation");
	if (!pf_arg(args, "External id").kind)
		return (struct json_value){0};
	return category(is_op(args, name) ? "cpu_op" : "user_annotation");
}

#define MEMBER_LIMIT ((size_t)1 << 20)

enum pf_attributes_field { ATTRIBUTES_ATTRIBUTE = 1 };

#define AT(member) offsetof(struct pf_attribute, member)

static bool parse(struct pf_bytes bytes, struct pf_attribute *attribute)
{
	enum { NUMBER = 2 };
	static const struct pf_layout layout = {{[1] = {PF_BYTES, AT(key)},
		[NUMBER] = {PF_UINT64, AT(number)},
		[3] = {PF_BYTES, AT(text)}}};
	struct wire w = pf_wire(bytes);
	struct wire_field f;
	enum wire_result got;

	*attribute = (struct pf_attribute){0};
	while ((got = wire_next(&w, &f)) == WIRE_FIELD)
		attribute->is_number |= pf_set_member(attribute, &layout, &f) && f.number == NUMBER;
	return got == WIRE_END;
}

bool pf_attributes_next(struct pf_bytes attributes, size_t *at, struct pf_attribute *attribute)
{
	struct wire w = {attributes.at + *at, attributes.at + attributes.size};
	struct wire_field f;

	while (wire_next(&w, &f) == WIRE_FIELD) {
		*at = (size_t)(w.at - attributes.at);
		if (f.number == ATTRIBUTES_ATTRIBUTE && f.type == WIRE_BYTES &&
			parse(pf_bytes_of(&f), attribute))
			return true;
	}
	return false;
}

static struct json_value value_of(struct pf_bytes text)
{
	const char *at = (const char *)text.at;
	char c = text.size ? *at : '\0';

	if (c == '"' && text.size >= 2)
		return (struct json_value){at + 1, text.size - 2, '"'};
	return (struct json_value){at, text.size,
		(char)(c == '{' || c == '['	       ? c
			: text_is_digit(c) || c == '-' ? '0'
						       : 'w')};
}

int pf_attributes_each(struct pf_bytes attributes, const struct trace_handler *handler,
	struct arena *scratch, uint64_t *long_members, struct error *err)
{
	const size_t prefix = strlen(PF_ATTRIBUTE_MEMBER),
		     most = handler->member_bytes ? handler->member_bytes : MEMBER_LIMIT;
	struct pf_attribute a;
	size_t at = 0;

	while (pf_attributes_next(attributes, &at, &a)) {
		struct json_member member;
		struct pf_bytes key = a.key;

		if (a.is_number || key.size <= prefix || a.text.size == 0 ||
			memcmp(key.at, PF_ATTRIBUTE_MEMBER, prefix) != 0)
			continue;
		if (a.text.size > most) {
			++*long_members;
			continue;
		}
		key.at += prefix;
		key.size -= prefix;
		member.key = pf_json_string(key, scratch);
		member.value = value_of(a.text);
		if (handler->member(handler->context, &member, err) != 0)
			return -1;
	}
	return 0;
}
