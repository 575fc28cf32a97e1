/* The list of issues. Lists are short (one entry per kind of issue) and searched from front to
 * back; a table of observations may bring codes of its own, and a long list is searched by a name
 * table. */
#include "model/issue/issue.h"

#include <math.h>
#include <string.h>
#include "base/number.h"
#include "base/text.h"
#include "base/unit.h"

void issue_list_init(struct issue_list *list, struct arena *arena)
{
	*list = (struct issue_list){.arena = arena};
}

#define SEARCHED_IN_ORDER 32
#define SMALL_PART 100 /* a row whose bounds are closer than a part in so many is not in doubt */

/* The name table of a long list: the id of a code is its place. */
static struct intern *codes_of(struct issue_list *list)
{
	if (list->codes)
		return list->codes;
	list->codes = intern_new(list->arena);
	for (size_t i = 0; i < list->count; i++)
		intern_id(list->codes, list->issue[i].code, strlen(list->issue[i].code));
	return list->codes;
}

static struct issue *issue_find(struct issue_list *list, const char *code)
{
	uint32_t place;

	if (list->count >= SEARCHED_IN_ORDER)
		return intern_find(codes_of(list), code, strlen(code), &place) ? &list->issue[place]
									       : NULL;
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->issue[i].code, code) == 0)
			return &list->issue[i];
	return NULL;
}

void issue_add(struct issue_list *list, enum issue_severity severity, const char *code,
	const char *text, size_t count, const char *place)
{
	struct issue *issue = issue_find(list, code);

	if (count == 0)
		return;
	if (issue) {
		issue->count += count;
		issue->severity = severity > issue->severity ? severity : issue->severity;
		return;
	}
	list->issue = arena_make_room(
		list->arena, list->issue, list->count, &list->room, sizeof(*list->issue));
	issue = &list->issue[list->count++];
	if (list->codes)
		intern_id(list->codes, code, strlen(code));
	*issue = (struct issue){
		.severity = severity,
		.code = arena_strdup(list->arena, code),
		.text = arena_strdup(list->arena, text),
		.place = arena_strdup(list->arena, place ? place : ""),
		.count = count,
	};
}

/* Distance of the bounds; a bound that is not known is as far as can be. */
static uint64_t width(const struct issue_effect *effect)
{
	if (effect->unit == EFFECT_NONE)
		return 0;
	if (effect->low == EFFECT_UNKNOWN || effect->high == EFFECT_UNKNOWN)
		return UINT64_MAX;
	return (uint64_t)effect->high - (uint64_t)effect->low + 1;
}

void issue_set_effect(struct issue_list *list, const char *code, const struct issue_effect *effect)
{
	struct issue *issue = issue_find(list, code);

	if (!issue || width(effect) <= width(&issue->effect))
		return;
	issue->effect = *effect;
	issue->effect.row = arena_strdup(list->arena, effect->row ? effect->row : "");
	issue->effect.steps = arena_strdup(list->arena, effect->steps ? effect->steps : "");
}

double issue_lost_part(const struct issue_loss *loss)
{
	return loss->kind != LOSS_NONE && loss->all > 0 ? (double)loss->lost / (double)loss->all
							: 0;
}

void issue_set_loss(struct issue_list *list, const char *code, const struct issue_loss *loss)
{
	struct issue *issue = issue_find(list, code);

	if (!issue || issue_lost_part(loss) <= issue_lost_part(&issue->loss))
		return;
	issue->loss = *loss;
	if (issue->severity == ISSUE_INFO && loss->kind != LOSS_BEFORE &&
		issue_lost_part(loss) > LOSS_MUCH)
		issue->severity = ISSUE_LOSS;
}

const struct issue *issue_list_find(const struct issue_list *list, const char *code)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->issue[i].code, code) == 0)
			return &list->issue[i];
	return NULL;
}

bool issue_is_unmarked(const char *code)
{
	return text_ends(code, "-no-step") || text_ends(code, "-no-run") ||
	       strcmp(code, STEPS_UNMARKED) == 0 || strcmp(code, STEPS_WINDOWS) == 0;
}

