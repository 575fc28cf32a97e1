/* Facts are kept once for each recording, whichever row says them. Several texts of one recording
 * (ranks of a job on two machines, a table of two devices) are joined in order of name. */
#include "ingest/table/run_facts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "base/day.h"
#include "base/order.h"
#include "base/text.h"

#define PS_PER_NS 1000
#define MODEL_DIGITS_LEAST 3 /* "GTX 1080", not "device 12" */
#define HEX_LEAST 8	     /* of an id: "9f8e7d6c" */

struct said_key {
	uint32_t recording, fact;
};

struct said {
	struct said_key of;
	const char *text;
};

void run_facts_init(struct run_facts *facts, struct arena *arena)
{
	*facts = (struct run_facts){.said = intern_new(arena)};
	for (size_t i = 0; i < FACT_COUNT; i++)
		text_init(&facts->last[i].text);
	text_init(&facts->device.text);
	vec_init(&facts->start_ns, sizeof(int64_t), SIZE_MAX, "recordings");
}

void run_facts_release(struct run_facts *facts)
{
	for (size_t i = 0; i < FACT_COUNT; i++)
		text_release(&facts->last[i].text);
	text_release(&facts->device.text);
	vec_release(&facts->start_ns);
}

static void add_said(struct run_facts *facts, uint32_t recording, enum fact_id id,
	const struct table_cell *field)
{
	const struct said_key key = {recording, id};
	struct text text;

	text_init(&text);
	text_add_bytes(&text, (const char *)&key, sizeof(key));
	text_add_bytes(
		&text, field->text, field->size > FACT_TEXT_MOST ? FACT_TEXT_MOST : field->size);
	intern_id(facts->said, text.data, text.size);
	text_release(&text);
}

/* ---- devices ---- */

/* "gpu" of "GPU:0": what tables call one device, process or lane of a machine. */
static bool is_place_word(const char *word, size_t n)
{
	static const char *const words[] = {"cpu", "gpu", "cuda", "hip", "rocm", "xpu", "mps",
		"tpu", "npu", "hpu", "ipu", "xla", "dml", "vulkan", "device", "dev", "stream",
		"core", "socket", "numa", "slot", "worker", "node", "host", "rank", "replica",
		"task", "job", "process", "pid", "tid", "thread", "lane", "queue", "id",
		"partition", "stage"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i]) == n && strncasecmp(words[i], word, n) == 0)
			return true;
	return false;
}

/* "H100", "MI300X", "v4", "SXM4"; not "gpu0" and not the number of a thing. */
static bool is_model_token(const char *token, size_t n, bool after_place, bool after_word)
{
	size_t letters = 0, digits = 0;

	while (letters < n && isalpha((unsigned char)token[letters]))
		letters++;
	while (letters + digits < n && isdigit((unsigned char)token[letters + digits]))
		digits++;
	if (letters == n)
		return false;

	size_t hex = 0;

	while (hex < n && isxdigit((unsigned char)token[hex]))
		hex++;
	if (hex == n && n >= HEX_LEAST)
		return false;
	if (digits == n)
		return after_word && !after_place && n >= MODEL_DIGITS_LEAST;
	return letters + digits < n || !is_place_word(token, letters);
}

/* True if the text of a device names a model. */
bool device_is_model(const char *device)
{
	bool after_place = false, after_word = false;

	for (const char *at = device; *at;) {
		size_t n = 0;

		if (!isalnum((unsigned char)*at)) {
			at++;
			continue;
		}
		while (isalnum((unsigned char)at[n]))
			n++;
		if (is_model_token(at, n, after_place, after_word))
			return true;
		after_word = isalpha((unsigned char)*at) != 0;
		after_place = is_place_word(at, n);
		at += n;
	}
	return false;
}

void run_facts_add(struct run_facts *facts, uint32_t recording, const struct csv_quantity *quantity,
	const struct table_cell *field)
{
	const bool is_device = quantity->kind == QUANTITY_DEVICE;
	struct memory_of_text *last = is_device ? &facts->device : &facts->last[quantity->fact];

	if (field->size == 0)
		return;
	if (last->id == recording && csv_remembered(last, field))
		return;
	csv_remember(last, field, recording);
	if (!is_device)
		add_said(facts, recording, quantity->fact, field);
	else if (device_is_model(field->text))
		add_said(facts, recording, FACT_DEVICE_MODEL, field);
}

/* ---- starts ---- */

