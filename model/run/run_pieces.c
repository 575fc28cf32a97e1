/* Repeats of a step in other files go, then steps are ordered and counted. */
#include "model/run/run_pieces.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "base/text.h"

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

bool run_piece_is_same(const struct run_piece *a, const struct run_piece *b)
{
	return a->number == b->number && text_equal(or_empty(a->kind), or_empty(b->kind));
}

int64_t run_piece_base_ns(struct profile *const *profiles, const struct run_piece *piece)
{
	const struct profile *profile = profiles[piece->profile];
	const struct step *step = &profile->step[piece->step];

	return step->base_ns ? step->base_ns : profile->base_ns;
}

bool run_piece_times(struct profile *const *profiles, const struct run_piece *piece,
	int64_t *start_ns, int64_t *end_ns)
{
	const struct step *step = &profiles[piece->profile]->step[piece->step];
	const int64_t base_ns = run_piece_base_ns(profiles, piece);

	return step->has_wall &&
	       !__builtin_add_overflow(base_ns, step->start_ps / 1000, start_ns) &&
	       !__builtin_add_overflow(base_ns, step->end_ps / 1000, end_ns);
}

int run_pieces_compare(const void *a, const void *b)
{
	const struct run_piece *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	if (x->profile != y->profile)
		return x->profile < y->profile ? -1 : 1;
	return (x->step > y->step) - (x->step < y->step);
}

ORDERED(compare_contents, struct run_piece,
	ORDER(x->number, y->number)
		?: ORDER(x->fingerprint, y->fingerprint)
		?: run_pieces_compare(x, y));

/* True if the step can be ordered among those of the other file: it is known since when its times
 * are, or both are of one process, whose clock goes on. */
static bool has_place(const struct profile *profile, uint32_t step, const struct profile *other)
{
	const char *process = profile->facts.process;

	return profile->step[step].base_ns || profile->base_ns || profile->facts.window ||
	       (process && text_equal(process, or_empty(other->facts.process)));
}

/* True if both may be steps of one run, though they have one number. Numbers may begin again in one
 * recording of a process, but not among files that are a step each or have no times, or runs that a
 * file tells apart. */
static bool may_share_number(
	struct profile *const *profiles, const struct run_piece *a, const struct run_piece *b)
{
	const struct profile *of_a = profiles[a->profile], *of_b = profiles[b->profile];

	if (a->profile == b->profile)
		return text_equal(
			or_empty(of_a->step[a->step].run), or_empty(of_b->step[b->step].run));
	return !of_a->is_file_a_step && !of_b->is_file_a_step && has_place(of_a, a->step, of_b) &&
	       has_place(of_b, b->step, of_a);
}

/* Drops repeats of the same step in other files; the same number with other times is an error where
 * numbers do not repeat. */
static int drop_repeats(struct profile *const *profiles, struct vec *pieces,
	struct issue_list *issues, struct error *err)
{
	struct run_piece *piece = pieces->data;
	size_t kept = 0, repeats = 0, first = 0;

	qsort(piece, pieces->count, sizeof(*piece), compare_contents);
	for (size_t i = 0; i < pieces->count; i++) {
		if (!kept || piece[kept - 1].number != piece[i].number) {
			first = kept;
		} else if (piece[kept - 1].fingerprint == piece[i].fingerprint &&
			   piece[kept - 1].profile != piece[i].profile) {
			repeats++;
			continue;
		} else if (!may_share_number(profiles, &piece[first], &piece[i])) {
			const char *x = profiles[piece[first].profile]->path,
				   *y = profiles[piece[i].profile]->path;

			if (piece[first].profile == piece[i].profile) {
				error_set(err, ERROR_INPUT, x, "step %lld is there in several runs",
					(long long)piece[first].number);
				return error_hint(err, "leave out --runs: the file itself says "
						       "which step is of which run");
			}
			error_set(err, ERROR_INPUT, x, "step %lld is also in %s, with other times",
				(long long)piece[first].number, y);
			return error_hint(err, "if these files are several runs, say so: "
					       "--runs=files (each file is a run), --runs=folders, "
					       "or --runs=REGEX (what it captures names the run)");
		}
		piece[kept++] = piece[i];
	}
	pieces->count = kept;
	if (repeats)
		issue_add(issues, ISSUE_INFO, "same-step",
			"steps were found in two files with the same times and count once", repeats,
			profiles[piece[0].profile]->path);
	return 0;
}

