/*
 * Sums over the chosen steps of each source; as everywhere the source that lost most counts.
 */
#include "analysis/kept_losses.h"

#include "base/text.h"

static const struct {
	const char *code;
	enum loss_kind kind;
} known[] = {{"launch-lost", LOSS_LAUNCHES}, {"replay-lost", LOSS_REPLAYS}};

struct source_sum {
	bool is_known;
	struct issue_loss loss[2];
};

/* Says of losses that they are those of the whole recording: files of observations and jobs of
 * several ranks do not have them by step. */
static void note_whole(struct cube *cube)
{
	for (size_t k = 0; k < sizeof(known) / sizeof(known[0]); k++) {
		const struct issue *issue = issue_list_find(&cube->issues, known[k].code);

		if (!issue || issue->loss.kind != known[k].kind)
			continue;
		issue_add(&cube->issues, ISSUE_INFO, "loss-of-all",
			"the part that is lost is that of the whole recording, not of the chosen "
			"steps: only a trace of one process says it by step",
			1, issue->place);
		return;
	}
}

void kept_losses_set(struct cube *cube, const struct step_options *chosen)
{
	struct source_sum *sum;
	size_t sources = 0;

	if (chosen->range_count == 0)
		return;
	if (cube->ranks) {
		note_whole(cube);
		return;
	}
	for (size_t s = 0; s < cube->step_count; s++)
		sources = cube->step[s].source >= sources ? cube->step[s].source + 1 : sources;
	sum = arena_array(cube->arena, sources + 1, sizeof(*sum));
	for (size_t r = 0; r < cube->run_count; r++) {
		for (size_t i = 0; i < cube->run[r].step_count; i++) {
			const struct step *step = &cube->step[cube->run[r].step_first + i];
			struct source_sum *to = &sum[step->source];

			to->is_known |= step->launches.all[0] || step->launches.all[1];
			if (!step_options_choose(chosen, cube, cube->run[r].step_first + i, i + 1))
				continue;
			for (size_t k = 0; k < 2; k++) {
				to->loss[k].kind = known[k].kind;
				to->loss[k].lost += step->launches.lost[k];
				to->loss[k].all += step->launches.all[k];
			}
		}
	}
	for (size_t s = 0; s < cube->step_count; s++)
		if (!sum[cube->step[s].source].is_known) {
			note_whole(cube);
			return;
		}
	for (size_t i = 0; i < cube->issues.count; i++)
		for (size_t k = 0; k < 2; k++) {
			struct issue *issue = &cube->issues.issue[i];
			struct issue_loss most = {.kind = known[k].kind};

			if (!text_equal(issue->code, known[k].code) ||
				issue->loss.kind != known[k].kind)
				continue;
			for (size_t s = 0; s < sources; s++)
				if (issue_lost_part(&sum[s].loss[k]) > issue_lost_part(&most))
					most = sum[s].loss[k];
			most.kind = known[k].kind;
			issue->loss = most;
			if (most.lost == 0)
				issue->severity = ISSUE_INFO;
		}
}
