/* The walk over objects and arrays of JSON text: members with their values, what is inside of them,
 * brackets in strings, text that is damaged. */
#include "ingest/json/json_table.h"
#include "tests/unit/test.h"

/* "key=value;" of each member, "value;" of each item, deeper ones in brackets. */
static void describe(struct json_walk walk, char kind, struct text *out)
{
	struct json_member member = {0};
	struct json_walk inside;

	while (kind == '{' ? json_next_member(&walk, &member, &inside)
			   : json_next_item(&walk, &member.value, &inside)) {
		char inner = member.value.kind;

		text_add_bytes(out, kind == '{' ? member.key.at : "", member.key.size);
		text_add(out, kind == '{' ? "=" : "");
		if (inner == '{' || inner == '[') {
			text_add_char(out, '(');
			describe(inside, inner, out);
			text_add_char(out, ')');
		} else {
			struct json_member none;

			assert_false(json_next_member(&inside, &none, NULL));
			text_add_bytes(out, member.value.at, member.value.size);
		}
		text_add_char(out, ';');
	}
}

static void check(const char *json, const char *expected)
{
	const struct json_value value = {json, strlen(json), json[0]};
	struct json_table table;
	struct json_walk walk = json_table_open(&table, &value);
	struct text out;

	text_init(&out);
	describe(walk, json[0], &out);
	assert_string_equal(text_string(&out), expected);
	text_release(&out);
	json_table_close(&table);
}

TEST(objects)
{
	check("{}", "");
	check("{\"a\": 1, \"b\" : \"x\" , \"c\":null}", "a=1;b=x;c=null;");
	check("{\"a\":{\"b\":[1,{\"c\":2}],\"d\":{}},\"e\":3,}", "a=(b=(1;(c=2;););d=(););e=3;");
	check("{\"backend\":\"nccl {[\",\"rank\\\"\":1,\"rank\":3}",
		"backend=nccl {[;rank\\\"=1;rank=3;");
}

TEST(arrays)
{
	check("[]", "");
	check("[1, \"]\", [], [[2]], {\"a\": \"}\"}]", "1;];();((2;););(a=};);");
}

TEST(damaged)
{
	check("{\"a\":1 \"b\":2}", "");
	check("{\"a\":1,2:3}", "a=1;");
	check("{\"a\":1,\"b\":[2,3}", "a=1;");
	check("{\"a\":1,\"b\":", "a=1;");
	check("[1,2}", "1;");
	check("\"a\"", "");
}
