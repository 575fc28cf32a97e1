/*
 * Words for a step, then a number, or nothing.
 */
#include "ingest/database/step_names.h"

#include <string.h>
#include <strings.h>
#include "base/number.h"

static bool is_one_of(const char *word, size_t n, const char *const *words)
{
	for (size_t i = 0; words[i]; i++)
		if (strlen(words[i]) == n && strncasecmp(words[i], word, n) == 0)
			return true;
	return false;
}

/* Separators and letters become words with one '_' between them. */
static size_t words_of(const char *name, size_t n, char *out, size_t room)
{
	size_t size = 0;

	for (size_t i = 0; i < n; i++) {
		const bool is_letter =
			(name[i] >= 'a' && name[i] <= 'z') || (name[i] >= 'A' && name[i] <= 'Z');

		if (!is_letter && !strchr(" _-#:=.[(", name[i]))
			return 0;
		if (!is_letter && (size == 0 || out[size - 1] == '_'))
			continue;
		if (size == room)
			return 0;
		out[size++] = is_letter ? name[i] : '_';
	}
	return size && out[size - 1] == '_' ? size - 1 : size;
}

bool step_name(const char *name, size_t n, bool *numbered, int64_t *number)
{
	static const char *const alone[] = {"step", "iteration", "iter", "train_step",
		"training_step", "train_iteration", "training_iteration", "train_iter",
		"training_iter", NULL};
	static const char *const with_number[] = {"profilerstep", "step", "iteration", "iter",
		"train_step", "training_step", "train_iteration", "training_iteration",
		"train_iter", "training_iter", "global_step", "batch", "train_batch",
		"training_batch", NULL};
	size_t digits = 0, before, size;
	char words[32];

	while (digits < n && (name[digits] < '0' || name[digits] > '9'))
		digits++;
	before = digits;
	size = words_of(name, before, words, sizeof(words));
	if (before == n) {
		*numbered = false;
		return size && is_one_of(words, size, alone);
	}
	while (digits < n && name[digits] >= '0' && name[digits] <= '9')
		digits++;
	if (!size || !is_one_of(words, size, with_number) ||
		!number_parse_int(name + before, digits - before, number))
		return false;
	/* "12/100", "12]" */
	if (digits < n && name[digits] == '/')
		for (digits++; digits < n && name[digits] >= '0' && name[digits] <= '9';)
			digits++;
	if (digits < n && (name[digits] == ']' || name[digits] == ')'))
		digits++;
	*numbered = true;
	return digits == n;
}
