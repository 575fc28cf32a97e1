/* The whole text is in memory with its table; paths are looked up where they are asked for. */
#include "ingest/bench/bench_json.h"

#include "base/day.h"
#include "base/number.h"
#include "ingest/json/json_parse.h"
#include <string.h>
#include <strings.h>

#define MOMENT_SIZE 15 /* of "20260428-110159" */
#define DEPTH_MOST 200
#define TAKEN_AT_ONCE ((size_t)1 << 20)

static int read_value(struct bench *b, struct bench_node *root, struct error *err);

/* ---- the text ---- */

static int read_all(struct bench *b, struct text *to, struct error *err)
{
	size_t got;

	do {
		char *room = text_room(to, TAKEN_AT_ONCE);

		if (input_take(b->in, room, TAKEN_AT_ONCE, &got, err) < 0)
			return -1;
		text_extend(to, got);
		if (to->size > b->opt->max_record_bytes) {
			error_set(err, ERROR_LIMIT, b->out->path, "more than %zu bytes of JSON",
				b->opt->max_record_bytes);
			return error_hint(err, "allow more with max-record in stepstat.yaml");
		}
	} while (got);
	return 0;
}

/* True if the value at entry *i is whole, down to its last part. *i moves behind it, or to the
 * fault. */
static bool is_whole(const struct json_piece *p, size_t *i, size_t depth)
{
	struct json_value value;
	const char begin = *i < p->count ? json_byte(p, *i) : '\0';
	const char end = begin == '{' ? '}' : ']';
	bool more = true;

	if (begin != '{' && begin != '[')
		return json_parse_value(p, i, &value) == JSON_WHOLE;
	if (depth == DEPTH_MOST || ++*i >= p->count)
		return false;
	if (json_byte(p, *i) == end) {
		++*i;
		return true;
	}
	while (more) {
		if (begin == '{' && json_parse_key(p, i, &value) != JSON_WHOLE)
			return false;
		if (!is_whole(p, i, depth + 1) ||
			json_parse_separator(p, i, end, &more) != JSON_WHOLE)
			return false;
	}
	return true;
}

static int damaged(struct bench *b, size_t offset, bool cut, struct error *err)
{
	char at[512];

	error_place_offset(at, sizeof(at), b->out->path, offset);
	error_set(err, ERROR_INPUT, at, cut ? "JSON ends inside of a value" : "JSON is damaged");
	return error_hint(err, "record the file again, or copy it again if it was cut");
}

void bench_facts_named(struct bench *b, const struct bench_node *of)
{
	struct bench_node members = *of, member;

	while (of->value.kind == '{' && bench_next(&members, &member)) {
		const char *text = strchr("\"0", member.value.kind) ? bench_text(b, &member) : NULL;

		if (text && *text)
			bench_set_fact(b, bench_key(b, &member), text);
	}
}

static void facts_of_root(struct bench *b, const struct bench_node *root)
{
	static const char *const parts[] = {"", "context", "meta", "metadata"};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		const struct bench_node part = bench_at(root, parts[i]);

		bench_facts_named(b, &part);
	}
}

static int each_value(struct bench *b, const struct json_piece *p, struct error *err)
{
	for (size_t i = 0; i < p->count; b->count++)
		if (!strchr("{[", json_byte(p, i)) || !is_whole(p, &i, 0))
			return damaged(b, i < p->count ? p->at[i] : p->size, i >= p->count, err);
	for (size_t i = 0; i < p->count; b->index++) {
		const size_t first = i;
		struct bench_node root = {.inside = {p, first + 1}};

		json_parse_value(p, &i, &root.value);
		facts_of_root(b, &root);
		if (read_value(b, &root, err) < 0)
			return -1;
	}
	return 0;
}

