/* Sentences on what the devices did in a step. */
#include "report/build_devices.h"

#include <math.h>
#include "base/number.h"
#include "base/text.h"

/* "95.5 %"; of several devices from the smallest to the largest: "95.5 to 97.0 %". */
static const char *phrase_shares(struct arena *arena, double least, double most)
{
	char from[NUMBER_TEXT_SIZE], to[NUMBER_TEXT_SIZE];
	const char *low = number_format_fixed(from, 100 * least, 1);
	const char *high = number_format_fixed(to, 100 * most, 1);

	return text_equal(low, high) ? arena_printf(arena, "%s %%", high)
				     : arena_printf(arena, "%s to %s %%", low, high);
}

/* Devices of one kind, and the smallest and largest of their numbers. */
struct device_kind {
	const struct device_parts *device;
	size_t count;
	struct device_parts least, most;
};

static struct device_kind kind_of(const struct device_parts *device, size_t count)
{
	struct device_kind kind = {device, count, *device, *device};

	for (size_t k = 1; k < count; k++) {
		kind.least.busy = fmin(kind.least.busy, device[k].busy);
		kind.most.busy = fmax(kind.most.busy, device[k].busy);
		for (size_t i = 0; i < SERIES_KINDS; i++) {
			kind.least.part[i] = fmin(kind.least.part[i], device[k].part[i]);
			kind.most.part[i] = fmax(kind.most.part[i], device[k].part[i]);
		}
	}
	return kind;
}

static const char *phrase_part(
	struct report *report, const struct device_kind *d, enum step_series_kind part)
{
	return phrase_shares(report->arena, d->least.part[part], d->most.part[part]);
}

/* Causes are named down to this part of what the host was late; two where the first is not most of
 * it. */
#define HOST_LEAST 0.05
#define HOST_MOST 0.5
#define HOST_NAMED 2

/* The share of the cause in this place; NULL: not all devices have one of its name there. */
static const char *phrase_cause_share(
	struct report *report, const struct device_kind *d, size_t place)
{
	double least = INFINITY, most = 0;

	for (size_t k = 0; k < d->count; k++) {
		const struct device_parts *device = &d->device[k];

		if (place >= device->cause_count ||
			!text_equal(device->cause[place].name, d->device->cause[place].name))
			return NULL;
		least = fmin(least, device->cause[place].sum_ps);
		most = fmax(most, device->cause[place].sum_ps);
	}
	return phrase_shares(report->arena, least, most);
}

/* ": 33.1 % in DataLoader", by the outermost of what was open. */
static void add_causes(struct report *report, const struct device_kind *d, struct text *text)
{
	const double late = d->device->part[SERIES_HOST_LATE];
	const char *separator = ": ", *share;

	for (size_t i = 0; i < HOST_NAMED && (share = phrase_cause_share(report, d, i)); i++) {
		const struct device_cause *cause = &d->device->cause[i];
		const bool is_nothing = text_equal(cause->name, STEP_SERIES_NOTHING);

		if (cause->sum_ps < HOST_LEAST * late || text_equal(cause->name, STEP_SERIES_OTHER))
			break;
		text_printf(text, "%s%s %s%s", separator, share,
			is_nothing ? "with nothing recorded on its thread" : "in ",
			is_nothing ? "" : phrase_cause(report->arena, cause->name));
		separator = ", ";
		if (cause->sum_ps >= HOST_MOST * late)
			break;
	}
}

static double mean_of_part(const struct device_kind *d, enum step_series_kind part)
{
	double sum = 0;

	for (size_t k = 0; k < d->count; k++)
		sum += d->device[k].part[part];
	return sum / (double)d->count;
}

/* ", 14.5 % because the host was late: ...": the largest of the causes. is_told: a sentence of its
 * own says what the host is late by. */
static void add_idle(
	struct report *report, const struct device_kind *d, bool is_told, struct text *text)
{
	static const struct {
		enum step_series_kind part;
		const char *words;
	} cause[] = {{SERIES_HOST_LATE, "because the host was late"},
		{SERIES_WAITED, "while what was launched waited for a stream or a dependency"},
		{SERIES_GAPS, "in short gaps between kernels"}};
	double unknown = mean_of_part(d, SERIES_IDLE), most = 0;
	size_t largest = 0;

