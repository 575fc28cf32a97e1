/* Source of the forms: jax/_src/source_info_util.py (name stacks: a transformation is written
 * around the first scope in it, "transpose(jvp(Model))/Dense_0"), jax/_src/pjit.py ("jit(f)"; with
 * "jit(main)" in it up to 0.6), jax/_src/ad_checkpoint.py ("checkpoint", "rematted_computation").
 * TensorFlow's ops are "scope/name:Type", and so are annotations of its kernels, with "#key=value"
 * behind. */
#include "ingest/trace/xla_words.h"

#include <string.h>
#include "ingest/events/device_work.h"

#define TEXT_OF(text) ((struct xla_text){text_string(text), (text)->size})
#define NAME_MOST 1024 /* bytes of a name that are looked at */
#define DEPTH_MOST 64  /* of transformations around one scope */

static bool is_any(struct xla_text text, const char *const *words)
{
	for (size_t i = 0; words[i]; i++)
		if (xla_text_is(text, words[i]))
			return true;
	return false;
}

/* The part up to the next '/' outside of parentheses, after which *rest goes on; behind a ';' is
 * another op_name, of an op that is in one with this. */
static struct xla_text next_part(struct xla_text *rest)
{
	const char *at = rest->at, *end = at + rest->size, *p = at;
	size_t open = 0;

	for (; p < end && ((*p != '/' && *p != ';') || open); p++)
		open += *p == '(' ? 1 : *p == ')' && open ? SIZE_MAX : 0;
	end = p < end && *p == ';' ? p : end;
	*rest = (struct xla_text){p < end ? p + 1 : end, p < end ? (size_t)(end - p) - 1 : 0};
	return (struct xla_text){at, (size_t)(p - at)};
}

/* Takes away one "word(...)" around the part. */
static bool unwrap(struct xla_text *part, bool *is_backward)
{
	static const char *const words[] = {"jvp", "transpose", "vmap", "jit", "pjit", "pmap",
		"linearize", "remat", "checkpoint", "custom_jvp", "custom_vjp", "shard_map", NULL};
	const char *open = part->size ? memchr(part->at, '(', part->size) : NULL;

	if (!open || part->at[part->size - 1] != ')' ||
		!is_any((struct xla_text){part->at, (size_t)(open - part->at)}, words))
		return false;
	*is_backward |=
		xla_text_is((struct xla_text){part->at, (size_t)(open - part->at)}, "transpose");
	*part = (struct xla_text){open + 1, (size_t)(part->at + part->size - open) - 2};
	return true;
}

/* True if the part, which is not the op and comes after this one, says how the program was made and
 * not where the op is. */
static bool is_made(struct xla_text part, struct xla_text after, struct xla_text rest)
{
	static const char *const words[] = {
		"closed_call", "core_call", "checkpoint", "rematted_computation", NULL};
	static const char *const of_loops[] = {"body", "cond", NULL};

	return is_any(part, words) ||
	       (xla_text_is(part, "while") && is_any(next_part(&rest), of_loops)) ||
	       (xla_text_is(after, "while") && is_any(part, of_loops));
}

/* The op_name without ":Type" behind it. */
static struct xla_text without_type(struct xla_text op_name)
{
	for (size_t i = op_name.size; i-- > 0 && op_name.at[i] != '/';)
		if (op_name.at[i] == ':' &&
			(i + 1 == op_name.size ||
				(op_name.at[i + 1] >= 'A' && op_name.at[i + 1] <= 'Z')))
			return (struct xla_text){op_name.at, i};
	return op_name;
}

void xla_add_scope(struct xla_text op_name, struct text *to)
{
	const size_t start = to->size;
	struct xla_text rest = without_type(op_name), before = {"", 0}, last = before;
	bool was_backward = false;

	while (rest.size) {
		bool is_backward = false, is_wrapped = false;
		const struct xla_text whole = next_part(&rest);
		const struct xla_text after = last;
		struct xla_text part = whole;

		last = whole;
		for (size_t i = 0; i < DEPTH_MOST && unwrap(&part, &is_backward); i++)
			is_wrapped = true;
		/* jit(main) is around all; "transpose(jvp(M))/jvp(M)" is M, computed once more. */
		if (part.size == 0 || (xla_text_is(whole, "jit(main)") && to->size > start) ||
			(rest.size && is_made(part, after, rest)) ||
			(was_backward && is_wrapped && part.size == before.size &&
				memcmp(part.at, before.at, part.size) == 0))
			continue;
		if (to->size > start)
			text_add_char(to, '/');
		text_add_zeros_visible(to, part.at, part.size);
		before = part;
		was_backward = is_backward;
	}
}

