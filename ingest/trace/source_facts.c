/* Numbers in names, versions as people write them, facts by name. */
#include "ingest/trace/source_facts.h"

#include <stdio.h>
#include <string.h>
#include "base/number.h"
#include "base/text.h"

#define NAME_BYTES 32
#define DEPTH_MOST 4 /* of objects in objects, in which facts are looked for */

bool rank_of_file(const char *path, uint64_t *rank)
{
	const char *name = text_base_name(path);

	for (const char *at = name; (at = strstr(at, "rank")); at++) {
		const char *digits = at + 4;
		int64_t number;

		if (at > name &&
			((at[-1] >= 'a' && at[-1] <= 'z') || (at[-1] >= 'A' && at[-1] <= 'Z')))
			continue;
		digits += *digits == '-' || *digits == '_';
		if (number_parse_int(digits, strspn(digits, "0123456789"), &number)) {
			*rank = (uint64_t)number;
			return true;
		}
	}
	return false;
}

void host_of_file(struct profile *p)
{
	const char *name = text_base_name(p->path), *digits;
	char process[NAME_BYTES];
	size_t n;

	snprintf(process, sizeof(process), "_%lld.", (long long)p->facts.pid);
	for (const char *at = strstr(name, process); at; at = strstr(at + 1, process)) {
		digits = at + strlen(process);
		n = strspn(digits, "0123456789");
		if (n && at > name && !p->facts.host && text_starts(digits + n, ".pt.trace.json"))
			facts_set(&p->facts, p->arena, FACT_HOST, name, (size_t)(at - name));
	}
}

const char *runtime_version_text(struct arena *arena, const char *recorded, bool is_hip)
{
	int64_t n;

	if (!number_parse_int(recorded, strlen(recorded), &n) || n < 1000)
		return recorded;
	if (is_hip)
		return n < 10000000 ? recorded
				    : arena_printf(arena, "%lld.%lld.%lld", (long long)n / 10000000,
					      (long long)n / 100000 % 100, (long long)n % 100000);
	return n % 10 ? recorded
		      : arena_printf(
				arena, "%lld.%lld", (long long)n / 1000, (long long)n % 1000 / 10);
}

/* A fact that is known already stays. */
static void set_called(struct profile *p, const struct json_member *member)
{
	static const enum fact_id said[] = {
		FACT_BATCH, FACT_HOST, FACT_MACHINE, FACT_COMMIT, FACT_DEVICE_MODEL};
	char name[NAME_BYTES] = "", number[FACT_NUMBER_BYTES];
	enum fact_id fact;
	struct text text;

	if (member->key.size >= sizeof(name) || !strchr("\"0", member->value.kind))
		return;
	memcpy(name, member->key.at, member->key.size);
	fact = fact_called(name);
	for (size_t i = 0; i < sizeof(said) / sizeof(*said); i++)
		if (fact == said[i] && !facts_text(&p->facts, fact, number)) {
			text_init(&text);
			json_add_text(&text, &member->value);
			facts_set(&p->facts, p->arena, fact, text_string(&text), text.size);
			text_release(&text);
		}
}

static void walk_said(
	struct profile *p, struct json_walk walk, size_t depth, source_facts_member *set)
{
	struct json_walk inside;
	struct json_member member;

	while (json_next_member(&walk, &member, &inside))
		if (member.value.kind == '{' && depth < DEPTH_MOST)
			walk_said(p, inside, depth + 1, set);
		else
			set(p, &member);
}

void source_facts_inside(
	struct profile *p, const struct json_value *object, source_facts_member *set)
{
	struct json_table table;

	walk_said(p, json_table_open(&table, object), 0, set);
	json_table_close(&table);
}

void source_facts_said(struct profile *p, const struct json_member *member)
{
	if (member->value.kind != '{')
		set_called(p, member);
	else if (json_equal(&member->key, "metadata") || json_equal(&member->key, "otherData"))
		source_facts_inside(p, &member->value, set_called);
}