	for (size_t i = 0; i < sizeof(cause) / sizeof(*cause); i++) {
		const double mean = mean_of_part(d, cause[i].part);

		unknown -= mean;
		largest = mean > most ? i : largest;
		most = fmax(most, mean);
	}
	if (fmax(most, unknown) < 0.0005 || (is_told && unknown <= most && largest == 0))
		return;
	if (unknown > most)
		text_printf(text, ", %s without a known cause",
			phrase_shares(report->arena, unknown, unknown));
	else
		text_printf(text, ", %s %s", phrase_part(report, d, cause[largest].part),
			cause[largest].words);
	if (unknown <= most && largest == 0)
		add_causes(report, d, text);
}

/* "gpu:0", "8 gpu devices" */
static const char *phrase_devices(struct report *report, const struct device_kind *d)
{
	const char *name = phrase_visible(report->arena, phrase_device(d->device->device));

	return d->count > 1 ? arena_printf(report->arena, "%zu %.*s devices", d->count,
				      (int)device_kind_size(name), name)
			    : name;
}

/* "gpu:0 is busy 83.5 % [82.1, 84.9]: compute 60.9 %, ...; idle 16.5 %, 14.5 % because ..."; of
 * several: "8 gpu devices are busy 82.1 to 84.9 %: ...". */
static void answer_device(struct report *report, const struct device_kind *d, bool is_told)
{
	static const struct {
		enum step_series_kind part;
		const char *word;
	} busy[] = {{SERIES_COMPUTE, "compute"}, {SERIES_COMMUNICATION, "communication alone"},
		{SERIES_COPIES, "copies alone"}};
	const struct device_parts *device = d->device;
	struct arena *arena = report->arena;
	char low[NUMBER_TEXT_SIZE], high[NUMBER_TEXT_SIZE];
	const char *name = phrase_devices(report, d);
	const char *separator = ": ";
	struct text text;

	text_init(&text);
	text_printf(&text, "%s %s busy %s", name, d->count > 1 ? "are" : "is",
		phrase_shares(arena, d->least.busy, d->most.busy));
	if (d->count == 1 && !isnan(device->low))
		text_printf(&text, " [%s, %s]", number_format_fixed(low, 100 * device->low, 1),
			number_format_fixed(high, 100 * device->high, 1));
	for (size_t i = 0; i < sizeof(busy) / sizeof(*busy); i++) {
		if (!(d->most.part[busy[i].part] > 0))
			continue;
		text_printf(&text, "%s%s %s", separator, busy[i].word,
			phrase_part(report, d, busy[i].part));
		separator = ", ";
	}
	text_printf(&text, "; idle %s", phrase_part(report, d, SERIES_IDLE));
	add_idle(report, d, is_told, &text);
	report_answer(report, "%s.", text_string(&text));
	text_release(&text);
}

/* True if one of the sentences on causes says it. */
static bool is_told(const struct cause_list *causes, const struct device_parts *device)
{
	for (size_t i = 0; i < causes->count && i < CAUSES_SHOWN; i++)
		if (causes->cause[i].device == device)
			return true;
	return false;
}

void answers_add_devices(struct report *report, const struct device_parts *device, size_t count,
	const struct cause_list *causes)
{
	for (size_t i = 0, n; i < count; i += n) {
		struct device_kind kind;

		n = device_parts_alike(&device[i], count - i);
		kind = kind_of(&device[i], n);
		answer_device(report, &kind, is_told(causes, &device[i]));
	}
}

const char *phrase_host_late(struct report *report, const struct cause *cause)
{
	const struct device_kind kind = kind_of(cause->device, cause->devices);
	const char *words;
	struct text text;

	text_init(&text);
	text_printf(&text, "%s wait%s %s of the time because the host is late",
		phrase_devices(report, &kind), kind.count > 1 ? "" : "s",
		phrase_part(report, &kind, SERIES_HOST_LATE));
	add_causes(report, &kind, &text);
	text_add(&text, ".");
	words = arena_strdup(report->arena, text_string(&text));
	text_release(&text);
	return words;
}
