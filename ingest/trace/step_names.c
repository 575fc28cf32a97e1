/* Words for a step, then a number, or nothing; and names without their numbers. */
#include "ingest/trace/step_names.h"

#include <string.h>
#include <strings.h>
#include "base/number.h"

#define AROUND " _-#:=.,/" /* a number */

static bool is_one_of(const char *word, size_t n, const char *const *words)
{
	for (size_t i = 0; words[i]; i++)
		if (strlen(words[i]) == n && strncasecmp(words[i], word, n) == 0)
			return true;
	return false;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Separators and letters become words with one '_' between them. */
static size_t words_of(const char *name, size_t n, char *out, size_t room)
{
	size_t size = 0;

	for (size_t i = 0; i < n; i++) {
		const bool is_word = is_letter(name[i]);

		if (!is_word && !strchr(" _-#:=.[(", name[i]))
			return 0;
		if (!is_word && (size == 0 || out[size - 1] == '_'))
			continue;
		if (size == room)
			return 0;
		out[size++] = is_word ? name[i] : '_';
	}
	return size && out[size - 1] == '_' ? size - 1 : size;
}

static size_t digits_at(const char *name, size_t n, size_t at)
{
	size_t end = at;

	while (end < n && text_is_digit(name[end]))
		end++;
	return end - at;
}

bool step_is_whole(const char *name, size_t n)
{
	const size_t prefix = strlen(PROFILER_STEP);

	return n > prefix && memcmp(name, PROFILER_STEP, prefix) == 0;
}

bool step_name(const char *name, size_t n, struct marker_name *out)
{
	static const char *const alone[] = {"step", "iteration", "iter", "train_step",
		"training_step", "train_iteration", "training_iteration", "train_iter",
		"training_iter", NULL};
	static const char *const with_number[] = {"profilerstep", "step", "iteration", "iter",
		"train_step", "training_step", "train_iteration", "training_iteration",
		"train_iter", "training_iter", "global_step", "batch", "train_batch",
		"training_batch", NULL};
	size_t before = 0, end, size;
	char words[32];

	while (before < n && digits_at(name, n, before) == 0)
		before++;
	size = words_of(name, before, words, sizeof(words));
	out->numbered = before < n;
	out->is_whole = step_is_whole(name, n);
	if (!out->numbered)
		return size && is_one_of(words, size, alone);
	end = before + digits_at(name, n, before);
	if (!size || !is_one_of(words, size, with_number) ||
		!number_parse_int(name + before, end - before, &out->number))
		return false;
	/* "12/100", "12]" */
	if (end < n && name[end] == '/')
		end += 1 + digits_at(name, n, end + 1);
	return end + (end < n && (name[end] == ']' || name[end] == ')')) == n;
}

static bool stands_alone(const char *name, size_t at)
{
	return at == 0 || !is_letter(name[at - 1]);
}

/* True if these digits are a number rather than a part of a word ("resnet50"). The number of the
 * marker may be part of a word where it is nowhere alone; so may the last number where the marker
 * has none. */
static bool is_number(
	const char *name, size_t n, size_t at, size_t size, const struct marker_name *marker)
{
	int64_t number;

	if (stands_alone(name, at))
		return true;
	if (marker->numbered &&
		(!number_parse_int(name + at, size, &number) || number != marker->number))
		return false;
	for (size_t i = marker->numbered ? 0 : at + size, digits; i < n; i += digits ? digits : 1) {
		digits = digits_at(name, n, i);
		if (digits &&
			(!marker->numbered || (stands_alone(name, i) && digits == size &&
						      memcmp(name + i, name + at, size) == 0)))
			return false;
	}
	return true;
}

/* The name without numbers and what is left around them: brackets that were around one, a second
 * separator of the same sort. */
static void remove_numbers(
	const char *name, size_t n, const struct marker_name *marker, struct text *out)
{
	for (size_t i = 0, digits; i < n; i += digits ? digits : 1) {
		const char last = i ? name[i - 1] : 0;

		digits = digits_at(name, n, i);
		if (!digits) {
			text_add_char(out, name[i]);
			continue;
		}
		if (!is_number(name, n, i, digits, marker)) {
			text_add_bytes(out, name + i, digits);
			continue;
		}
		if (out->size == 0 || i + digits == n)
			continue;
		if ((last == '(' && name[i + digits] == ')') ||
			(last == '[' && name[i + digits] == ']'))
			out->size--;
		else if (!strchr(AROUND, last) || name[i + digits] != last)
			continue;
		digits++;
	}
}

void step_kind(const char *name, size_t n, const struct marker_name *marker, struct text *out)
{
	static const char *const generic[] = {
		"profilerstep", "step", "steps", "iteration", "iter", "global_step", "batch", NULL};
	size_t from = 0, size;
	struct text rest;
	char words[32];

	text_init(&rest);
	remove_numbers(name, n, marker, &rest);
	name = text_string(&rest);
	n = rest.size;
	while (n > 0 && strchr(AROUND, name[n - 1]))
		n--;
	while (from < n && strchr(AROUND, name[from]))
		from++;
	size = words_of(name + from, n - from, words, sizeof(words));
	if (n > from && !(size && is_one_of(words, size, generic)))
		text_add_bytes(out, name + from, n - from);
	text_release(&rest);
}
