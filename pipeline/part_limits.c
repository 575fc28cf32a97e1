/*
 * One list of options with the reason why each needs the ranks themselves.
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

int part_limits_check(const struct job_settings *s, const struct loaded *loaded, struct error *err)
{
	const char *option = asking_option(s);

	for (size_t i = 0; option && i < loaded->count; i++) {
		if (!loaded->profile[i]->job)
			continue;
		error_set(err, ERROR_INPUT, loaded->profile[i]->path,
			"%s needs the values of single ranks; here they are added up", option);
		return error_hint(err, "give the files that it was merged from (.obs)");
	}
	return 0;
}