/* ---- rows ---- */

static bool get(const struct name_source *source, enum name_field field, const char *key,
	struct text *value)
{
	text_clear(value);
	return source->add(source->context, field, key, value) && value->size > 0;
}

/* True if it names an op of TensorFlow; "#key=value" behind it is cut off. */
static bool is_tensorflow(struct text *value)
{
	const char *hash = strchr(text_string(value), '#');
	struct xla_text type;

	if (hash)
		value->size = (size_t)(hash - value->data);
	type = xla_host_type(TEXT_OF(value), false);
	return value->size && !xla_text_is(type, "host");
}

static bool has_op_name(const struct name_source *source, struct text *value)
{
	/* Kernels of programs on a GPU have a word of no meaning. */
	return (get(source, NAME_ARG, "tf_op", value) &&
		       !xla_text_is(TEXT_OF(value), XLA_NO_OP_NAME)) ||
	       (get(source, NAME_ARG, "annotation", value) && is_tensorflow(value)) ||
	       get(source, NAME_ARG, XLA_CALLER_ARG, value);
}

static bool add_word(
	enum trace_rows rows, const struct name_source *source, struct text *value, struct text *to)
{
	switch (rows) {
	case TRACE_ROWS_SCOPES:
		if (has_op_name(source, value))
			xla_add_scope(TEXT_OF(value), to);
		return to->size > 0;
	case TRACE_ROWS_SOURCES:
		if (!get(source, NAME_ARG, XLA_USER_SOURCE_ARG, value) &&
			!get(source, NAME_ARG, "source", value))
			return false;
		break;
	default:
		if (!get(source, NAME_ARG, "hlo_module", value))
			return false;
	}
	text_add_bytes(to, text_string(value), value->size);
	return true;
}

bool xla_row_words(enum trace_rows rows, const struct name_source *source, struct text *to)
{
	struct text value;
	bool found = false;

	text_init(&value);
	if (get(source, NAME_TYPE, NULL, &value) && xla_text_is(TEXT_OF(&value), "host")) {
		text_add(to, XLA_HOST_ROW);
	} else if (get(source, NAME_NAME, NULL, &value) && is_tensorflow(&value)) {
		/* An op of the host: its kernels, which have the name without the type, are
		 * another. */
		found = rows == TRACE_ROWS_SCOPES;
		text_add_bytes(to, found ? text_string(&value) : XLA_HOST_ROW,
			found ? value.size : sizeof(XLA_HOST_ROW) - 1);
	} else {
		found = add_word(rows, source, &value, to);
		text_add(to, found ? "" : NOT_ATTRIBUTED_NAME);
	}
	text_release(&value);
	return found;
}

struct xla_text xla_word_type(struct xla_text name, struct xla_text type)
{
	char names[NAME_MOST];
	const size_t size = name.size < sizeof(names) ? name.size : sizeof(names) - 1;
	size_t end = 0;

	if (!xla_text_is(type, "hlo") && !xla_text_is(type, "kernel"))
		return type;
	memcpy(names, size ? name.at : "", size);
	names[size] = '\0';
	switch (device_work_of(names, "")) {
	case WORK_COMMUNICATION:
		/* "all-reduce-start.7" is one of all-reduce-start. */
		while (end < name.size &&
			(name.at[end] == '-' || (name.at[end] >= 'a' && name.at[end] <= 'z')))
			end++;
		names[end < size ? end : size] = '\0';
		return device_work_of("", names) == WORK_COMMUNICATION
			       ? (struct xla_text){name.at, end}
			       : (struct xla_text){DEVICE_WORK_COMMUNICATION,
					 sizeof(DEVICE_WORK_COMMUNICATION) - 1};
	case WORK_COPY:
		return (struct xla_text){DEVICE_WORK_COPY, sizeof(DEVICE_WORK_COPY) - 1};
	default:
		return type;
	}
}
