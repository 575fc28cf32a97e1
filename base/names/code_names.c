/* Takes the names of functions apart and chooses the words that stay. */
#include "base/names/code_names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/order.h"
#include "base/text.h"

#define ANONYMOUS "(anonymous namespace)"
#define WORDS_MOST 128	  /* of one name */
#define WORDS_SHOWN 8	  /* more do not make a name that people can tell apart */
#define WORDS_OF_SINGLE 2 /* a function that is there once needs none to be told apart */

struct text_span {
	const char *start;
	size_t bytes;
};

struct name_word {
	struct text_span text;
	bool plain;  /* a type, a number or a wrapper: it says little by itself */
	bool common; /* all functions of this name have it */
};

struct code_name {
	const char *name;
	struct text_span function;
	size_t index; /* in the caller's order */
	struct name_word *word;
	size_t count, of_head; /* of_head: those that are not of the parameters */
};

bool code_name_is(const char *name)
{
	const char *angle = strchr(name, '<');

	return !strchr(name, '/') && (strstr(name, "::") || (angle && strchr(angle, '>')));
}

static bool is_letter(char c)
{
	return text_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       c == '$' || (unsigned char)c >= 0x80;
}

static bool is_after(const char *name, const char *at, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(at - name) >= n && !memcmp(at - n, word, n);
}

/* The parts of a name outside of all angle brackets. */
struct function_parts {
	const char *qualified;	/* with its namespaces and classes, after the return type */
	const char *function;	/* after the return type and the namespaces */
	const char *brackets;	/* the first angle bracket after it, or the end of the head */
	const char *parameters; /* the bracket before them, or the end */
};

/* The bracket that closes the one here; where there is none, the last byte of the name. */
static const char *closing(const char *p)
{
	size_t open = 0;

	for (; p[0] && p[1]; p++) {
		open += *p == '(';
		open -= *p == ')';
		if (!open)
			break;
	}
	return p;
}

static struct function_parts split_function(const char *name)
{
	struct function_parts parts = {.qualified = name};
	const char *space = NULL, *scope = name, *of_first = name, *p = name;
	size_t depth = 0;

	for (; *p; p++) {
		if (text_starts(p, ANONYMOUS))
			p += strlen(ANONYMOUS) - 1;
		else if (*p == '<')
			depth++;
		else if (*p == '>' && depth && !is_after(name, p, "-"))
			depth--;
		else if (*p == '(' && (depth || is_after(name, p, "decltype")))
			p = closing(p); /* "<(4 > 3)>": no angle bracket of the name */
		else if (depth)
			continue;
		else if (*p == '(' && is_after(name, p, "operator") && p[1] == ')')
			p++;
		else if (*p == '(')
			break;
		else if (*p == ' ') {
			of_first = space ? of_first : scope;
			scope = space = p + 1;
		} else if (*p == ':' && p[1] == ':')
			scope = p + 2;
	}
	parts.parameters = p;
	if (space && *p != '(' && !text_starts(name, "void "))
		scope = of_first; /* "engine::evaluate_function: AddmmBackward0" has no type */
	else if (space)
		parts.qualified = space;
	parts.function = scope < p ? scope : name;
	parts.brackets = parts.function + strcspn(parts.function, "<(");
	if (parts.brackets > p || parts.brackets == parts.function)
		parts.brackets = p;
	while (parts.brackets > parts.function + 1 && parts.brackets[-1] == ' ')
		parts.brackets--; /* "Execute (wait for completion)" */
	return parts;
}

static bool span_is(struct text_span span, const char *word)
{
	return span.bytes && *word == *span.start && !strncmp(word, span.start, span.bytes) &&
	       !word[span.bytes];
}

static bool in_list(struct text_span span, const char *const *list)
{
	for (; *list; list++)
		if (span_is(span, *list))
			return true;
	return false;
}

/* Types, and what wraps the function that does the work in PyTorch's and cuDNN's kernels. */
static bool is_plain(struct text_span span)
{
	static const char *const words[] = {"float", "double", "int", "long", "char", "bool",
		"short", "unsigned", "void", "true", "false", "half", "size_t", "Half", "BFloat16",
		"float2", "float4", "array", "Array", "OpaqueType", "TensorIterator",
		"TensorIteratorBase", "gpu_kernel_impl", "gpu_kernel_impl_nocast", "BinaryFunctor",
		"AUnaryFunctor", "BUnaryFunctor", "OffsetCalculator", "TrivialOffsetCalculator",
		"LoadWithoutCast", "StoreWithoutCast", "func_wrapper_t", "ReduceOp",
		"TensorListMetadata", NULL};

	return text_is_digit(*span.start) || *span.start == '#' || in_list(span, words);
}

static bool is_noise(struct text_span span)
{
	static const char *const words[] = {
		"anonymous", "namespace", "const", "operator", "lambda", "void", NULL};

	return in_list(span, words);
}

static bool has_word(const struct code_name *code, struct text_span span)
{
	for (size_t i = 0; i < code->count; i++)
		if (code->word[i].text.bytes == span.bytes &&
			!memcmp(code->word[i].text.start, span.start, span.bytes))
			return true;
	return false;
}

/* The words between two places that are plain, or that are not; namespaces are none. */
static void add_words(struct code_name *code, const char *from, const char *to, bool plain)
{
	for (const char *p = from; p < to;) {
		struct text_span span = {p, 0};

		if (*p == '#')
			span.bytes++;
		while (p + span.bytes < to && is_letter(p[span.bytes]))
			span.bytes++;
		if (!span.bytes) {
			p++;
			continue;
		}
		p += span.bytes;
		if (text_starts(p, "::") || is_noise(span) || is_plain(span) != plain ||
			(span.start == code->function.start) || code->count == WORDS_MOST ||
			has_word(code, span))
			continue;
		code->word[code->count++] = (struct name_word){.text = span, .plain = plain};
	}
}