size_t issue_list_unmarked(const struct issue_list *list)
{
	size_t most = 0; /* a recording may be in several */

	for (size_t i = 0; i < list->count; i++)
		if (issue_is_unmarked(list->issue[i].code) && list->issue[i].count > most)
			most = list->issue[i].count;
	return most;
}

bool issue_list_in_doubt(const struct issue_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct issue_effect *effect = &list->issue[i].effect;

		if (effect->unit == EFFECT_PS && effect->recorded != EFFECT_UNKNOWN &&
			(effect->high == EFFECT_UNKNOWN ||
				effect->high - effect->low > effect->high / SMALL_PART))
			return true;
	}
	return false;
}

void issue_list_join_without(
	struct issue_list *list, const struct issue_list *from, const struct issue_list *without)
{
	for (size_t i = 0; i < from->count; i++) {
		const struct issue *issue = &from->issue[i];

		if (without && issue_list_find(without, issue->code))
			continue;
		issue_add(list, issue->severity, issue->code, issue->text, issue->count,
			issue->place);
		issue_set_effect(list, issue->code, &issue->effect);
		issue_set_loss(list, issue->code, &issue->loss);
	}
}

void issue_list_join(struct issue_list *list, const struct issue_list *from)
{
	issue_list_join_without(list, from, NULL);
}

#define DIGITS 3

const char *issue_effect_unit(enum effect_unit unit)
{
	static const char *const words[] = {[EFFECT_NONE] = "",
		[EFFECT_PS] = "ps",
		[EFFECT_STEPS] = "steps",
		[EFFECT_EVENTS] = "events"};

	return words[unit];
}

const char *issue_loss_word(enum loss_kind kind)
{
	static const char *const words[LOSS_KINDS] = {[LOSS_NONE] = "",
		[LOSS_LAUNCHES] = "launches",
		[LOSS_REPLAYS] = "graph launches",
		[LOSS_STEPS] = "marks of steps",
		[LOSS_DEVICE_TIME] = "device time",
		[LOSS_OP_TIME] = "op time",
		[LOSS_BEFORE] = "time of the devices"};

	return words[kind];
}

/* Three digits and a unit: "4.50 ms", "271 ms". */
static void add_time(struct text *out, int64_t ps)
{
	const struct unit *unit = unit_choose(DIMENSION_TIME, (double)ps);
	char digits[NUMBER_TEXT_SIZE];
	double value = (double)ps / (double)unit->factor;
	int before = value >= 1 ? (int)floor(log10(value)) + 1 : 1;

	if (ps == 0)
		before = DIGITS;
	text_printf(out, "%s %s",
		number_format_fixed(digits, value, before < DIGITS ? DIGITS - before : 0),
		unit->name);
}

static void add_amount(struct text *out, enum effect_unit unit, int64_t value)
{
	if (unit == EFFECT_PS)
		add_time(out, value);
	else
		text_printf(out, "%lld", (long long)value);
}

void issue_add_effect(struct text *out, const struct issue_effect *effect)
{
	const int64_t one = effect->low == EFFECT_UNKNOWN ? effect->high : effect->low;

	if (effect->unit == EFFECT_NONE || one == EFFECT_UNKNOWN)
		return;
	text_add(out, effect->row);
	text_add(out, ": ");
	if (effect->low == EFFECT_UNKNOWN)
		text_add(out, "at most ");
	else if (effect->high == EFFECT_UNKNOWN)
		text_add(out, "at least ");
	add_amount(out, effect->unit, one);
	if (effect->high != EFFECT_UNKNOWN && effect->high != one) {
		text_add(out, " to ");
		add_amount(out, effect->unit, effect->high);
	}
	if (effect->recorded != EFFECT_UNKNOWN) {
		text_add(out, " in all, ");
		add_amount(out, effect->unit, effect->recorded);
		text_add(out, " if the file is believed");
	}
	if (effect->steps && *effect->steps)
		text_printf(out, " (steps %s)", effect->steps);
}

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
