/*
 * One list of options with the reason why each needs the ranks themselves, and the rules, which
 * must leave rows as they were merged.
 */
#include "pipeline/part_limits.h"

#include <stddef.h>

/* The option that asks for single ranks; NULL: none does. */
static const char *asking_option(const struct job_settings *s)
{
	const struct {
		bool asks;
		const char *option;
	} list[] = {
		{s->per_rank, "--per-rank"},
		{s->rank.count > 0, "--rank"},
		{s->rank_value == RANK_VALUE_MAX, "--rank-value=max"},
		{s->ranks_mode == RANKS_NONE, "--ranks=none"},
		{s->rank_group_path != NULL, "--rank-group"},
		{s->of_selected, "--of=selected"},
		{s->ranks_apart, "export"},
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++)
		if (list[i].asks)
			return list[i].option;
	return NULL;
}

/* merge: do the rules keep the op, under its name? */
static int check_op(const struct job_settings *s, const char *path, const char *name,
	struct arena *scratch, struct error *err)
{
	struct rule_outcome outcome;

	if (rules_apply(s->rules, name, scratch, &outcome, err) < 0)
		return -1;
	if (outcome.kept && text_equal(outcome.name, name))
		return 0;
	error_set(err, ERROR_INPUT, path,
		outcome.kept ? "its ranks are added up over the rows that they had: "
			       "\"%s\" cannot be renamed"
			     : "its ranks are added up over the rows that they had: "
			       "\"%s\" cannot be left out",
		name);
	return error_hint(err, "rules belong to the merge that reads the ranks; a report can have "
			       "others");
}

static int check_rules(
	const struct job_settings *s, const struct profile *profile, struct error *err)
{
	struct arena *scratch = arena_new();
	int status = 0;

	for (size_t o = 0; o < profile->op_count && status == 0; o++)
		status = check_op(s, profile->path, profile->op[o].name, scratch, err);
	arena_free(scratch);
	return status;
}

int part_limits_check(const struct job_settings *s, const struct loaded *loaded, struct error *err)
{
	const char *option = asking_option(s);

	for (size_t i = 0; i < loaded->count; i++) {
		if (!loaded->profile[i]->job)
			continue;
		if (s->one_job && s->rules_given && check_rules(s, loaded->profile[i], err) < 0)
			return -1;
		if (!option)
			continue;
		error_set(err, ERROR_INPUT, loaded->profile[i]->path,
			"%s needs the values of single ranks; here they are added up", option);
		return error_hint(err, "give the files that it was merged from (.obs)");
	}
	return 0;
}
