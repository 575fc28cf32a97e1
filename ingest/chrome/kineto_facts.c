/*
 * Members of a PyTorch trace beside its events.
 */
#include "ingest/chrome/kineto_facts.h"

#include <string.h>
#include "base/text.h"
#include "ingest/trace/source_facts.h"

static void set_fact(struct profile *p, enum fact_id id, const struct json_value *value)
{
	struct text text;

	if (value->kind != '"' && value->kind != '0')
		return;
	text_init(&text);
	json_add_text(&text, value);
	facts_set(&p->facts, p->arena, id, text_string(&text), text.size);
	text_release(&text);
}

/* Reads the facts in distributedInfo; groups inside of it (pg_config) have ranks, too. */
static void read_distributed(
	struct kineto_facts *k, struct profile *p, const struct json_value *info)
{
	static const struct {
		const char *key;
		enum fact_id fact;
	} known[] = {
		{"rank", FACT_RANK}, {"world_size", FACT_WORLD_SIZE}, {"backend", FACT_BACKEND}};
	struct json_table table;
	struct json_walk walk = json_table_open(&table, info);
	struct json_member member;
	uint64_t number;

	while (json_next_member(&walk, &member, NULL)) {
		for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
			if (json_equal(&member.key, known[i].key) &&
				(known[i].fact != FACT_RANK ||
					json_unsigned(&member.value, &number)))
				set_fact(p, known[i].fact, &member.value);
		if (json_equal(&member.key, "rank"))
			k->has_rank =
				member.value.kind == '0' && json_unsigned(&member.value, &k->rank);
	}
	json_table_close(&table);
}

/* deviceProperties: an object for each device that the process sees. */
static void read_devices(struct profile *p, const struct json_value *devices)
{
	struct json_table table;
	struct json_walk walk = json_table_open(&table, devices), inside;
	struct json_value device;
	struct json_member member;
	struct text name;

	text_init(&name);
	p->facts.device_count = 0;
	while (json_next_item(&walk, &device, &inside)) {
		if (!p->facts.device_count)
			p->facts.device_model = NULL; /* what was said of it */
		p->facts.device_count += device.kind == '{';
		while (json_next_member(&inside, &member, NULL)) {
			if (!json_equal(&member.key, "name") || member.value.kind != '"')
				continue;
			text_clear(&name);
			json_add_text(&name, &member.value);
			facts_add(&p->facts, p->arena, FACT_DEVICE_MODEL, text_string(&name),
				name.size);
		}
	}
	text_release(&name);
	json_table_close(&table);
}

void kineto_facts_finish(const struct kineto_facts *k, struct profile *p)
{
	const bool is_hip = k->version[KINETO_HIP_DRIVER] || k->version[KINETO_HIP_RUNTIME];
	const char *driver = k->version[is_hip ? KINETO_HIP_DRIVER : KINETO_CUDA_DRIVER],
		   *runtime = k->version[is_hip ? KINETO_HIP_RUNTIME : KINETO_CUDA_RUNTIME];
	struct text text;

	if (!driver && !runtime)
		return;
	text_init(&text);
	text_add(&text, is_hip ? "HIP" : "CUDA");
	if (driver)
		text_printf(&text, " %s", runtime_version_text(p->arena, driver, is_hip));
	if (runtime)
		text_printf(&text, "%s runtime %s", driver ? "," : "",
			runtime_version_text(p->arena, runtime, is_hip));
	facts_set(&p->facts, p->arena, FACT_DRIVER, text_string(&text), text.size);
	text_release(&text);
}

/* A version that the program itself recorded: prof.add_metadata("torch_version", ...). */
static void set_framework(struct profile *p, const struct json_value *version)
{
	struct text text;

	if (version->kind != '"' || version->size == 0)
		return;
	text_init(&text);
	text_add(&text, "PyTorch ");
	json_add_text(&text, version);
	facts_set(&p->facts, p->arena, FACT_FRAMEWORK, text_string(&text), text.size);
	text_release(&text);
}

/* Members that say it by themselves. */
static void read_fact(struct kineto_facts *k, struct profile *p, const struct json_member *member)
{
	static const char *const versions[KINETO_VERSIONS] = {
		[KINETO_CUDA_DRIVER] = "cuda_driver_version",
		[KINETO_CUDA_RUNTIME] = "cuda_runtime_version",
		[KINETO_HIP_DRIVER] = "hip_driver_version",
		[KINETO_HIP_RUNTIME] = "hip_runtime_version"};

	if (json_equal(&member->key, "torch_version") ||
		json_equal(&member->key, "pytorch_version"))
		set_framework(p, &member->value);
	for (size_t i = 0; i < KINETO_VERSIONS; i++)
		if (json_equal(&member->key, versions[i]) &&
			(member->value.kind == '0' || member->value.kind == '"'))
			k->version[i] =
				arena_strndup(p->arena, member->value.at, member->value.size);
}

/* A program that keeps a description of itself in the trace ("metadata") has the version inside of
 * it: the member torch_version is that of torch.utils.collect_env. */
static void read_described(struct profile *p, const struct json_member *member)
{
	if (!p->facts.framework && json_equal(&member->key, "torch_version"))
		set_framework(p, &member->value);
}

void kineto_facts_member(
	struct kineto_facts *k, struct profile *p, const struct json_member *member)
{
	source_facts_said(p, member);
	if (json_equal(&member->key, "distributedInfo") && member->value.kind == '{')
		read_distributed(k, p, &member->value);
	else if (json_equal(&member->key, "deviceProperties") && member->value.kind == '[')
		read_devices(p, &member->value);
	else if (json_equal(&member->key, "metadata") && member->value.kind == '{')
		source_facts_inside(p, &member->value, read_described);
	else
		read_fact(k, p, member);
}