static int compare_spans(struct text_span a, struct text_span b)
{
	size_t least = a.bytes < b.bytes ? a.bytes : b.bytes;
	int order = memcmp(a.start, b.start, least);

	return order ? order : (a.bytes > b.bytes) - (a.bytes < b.bytes);
}

ORDERED(compare_functions, struct code_name,
	compare_spans(x->function, y->function) ?: strcmp(x->name, y->name));

ORDERED(compare_words, const struct name_word *, compare_spans((*x)->text, (*y)->text));

/* Words that all functions of the group have do not tell them apart. */
static void mark_common(struct code_name *group, size_t count, struct arena *arena)
{
	size_t all = 0, n = 0;
	struct name_word **word;

	for (size_t i = 0; i < count; i++)
		all += group[i].count;
	word = arena_array(arena, all, sizeof(*word));
	for (size_t i = 0; i < count; i++)
		for (size_t w = 0; w < group[i].count; w++)
			word[n++] = &group[i].word[w];
	if (n)
		qsort(word, n, sizeof(*word), compare_words);
	for (size_t i = 0, next; i < n; i = next) {
		for (next = i + 1; next < n && !compare_spans(word[next]->text, word[i]->text);)
			next++;
		for (size_t k = i; k < next; k++)
			word[k]->common = next - i == count;
	}
	for (size_t i = 0; i < count; i++) {
		size_t kept = 0;

		for (size_t w = 0; w < group[i].count; w++)
			if (!group[i].word[w].common)
				group[i].word[kept++] = group[i].word[w];
		group[i].count = kept;
	}
}

/* Form of the name with so many words; where it is too wide the function is shortened rather than
 * its words, which make it different from the others. */
static const char *form_of(
	const struct code_name *code, size_t words, size_t width, struct arena *arena)
{
	struct text text, form;
	const char *result,
		*function = arena_strndup(arena, code->function.start, code->function.bytes);
	size_t room, least = width / 3;

	text_init(&text);
	text_init(&form);
	for (size_t w = 0; w < words; w++) {
		text_add(&text, w ? " " : "<");
		text_add_bytes(&text, code->word[w].text.start, code->word[w].text.bytes);
	}
	text_add(&text, words ? ">" : "");
	room = text_width(text_string(&text));
	room = room + least < width ? width - room : least;
	text_add_shortened(&form, function, words ? room : SIZE_MAX);
	text_add(&form, text_string(&text));
	result = arena_strdup(arena, text_string(&form));
	text_release(&text);
	text_release(&form);
	return result;
}

struct choice {
	struct code_name *code;
	const char *form;
};

ORDERED(compare_choices, struct choice, strcmp(x->form, y->form));

/* Each function has as few of its words as make its form different from the others'. */
static void choose_words(
	struct code_name *group, size_t count, size_t width, struct arena *arena, const char **form)
{
	struct choice *open = arena_array(arena, count, sizeof(*open));
	size_t left = count;

	for (size_t i = 0; i < count; i++)
		open[i].code = &group[i];
	for (size_t words = 1; left && words <= WORDS_SHOWN; words++) {
		size_t alike = 0;

		for (size_t i = 0; i < left; i++) {
			size_t n = open[i].code->count;

			open[i].form = form_of(open[i].code, words < n ? words : n, width, arena);
		}
		qsort(open, left, sizeof(*open), compare_choices);
		for (size_t i = 0, next; i < left; i = next) {
			bool more = false;

			for (next = i; next < left && text_equal(open[next].form, open[i].form);
				next++)
				more |= open[next].code->count > words;
			for (size_t k = i; k < next; k++) {
				form[open[k].code->index] = open[k].form;
				if (next - i > 1 && more)
					open[alike++] = open[k];
			}
		}
		left = alike;
	}
}

void code_names(
	const char *const *name, size_t count, size_t width, struct arena *arena, const char **form)
{
	struct arena *scratch = arena_new();
	struct code_name *code = arena_array(scratch, count, sizeof(*code));

	for (size_t i = 0; i < count; i++) {
		code[i] = (struct code_name){.name = name[i], .index = i};

		struct function_parts parts = split_function(code[i].name);
		struct name_word word[WORDS_MOST];
		const char *end = code[i].name + strlen(code[i].name);

		code[i].function = (struct text_span){
			parts.function, (size_t)(parts.brackets - parts.function)};
		code[i].word = word;
		add_words(&code[i], parts.brackets, parts.parameters, false);
		/* The class of a method is before its name. */
		add_words(&code[i], parts.qualified, parts.function, false);
		add_words(&code[i], parts.brackets, parts.parameters, true);
		code[i].of_head = code[i].count;
		add_words(&code[i], parts.parameters, end, false);
		add_words(&code[i], parts.parameters, end, true);
		code[i].word = arena_array(scratch, code[i].count, sizeof(*word));
		memcpy(code[i].word, word, code[i].count * sizeof(*word));
	}
	if (count)
		qsort(code, count, sizeof(*code), compare_functions);
	for (size_t i = 0, next; i < count; i = next) {
		for (next = i + 1;
			next < count && !compare_spans(code[next].function, code[i].function);)
			next++;
		if (next - i == 1) {
			size_t words = 0;

			while (words < code[i].of_head && words < WORDS_OF_SINGLE &&
				!code[i].word[words].plain)
				words++;
			form[code[i].index] = form_of(&code[i], words, width, arena);
			continue;
		}
		mark_common(&code[i], next - i, scratch);
		choose_words(&code[i], next - i, width, arena, form);
	}
	arena_free(scratch);
}
