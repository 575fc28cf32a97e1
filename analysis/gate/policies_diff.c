/* Writes every part of a policy as text, and compares the texts and their order. */
#include "analysis/gate/policies_diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "analysis/gate/policies.h"
#include "base/order.h"

static void add_separator(struct text *out)
{
	if (out->size)
		text_add(out, ", ");
}

static void add_number(struct text *out, double value, double scale, const char *unit)
{
	if (isnan(value))
		text_add(out, "none");
	else
		text_printf(out, "%.15g%s", value * scale, unit);
}

/* One key of `gate` itself. */
static void diff_number(
	struct text *out, const char *key, const double value[2], double scale, const char *unit)
{
	if (value[0] == value[1] || (isnan(value[0]) && isnan(value[1])))
		return;
	add_separator(out);
	text_printf(out, "%s ", key);
	add_number(out, value[0], scale, unit);
	text_add(out, " -> ");
	add_number(out, value[1], scale, unit);
}

static void diff_word(struct text *out, const char *key, const char *before, const char *after)
{
	if (text_equal(before, after))
		return;
	add_separator(out);
	text_printf(out, "%s %s -> %s", key, before, after);
}

static void add_patterns(struct text *out, const struct policy_pattern *pattern)
{
	for (; pattern; pattern = pattern->next)
		text_printf(out, "/%s/", pattern->rule.text);
}

/* Everything that the policy says, in its place: the first that fits decides. */
static void write_policy(struct text *out, const struct policy *p)
{
	text_printf(out, "%s:", p->name);
	add_patterns(out, p->patterns);
	text_printf(out, "%d %d %d", p->has_measure, (int)p->measure, p->watch);
	for (size_t i = 0; i < KEY_COUNT; i++) {
		const unsigned char *bytes = policy_key_value(&policy_keys[i], NULL, p);

		for (size_t k = 0; k < policy_keys[i].size && !policy_keys[i].of_gate; k++)
			text_printf(out, " %02x", bytes[k]);
	}
}

/* The texts of all policies, or waivers, in their order. */
struct item_texts {
	const char **text;
	const char **sorted;
	size_t count;
};

static struct item_texts write_items(const struct policies *p, bool of_waivers, struct arena *arena)
{
	struct item_texts out = {
		.count = of_waivers ? policies_waiver_count(p) : policies_count(p)};
	struct text text;

	out.text = arena_array(arena, out.count, sizeof(*out.text));
	out.sorted = arena_array(arena, out.count, sizeof(*out.sorted));
	text_init(&text);
	for (size_t i = 0; i < out.count; i++) {
		text_clear(&text);
		if (of_waivers) {
			const struct waiver *w = policies_waiver_at(p, i);

			add_patterns(&text, w->patterns);
			text_printf(&text, "%s %d %d %a %ld %s", w->owner ? w->owner : "",
				w->has_measure, (int)w->measure, w->ceiling_frac,
				(long)w->expires_day, w->reason ? w->reason : "");
		} else
			write_policy(&text, policies_at(p, i));
		out.text[i] = out.sorted[i] = arena_strdup(arena, text_string(&text));
	}
	text_release(&text);
	if (out.count)
		qsort(out.sorted, out.count, sizeof(*out.sorted), order_texts);
	return out;
}

static bool has_text(const struct item_texts *items, const char *text)
{
	return items->count &&
	       bsearch(&text, items->sorted, items->count, sizeof(*items->sorted), order_texts);
}

/* The items of `a` that are in `b` as well, in the order of `a`; returns how many. */
static size_t find_common(
	const struct item_texts *a, const struct item_texts *b, const char **common)
{
	size_t n = 0;

	for (size_t i = 0; i < a->count; i++)
		if (has_text(b, a->text[i]))
			common[n++] = a->text[i];
	return n;
}

static bool is_other_order(const char *const *a, size_t n, const char *const *b, size_t m)
{
	for (size_t i = 0; i < n && i < m; i++)
		if (!text_equal(a[i], b[i]))
			return true;
	return n != m;
}

static void diff_items(
	const struct policies *a, const struct policies *b, bool of_waivers, struct text *out)
{
	const char *one = of_waivers ? "waiver" : "policy",
		   *many = of_waivers ? "waivers" : "policies";
	struct arena *arena = arena_new();
	struct item_texts before = write_items(a, of_waivers, arena),
			  after = write_items(b, of_waivers, arena);
	const char **kept = arena_array(arena, before.count, sizeof(*kept));
	const char **stays = arena_array(arena, after.count, sizeof(*stays));
	size_t n = find_common(&before, &after, kept), m = find_common(&after, &before, stays);
	size_t added = after.count - m, removed = before.count - n;

	if (added) {
		add_separator(out);
		text_printf(out, "%zu %s added or changed", added, added == 1 ? one : many);
	}
	if (removed) {
		add_separator(out);
		text_printf(out, "%zu %s removed or changed", removed, removed == 1 ? one : many);
	}
	/* The first that fits decides. */
	if (is_other_order(kept, n, stays, m)) {
		add_separator(out);
		text_printf(out, "order of %s changed", many);
	}
	arena_free(arena);
}

void policies_diff(const struct policies *in_force, const struct policies *other, struct text *out)
{
	for (size_t i = 0; i < KEY_COUNT; i++) {
		const char *name =
			policy_keys[i].shown ? policy_keys[i].shown : policy_keys[i].name;
		const void *p = policy_key_value(&policy_keys[i], in_force, &in_force->standard),
			   *q = policy_key_value(&policy_keys[i], other, &other->standard);
		const double *before = p, *after = q;

		switch (policy_keys[i].kind) {
		case KEY_FRAC:
			diff_number(out, name, (double[]){*before, *after}, 100, "%");
			break;
		case KEY_PS:
			diff_number(out, name, (double[]){*before, *after}, 1e-6, "us");
			break;
		case KEY_BYTES:
			diff_number(out, name, (double[]){*before, *after}, 1, "B");
			break;
		case KEY_RUNS:
			diff_number(out, name,
				(double[]){(double)*(const size_t *)p, (double)*(const size_t *)q},
				1, "");
			break;
		case KEY_WORD:
			diff_word(out, name, policy_key_word(&policy_keys[i], *(const bool *)p),
				policy_key_word(&policy_keys[i], *(const bool *)q));
			break;
		case KEY_DAY:
			if (in_force->has_baseline_expiry == other->has_baseline_expiry &&
				!memcmp(p, q, policy_keys[i].size))
				break;
			add_separator(out);
			text_printf(out, "%s changed", name);
		}
	}
	diff_items(in_force, other, false, out);
	diff_items(in_force, other, true, out);
}