static bool read_start(const struct table_cell *field, const struct unit *unit, int64_t *ns)
{
	char digits[NUMBER_TEXT_SIZE];
	const char *text = table_cell_text(field, digits);
	bool inexact = false;

	if (!unit)
		return moment_from_text(text, strlen(text), ns);
	return unit->factor >= PS_PER_NS &&
	       (table_cell_scaled(field, unit->factor / PS_PER_NS, ns, &inexact) || inexact) &&
	       *ns > 0;
}

void run_facts_add_start(struct run_facts *facts, const struct cell_rows *rows, uint64_t line,
	const struct table_cell *field, const struct unit *unit, int64_t *start_ns)
{
	int64_t ns;

	if (read_start(field, unit, &ns)) {
		if (!*start_ns || ns < *start_ns)
			*start_ns = ns;
	} else if (!facts->bad_starts++) {
		cell_rows_place(rows, line, facts->bad_place, sizeof(facts->bad_place));
	}
}

int64_t *run_facts_start(struct run_facts *facts, uint32_t recording)
{
	while (facts->start_ns.count <= recording)
		vec_push(&facts->start_ns, NULL);
	return vec_at(&facts->start_ns, recording);
}

/* ---- the whole ---- */

ORDERED(compare_said, struct said,
	ORDER(x->of.fact, y->of.fact)
		?: ORDER(x->of.recording, y->of.recording)
		?: text_compare_natural(x->text, y->text));

/* Texts of one recording as one value; a number that changes within it is none. run: "" where
 * it is of all runs that do not state it. */
static void add_value(const struct said *said, size_t n, const char *run, uint64_t recordings,
	struct profile *profile, size_t *unread)
{
	const enum fact_id id = (enum fact_id)said->of.fact;
	struct facts joined = {0};
	struct fact_value value = {.files = recordings, .place = profile->path};
	char number[FACT_NUMBER_BYTES];

	if (recordings == 0)
		return;
	if (!facts_is_value(id, said->text) || (n > 1 && fact_is_number(id))) {
		++*unread;
		return;
	}
	facts_set(&joined, profile->arena, id, said->text, strlen(said->text));
	for (size_t i = 1; i < n; i++)
		facts_add(&joined, profile->arena, id, said[i].text, strlen(said[i].text));
	value.text = facts_text(&joined, id, number);
	if (value.text)
		fact_lists_add(&profile->file_facts, profile->arena, id, &value);
	facts_overlay(profile_run_facts(profile, run), &joined, profile->arena);
}

void run_facts_finish(struct run_facts *facts, const struct csv_recordings *recordings,
	const bool *has_steps, struct profile *profile)
{
	const size_t count = intern_count(facts->said);
	struct arena *scratch = arena_new();
	struct said *said = arena_array(scratch, count, sizeof(*said));
	bool given[FACT_COUNT];
	uint64_t silent[FACT_COUNT]; /* recordings that do not say it themselves */
	uint64_t all = 0;
	size_t unread = 0;

	for (size_t i = 0; i < recordings->item.count; i++)
		all += has_steps[i];
	for (enum fact_id id = 0; id < FACT_COUNT; id++) {
		given[id] = profile->file_facts.of[id].count > 0;
		silent[id] = all;
	}
	for (size_t i = 0; i < count; i++) {
		const char *key = intern_name(facts->said, (uint32_t)i);

		memcpy(&said[i].of, key, sizeof(said[i].of));
		said[i].text = visible_decode(key + sizeof(said[i].of), scratch);
	}
	if (count)
		qsort(said, count, sizeof(*said), compare_said);
	for (size_t pass = 0; pass < 2; pass++)
		for (size_t i = 0, n; i < count; i += n) {
			const struct said_key *of = &said[i].of;
			const bool own = has_steps[of->recording];

			for (n = 1; i + n < count && said[i + n].of.fact == of->fact &&
				    said[i + n].of.recording == of->recording;)
				n++;
			if (given[of->fact] || own == (pass == 1) ||
				(!own && csv_recording_at(recordings, of->recording)->run))
				continue;
			silent[of->fact] -= own;
			add_value(&said[i], n,
				csv_recording_at(recordings, of->recording)->run ?: "",
				own ? 1 : silent[of->fact], profile, &unread);
		}
	issue_add(&profile->issues, ISSUE_INFO, "fact-unread",
		"facts of a run (batch, world_size, ...) that change within it or are no whole "
		"number above 0, not read",
		unread, profile->path);
	issue_add(&profile->issues, ISSUE_INFO, "start-unread",
		"starts that are no point in time since 2000 (ISO 8601, or s, ms, us or ns since "
		"1970), not read",
		facts->bad_starts, facts->bad_place);
	arena_free(scratch);
}
