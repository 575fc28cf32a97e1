/*
 * Effect of an issue, in words.
 */
#include <math.h>
#include "base/number.h"
#include "base/unit.h"
#include "model/issue/issue.h"

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