static int fill(struct bench *b, struct error *err)
{
	struct json_damage damage = {0};
	struct json_index *index = json_index_new();
	struct json_piece piece = {0};
	struct text text;
	int result;

	text_init(&text);
	result = read_all(b, &text, err);
	if (result == 0) {
		const size_t bom =
			text.size >= 3 && memcmp(text.data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

		piece.bytes = text_string(&text) + bom;
		piece.size = text.size - bom;
		json_index_patient(
			index, piece.bytes, piece.size, &piece.at, &piece.count, &damage);
		result = damage.open_quotes ? damaged(b, bom + damage.open_quote_at, false, err)
					    : each_value(b, &piece, err);
	}
	json_index_free(index);
	text_release(&text);
	return result;
}

int bench_read_json(
	struct input *in, struct profile *out, const struct read_options *opt, struct error *err)
{
	return bench_read(in, out, opt, fill, err);
}

/* ---- values ---- */

bool bench_next(struct bench_node *of, struct bench_node *out)
{
	struct json_member member;

	if (of->value.kind == '{') {
		if (!json_next_member(&of->inside, &member, &out->inside))
			return false;
		out->key = member.key;
		out->value = member.value;
		return true;
	}
	out->key = (struct json_value){0};
	return of->value.kind == '[' && json_next_item(&of->inside, &out->value, &out->inside);
}

size_t bench_count(struct bench_node of)
{
	struct bench_node item;
	size_t count = 0;

	while (bench_next(&of, &item))
		count++;
	return count;
}

/* The member or item that the first `size` bytes of the path name. */
static struct bench_node part_at(struct bench_node of, const char *path, size_t size)
{
	struct bench_node item;
	int64_t left = 0;

	if (of.value.kind == '[' && !number_parse_int(path, size, &left))
		return (struct bench_node){0};
	while (bench_next(&of, &item))
		if (of.value.kind == '['
				? left-- == 0
				: item.key.size == size && memcmp(item.key.at, path, size) == 0)
			return item;
	return (struct bench_node){0};
}

struct bench_node bench_at(const struct bench_node *of, const char *path)
{
	struct bench_node node = *of;

	while (*path) {
		const size_t size = strcspn(path, ".");

		node = part_at(node, path, size);
		path += size + (path[size] == '.');
	}
	return node;
}

bool bench_is_at(const struct bench_node *of, const char *path, const char *text)
{
	const struct bench_node node = bench_at(of, path);

	return json_equal(&node.value, text);
}

bool bench_is_true_at(const struct bench_node *of, const char *path)
{
	const struct json_value value = bench_at(of, path).value;

	return value.kind == 'w' && value.size == 4 && memcmp(value.at, "true", 4) == 0;
}

static bool is_word(const struct json_value *value, const char *word)
{
	return value->size == strlen(word) && strncasecmp(value->at, word, value->size) == 0;
}

/* Not a value: null, or a number that is none. */
static bool is_none(const struct json_value *value)
{
	static const char *const words[] = {"null", "none", "nan", "-nan", "inf", "-inf", "+inf",
		"infinity", "-infinity", "n/a", ""};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (is_word(value, words[i]))
			return true;
	return false;
}

static const char *visible(struct bench *b, const struct json_value *value)
{
	struct text text;
	const char *shown;

	text_init(&text);
	json_add_text(&text, value);
	shown = bench_visible(b, text_string(&text), text.size);
	text_release(&text);
	return shown;
}

const char *bench_text(struct bench *b, const struct bench_node *node)
{
	const char kind = node->value.kind;

	if (kind != '"' && kind != '0' && (kind != 'w' || is_word(&node->value, "null")))
		return NULL;
	return visible(b, &node->value);
}

const char *bench_key(struct bench *b, const struct bench_node *member)
{
	return visible(b, &member->key);
}

const char *bench_text_at(struct bench *b, const struct bench_node *of, const char *path)
{
	const struct bench_node node = bench_at(of, path);

	return bench_text(b, &node);
}

const char *bench_number(struct bench *b, const struct bench_node *node)
{
	if (node->value.kind == 0 || is_none(&node->value))
		return NULL;
	return visible(b, &node->value);
}

bool bench_real(const struct bench_node *node, double *out)
{
	return node->value.kind == '0' && number_parse_real(node->value.at, node->value.size, out);
}

void bench_fact(
	struct bench *b, enum bench_fact fact, const struct bench_node *of, const char *path)
{
	const char *text = bench_text_at(b, of, path);
	const size_t size = text ? strlen(text) : 0;
	int64_t ns;

	if (fact == BENCH_START && size > MOMENT_SIZE &&
		moment_from_text(text + size - MOMENT_SIZE, MOMENT_SIZE, &ns))
		text += size - MOMENT_SIZE;
	if (size)
		b->facts.of[fact] = text;
}

int bench_add_node(struct bench *b, struct bench_row row, const struct bench_node *number,
	const char *why, struct error *err)
{
	row.value = bench_number(b, number);
	if (!row.value)
		bench_not_measured(b, row.benchmark, why);
	return bench_add(b, &row, err);
}

void bench_beginning_open(struct bench_beginning *begin, const struct probe *p)
{
	size_t at = p->size >= 3 && memcmp(p->bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

	while (at < p->size && json_is_blank((char)p->bytes[at]))
		at++;
	begin->root.value = (struct json_value){(const char *)p->bytes + at, p->size - at,
		at < p->size ? (char)p->bytes[at] : '\0'};
	begin->root.inside = json_table_open(&begin->table, &begin->root.value);
}

void bench_beginning_close(struct bench_beginning *begin)
{
	json_table_close(&begin->table);
}

/* ---- values of a benchmark ---- */

/* Values of a list, a run or a step each. */
static int add_list(struct bench *b, struct bench_node list, struct bench_row row, bool are_runs,
	struct bench_node codes, struct error *err)
{
	const struct bench_node none = {0};
	struct bench_node item, code;

	for (size_t i = 0; bench_next(&list, &item); i++) {
		const bool failed = bench_next(&codes, &code) && code.value.kind != 0 &&
				    !is_word(&code.value, "0");

		if (are_runs)
			row.run = bench_run(b, i);
		else
			row.step = (int64_t)i;
		if (bench_add_node(b, row, failed ? &none : &item,
			    failed ? arena_printf(b->arena, "exit code %s", bench_text(b, &code))
				   : NULL,
			    err) < 0)
			return -1;
	}
	return 0;
}

/* A list whose items were left out holds a text that says so. */
static bool has_all_values(struct bench_node list)
{
	struct bench_node item;
	size_t count = 0;
	double number;

	for (; bench_next(&list, &item); count++)
		if (item.value.kind == '"' && !is_none(&item.value) &&
			!number_parse_real(item.value.at, item.value.size, &number))
			return false;
	return count > 0;
}

int bench_add_values(struct bench *b, const struct bench_node *item, const char *benchmark,
	const struct bench_value *value, bool *found, struct error *err)
{
	const struct bench_node none = {0},
				codes = value->codes ? bench_at(item, value->codes) : none;
	struct bench_node at = bench_at(item, value->path), list;
	struct bench_row row = {
		.benchmark = benchmark, .measure = value->measure, .unit = value->unit};
	const bool is_there = value->each == BENCH_ONE		   ? at.value.kind != 0
			      : value->each == BENCH_RUNS_OF_STEPS ? bench_count(at) > 0
								   : has_all_values(at);

	if (found)
		*found = is_there;
	if (!is_there)
		return 0;
	if (value->each == BENCH_ONE)
		return bench_add_node(b, row, &at, NULL, err);
	if (value->each != BENCH_RUNS_OF_STEPS)
		return add_list(b, at, row, value->each == BENCH_RUNS, codes, err);
	for (size_t r = 0; bench_next(&at, &list); r++) {
		row.run = bench_run(b, r);
		if (add_list(b, list, row, false, codes, err) < 0)
			return -1;
	}
	return 0;
}

/* ---- shapes ---- */

static const char *name_of(
	struct bench *b, const struct bench_node *item, const struct bench_shape *shape)
{
	const char *name = NULL;

	if (!shape->name[0] && item->key.kind)
		name = bench_key(b, item);
	for (size_t i = 0; i < BENCH_NAMES && shape->name[i] && !name; i++)
		name = bench_text_at(b, item, shape->name[i]);
	return name && *name && b->prefix ? arena_printf(b->arena, "%s%s", b->prefix, name)
	       : name && *name		  ? name
					  : NULL;
}

static int add_item(struct bench *b, const struct bench_node *item, const char *name,
	const struct bench_shape *shape, struct error *err)
{
	const char *found_measure = NULL;
	bool found;

	for (size_t i = 0; i < BENCH_VALUES && shape->value[i].path; i++) {
		const struct bench_value *value = &shape->value[i];

		if (found_measure && text_equal(found_measure, value->measure))
			continue;
		if (bench_add_values(b, item, name, value, &found, err) < 0)
			return -1;
		if (found)
			found_measure = value->measure;
	}
	return shape->item ? shape->item(b, item, name, err) : 0;
}

static int read_list(struct bench *b, const struct bench_shape *shape, const struct bench_node *of,
	struct error *err)
{
	struct bench_node list = bench_at(of, shape->list), item;

	while (bench_next(&list, &item)) {
		const char *name = name_of(b, &item, shape);

		if (!name) {
			bench_left_out(b, "bench-nameless", "results without a name, not read",
				shape->list);
			continue;
		}
		name = bench_distinct(b, name);
		if (add_item(b, &item, name, shape, err) < 0)
			return -1;
	}
	return 0;
}

static int read_groups(struct bench *b, const struct bench_shape *shape, size_t depth,
	const struct bench_node *of, struct error *err)
{
	const bool is_last = depth + 1 == BENCH_GROUPS || !shape->group[depth + 1];
	struct bench_node list, item;
	const char *name;

	if (!shape->group[depth])
		return read_list(b, shape, of, err);
	list = bench_at(of, shape->group[depth]);
	while (bench_next(&list, &item)) {
		name = !is_last		   ? NULL
		       : shape->group_name ? bench_text_at(b, &item, shape->group_name)
					   : bench_key(b, &item);
		b->prefix = name ? arena_printf(b->arena, "%s%s", name, shape->group_joint) : NULL;
		if ((is_last ? read_list(b, shape, &item, err)
			     : read_groups(b, shape, depth + 1, &item, err)) < 0)
			return -1;
	}
	return 0;
}

static int read_value(struct bench *b, struct bench_node *root, struct error *err)
{
	const struct bench_shape *shape = b->opt->source;

	b->facts.of[BENCH_FRAMEWORK] = shape->framework;
	b->repeats |= shape->repeats;
	for (size_t i = 0; i < BENCH_FACTS_AT && shape->fact[i].path; i++)
		bench_fact(b, shape->fact[i].fact, root, shape->fact[i].path);
	return shape->each ? shape->each(b, root, err) : read_groups(b, shape, 0, root, err);
}
