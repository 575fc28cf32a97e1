/*
 * Writes every part of a policy as text, and compares the texts and their order.
 */
#include "gate/policies_diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
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

static const char *action(enum policy_action action)
{
	return action == POLICY_FAIL ? "fail" : "pass";
}

static void diff_standard(const struct policies *a, const struct policies *b, struct text *out)
{
	const struct policy *p = &a->standard, *q = &b->standard;

	diff_number(out, "margin", (double[]){p->margin_frac, q->margin_frac}, 100, "%");
	diff_number(out, "margin in time", (double[]){p->margin_ps, q->margin_ps}, 1e-6, "us");
	diff_number(out, "margin in bytes", (double[]){p->margin_bytes, q->margin_bytes}, 1, "B");
	diff_number(out, "share", (double[]){p->margin_share_frac, q->margin_share_frac}, 100, "%");
	diff_number(out, "alpha", (double[]){p->alpha, q->alpha}, 100, "%");
	diff_number(out, "min_runs", (double[]){(double)p->min_runs, (double)q->min_runs}, 1, "");
	diff_word(out, "inconclusive", action(p->inconclusive), action(q->inconclusive));
	diff_word(out, "gone", action(p->gone), action(q->gone));
	diff_word(out, "new", action(p->appeared), action(q->appeared));
	diff_word(out, "executions", action(p->executions), action(q->executions));
	diff_word(out, "fail_on", a->fail_on == FAIL_ON_SLOWER ? "slower" : "regressed",
		b->fail_on == FAIL_ON_SLOWER ? "slower" : "regressed");
	diff_word(out, "moved", a->moved_fails ? "fail" : "pass", b->moved_fails ? "fail" : "pass");
	diff_word(out, "lost", a->lost_fails ? "fail" : "pass", b->lost_fails ? "fail" : "pass");
	diff_word(out, "blind", a->blind_fails ? "fail" : "pass", b->blind_fails ? "fail" : "pass");
	diff_number(
		out, "allow_loss", (double[]){a->allow_loss_frac, b->allow_loss_frac}, 100, "%");
	diff_number(out, "runs_expected",
		(double[]){(double)a->runs_expected, (double)b->runs_expected}, 1, "");
	diff_word(out, "improved", a->improved_reports ? "report" : "pass",
		b->improved_reports ? "report" : "pass");
	if (a->has_baseline_expiry != b->has_baseline_expiry ||
		a->baseline_expires_day != b->baseline_expires_day) {
		add_separator(out);
		text_add(out, "baseline_expires changed");
	}
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
	text_printf(out, "%d %d %a %a %a %a %a %zu", p->has_measure, (int)p->measure,
		p->margin_frac, p->margin_ps, p->margin_bytes, p->margin_share_frac, p->alpha,
		p->min_runs);
	text_printf(out, " %d %d %d %d %d", (int)p->inconclusive, (int)p->gone, (int)p->appeared,
		(int)p->executions, p->watch);
}

static void write_waiver(struct text *out, const struct waiver *w)
{
	add_patterns(out, w->patterns);
	text_printf(out, "%s %d %d %a %ld %s", w->owner ? w->owner : "", w->has_measure,
		(int)w->measure, w->ceiling_frac, (long)w->expires_day, w->reason ? w->reason : "");
}

static size_t count_items(const struct policies *p, bool of_waivers)
{
	return of_waivers ? policies_waiver_count(p) : policies_count(p);
}

/* The texts of all policies, or waivers, in their order. */
struct item_texts {
	const char **text;
	const char **sorted;
	size_t count;
};

static struct item_texts write_items(const struct policies *p, bool of_waivers, struct arena *arena)
{
	struct item_texts out = {.count = count_items(p, of_waivers)};
	struct text text;

	out.text = arena_array(arena, out.count, sizeof(*out.text));
	out.sorted = arena_array(arena, out.count, sizeof(*out.sorted));
	text_init(&text);
	for (size_t i = 0; i < out.count; i++) {
		text_clear(&text);
		if (of_waivers)
			write_waiver(&text, policies_waiver_at(p, i));
		else
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
	diff_standard(in_force, other, out);
	diff_items(in_force, other, false, out);
	diff_items(in_force, other, true, out);
}
