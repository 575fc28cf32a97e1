/* Policies and waivers from arbitrary YAML bytes, looked up for a few names and for the bytes
 * themselves. What was read must be whole: no policy without a value, no waiver without an
 * owner. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include "base/day.h"
#include "analysis/gate/policies.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
	if (!holds)
		abort();
}

static void check_part(double part)
{
	check(isnan(part) || (isfinite(part) && part >= 0));
}

static void check_policy(const struct policy *policy)
{
	check(policy->name[0] != '\0');
	check_part(policy->margin_frac);
	check_part(policy->margin_ps);
	check_part(policy->margin_bytes);
	check_part(policy->margin_share_frac);
	check(policy->alpha > 0 && policy->alpha < 0.5);
	check(policy->min_runs >= 1);
}

static void check_all(const struct policies *policies)
{
	char text[DAY_TEXT_SIZE];

	check_policy(&policies->standard);
	for (size_t i = 0; i < policies_count(policies); i++) {
		const struct policy *policy = policies_at(policies, i);

		check_policy(policy);
		check(policy->patterns || policy->has_measure);
		check(policy->place[0] && policy->family <= policies->family_count);
		check(policy->watch == (policy->family > 0));
	}
	for (size_t i = 0; i < policies_waiver_count(policies); i++) {
		const struct waiver *waiver = policies_waiver_at(policies, i);

		check(waiver->place[0] && waiver->owner[0] && waiver->reason[0]);
		check(waiver->patterns && day_to_text(text, waiver->expires_day)[0]);
		check_part(waiver->ceiling_frac);
	}
}

static void look_up(struct policies *policies, const char *name)
{
	struct error err = {.kind = ERROR_NONE};
	const struct waiver *waiver;

	for (int measure = 0; measure < MEASURE_COUNT; measure++) {
		if (!policies_find(policies, name, (enum measure_id)measure, &err))
			check(err.kind == ERROR_USAGE && err.place[0]);
		struct waiver_subject subject = {name, (enum measure_id)measure, 0.1, 20000};

		if (policies_waiver(policies, &subject, &waiver, &err))
			check(err.kind == ERROR_USAGE && err.place[0]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct policies *policies = policies_new();
	struct arena *arena = arena_new();
	struct error err = {.kind = ERROR_NONE};

	if (policies_read_memory(policies, data, size, "fuzz", &err)) {
		check(err.kind != ERROR_NONE && err.message[0] && err.place[0]);
	} else {
		check_all(policies);
		char *own = arena_strndup(arena, (const char *)data, size < 200 ? size : 200);

		/* The command line takes the same texts; a bad one leaves all as it can be used. */
		if (policies_set(policies, "margin", own, "--margin", &err) == 0)
			check_all(policies);
		if (policies_set(policies, "alpha", own, "--alpha", &err) == 0)
			check_all(policies);
		look_up(policies, "v/tower_0/cg/conv12/Conv2D");
		look_up(policies, "a\xff");
		look_up(policies, own);
		policies_reset_hits(policies);
	}
	arena_free(arena);
	policies_free(policies);
	return 0;
}