/* A piece with its start: since 1970, or since the base of the one profile, or of the window of a
 * process whose windows are counted. */
struct timed_piece {
	int64_t window, start_ns, rest_ps;
	struct run_piece piece;
};

ORDERED(compare_starts, struct timed_piece,
	ORDER(x->window, y->window)
		?: ORDER(x->start_ns, y->start_ns)
		?: ORDER(x->rest_ps, y->rest_ps)
		?: run_pieces_compare(&x->piece, &y->piece));

/* Finds the places of steps in a table: all are of one profile, which states them. */
static bool find_indexes(
	struct profile *const *profiles, const struct vec *pieces, struct timed_piece *timed)
{
	const struct run_piece *piece = pieces->data;

	for (size_t i = 0; i < pieces->count; i++) {
		const struct step *step = &profiles[piece[i].profile]->step[piece[i].step];

		if (!step->has_index || piece[i].profile != piece[0].profile)
			return false;
		timed[i] = (struct timed_piece){.start_ns = step->index, .piece = piece[i]};
	}
	return true;
}

/* False: times of the pieces are not known, or cannot be compared. */
static bool find_starts(
	struct profile *const *profiles, const struct vec *pieces, struct timed_piece *timed)
{
	const struct run_piece *piece = pieces->data;
	bool any_unknown = false, several = false;

	for (size_t i = 0; i < pieces->count; i++) {
		const struct profile *profile = profiles[piece[i].profile];
		int64_t end_ns;

		several |= piece[i].profile != piece[0].profile;
		any_unknown |= !has_place(profile, piece[i].step, profiles[piece[0].profile]);
		timed[i].window = profile->facts.window;
		if ((several && any_unknown) ||
			!run_piece_times(profiles, &piece[i], &timed[i].start_ns, &end_ns))
			return false;
		timed[i].rest_ps = profile->step[piece[i].step].start_ps % 1000;
		timed[i].piece = piece[i];
	}
	return true;
}

/* Order by kind and number, so that steps whose numbers come again are together. */
static int compare_names(const void *a, const void *b)
{
	const struct run_piece *x = a, *y = b;
	const int order = strcmp(or_empty(x->kind), or_empty(y->kind));

	if (order || x->number != y->number)
		return order ? order : x->number < y->number ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

ORDERED(compare_places, struct run_piece, ORDER(x->place, y->place));

int run_pieces_sort(struct profile *const *profiles, struct vec *pieces, struct issue_list *issues,
	struct error *err)
{
	struct run_piece *piece = pieces->data;
	struct timed_piece *timed;
	bool is_timed;

	if (drop_repeats(profiles, pieces, issues, err) < 0)
		return -1;
	timed = memory_alloc(memory_product(pieces->count, sizeof(*timed)));
	is_timed = find_indexes(profiles, pieces, timed) || find_starts(profiles, pieces, timed);
	if (is_timed)
		qsort(timed, pieces->count, sizeof(*timed), compare_starts);
	else
		qsort(piece, pieces->count, sizeof(*piece), run_pieces_compare);
	for (uint32_t i = 0; i < pieces->count; i++) {
		if (is_timed)
			piece[i] = timed[i].piece;
		piece[i].place = i;
	}
	memory_free(timed);
	qsort(piece, pieces->count, sizeof(*piece), compare_names);
	for (size_t i = 0; i < pieces->count; i++) {
		const bool comes_again = i > 0 && run_piece_is_same(&piece[i - 1], &piece[i]);

		piece[i].again = comes_again ? piece[i - 1].again + 1 : 0;
	}
	qsort(piece, pieces->count, sizeof(*piece), compare_places);
	return 0;
}
