/* Values as trtexec prints them; and trtexec --exportLayerInfo: {"Layers": [...], "Bindings":
 * [...]}. With --profilingVerbosity=detailed a layer is an object with a type, otherwise only its
 * name. */
#include "ingest/tensorrt/tensorrt.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>
#include "base/intern.h"
#include "base/number.h"
#include "base/text.h"
#include "base/unit.h"

#define PS_PER_MS (1000 * (int64_t)PS_PER_US)
#define TIME_MOST (INT64_C(1) << 60) /* 13 days: sums of a few fit */
#define FILES_LOOKED_AT 256	     /* of a folder: more are no set of files of one engine */

bool tensorrt_time(const struct json_value *value, int64_t *ps)
{
	int64_t result = 0;
	bool rounded = false;

	if (value->kind != '0')
		return false;
	if (!number_parse_scaled(value->at, value->size, PS_PER_MS, &result, &rounded) && !rounded)
		return false;
	if (result > TIME_MOST || result < -TIME_MOST)
		return false;
	*ps = result;
	return true;
}

/* The member as text in the arena; NULL when it is no string. */
static const char *text_of(const struct json_value *value, struct arena *arena)
{
	const char *result;
	struct text text;

	if (value->kind != '"')
		return NULL;
	text_init(&text);
	json_add_text(&text, value);
	result = arena_strndup(arena, text_string(&text), text.size);
	text_release(&text);
	return result;
}

/* ---- types of layers ---- */

struct layer_info {
	const char *path;
	struct intern *names;
	const char **type; /* of each name; NULL: none */
	size_t type_room;
	struct arena *arena;
};

const char *layer_info_path(const struct layer_info *info)
{
	return info->path;
}

const char *layer_info_type(const struct layer_info *info, const char *name, size_t size)
{
	uint32_t id;

	return intern_find(info->names, name, size, &id) ? info->type[id] : NULL;
}

bool layer_info_probe(const struct probe *p)
{
	return probe_begins(p, "{") && probe_has(p, "\"Layers\"") &&
	       (probe_has(p, "\"LayerType\"") || probe_has(p, "\"Bindings\"") ||
		       probe_has(p, "\"Layers\": [\""));
}

/* ---- contents ---- */

static void read_layer(
	struct layer_info *info, const struct json_value *layer, struct json_walk members)
{
	const char *name = text_of(layer, info->arena), *type = NULL;
	struct json_member member;

	while (layer->kind == '{' && json_next_member(&members, &member, NULL)) {
		if (json_equal(&member.key, "Name"))
			name = text_of(&member.value, info->arena);
		else if (json_equal(&member.key, "LayerType"))
			type = text_of(&member.value, info->arena);
	}
	if (name) {
		const uint32_t id = intern_id(info->names, name, strlen(name));

		info->type = arena_make_room(
			info->arena, info->type, id, &info->type_room, sizeof(*info->type));
		if (type && *type)
			info->type[id] = type;
	}
}

static void read_layers(struct layer_info *info, const char *bytes, size_t size)
{
	const struct json_value whole = {.at = bytes, .size = size, .kind = '{'};
	struct json_table table;
	struct json_walk walk = json_table_open(&table, &whole), inside, members;
	struct json_member member;
	struct json_value layer;

	while (json_next_member(&walk, &member, &inside))
		if (json_equal(&member.key, "Layers") && member.value.kind == '[')
			while (json_next_item(&inside, &layer, &members))
				read_layer(info, &layer, members);
	json_table_close(&table);
}

/* All bytes of the input, from the first '{' on. */
static int read_all(struct input *in, size_t most, struct text *out, struct error *err)
{
	for (;;) {
		const unsigned char *bytes;
		size_t size;

		if (input_peek(in, 1, &bytes, &size, err) < 0)
			return -1;
		if (size == 0)
			return 0;
		if (size > most - out->size)
			return error_set(
				err, ERROR_LIMIT, input_path(in), "is longer than %zu bytes", most);
		text_add_bytes(out, (const char *)bytes, size);
		input_skip(in, size);
	}
}

static struct layer_info *read_info(
	const char *path, size_t max_bytes, struct arena *arena, struct error *err)
{
	struct input *in = input_open(path, err);
	struct layer_info *info = NULL;
	struct text text;
	const char *begin;

	if (!in)
		return NULL;
	text_init(&text);
	if (read_all(in, max_bytes, &text, err) == 0) {
		info = arena_alloc(arena, sizeof(*info));
		info->path = arena_strdup(arena, path);
		info->names = intern_new(arena);
		info->arena = arena;
		begin = strchr(text_string(&text), '{');
		if (begin)
			read_layers(info, begin, text.size - (size_t)(begin - text_string(&text)));
	}
	text_release(&text);
	input_close(in);
	return info;
}

/* ---- which file ---- */

static bool is_layer_info(const char *path)
{
	struct error err = {.kind = ERROR_NONE};
	struct probe probe;
	struct input *in = probe_file(path, NULL, &probe, &err);
	const bool is = in && layer_info_probe(&probe);

	input_close(in);
	return is;
}

static bool is_file(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* X.graph.json of X.profile.json, either of them packed or not. */
static const char *named_like(const char *path, struct arena *arena)
{
	static const char *const from[] = {".profile.json", ".profile.json.gz"};
	static const char *const to[] = {".graph.json", ".graph.json.gz"};

	for (size_t i = 0; i < 2; i++)
		for (size_t k = 0; k < 2 && text_ends(path, from[i]); k++) {
			const int n = (int)(strlen(path) - strlen(from[i]));
			const char *beside = arena_printf(arena, "%.*s%s", n, path, to[k]);

			if (is_file(beside) && is_layer_info(beside))
				return beside;
		}
	return NULL;
}

/* The only one of its kind in the folder of the path; *count: how many there are. */
static const char *only_one(const char *path, struct arena *arena, size_t *count)
{
	const char *slash = strrchr(path, '/'), *found = NULL;
	const int n = slash ? (int)(slash - path) + 1 : 0;
	DIR *dir = opendir(slash ? arena_printf(arena, "%.*s", n, path) : ".");
	size_t looked_at = 0;
	struct dirent *entry;

	*count = 0;
	while (dir && (entry = readdir(dir)) && looked_at < FILES_LOOKED_AT) {
		const char *name = entry->d_name, *beside;

		if (name[0] == '.' || !(text_ends(name, ".json") || text_ends(name, ".json.gz")))
			continue;
		looked_at++;
		beside = arena_printf(arena, "%.*s%s", n, path, name);
		if (text_equal(beside, path) || !is_file(beside) || !is_layer_info(beside))
			continue;
		++*count;
		found = beside;
	}
	if (dir)
		closedir(dir);
	if (looked_at == FILES_LOOKED_AT)
		*count = 0;
	return *count == 1 ? found : NULL;
}

const struct layer_info *layer_info_beside(
	const char *path, size_t max_bytes, struct arena *arena, struct issue_list *issues)
{
	struct error err = {.kind = ERROR_NONE};
	const struct layer_info *info;
	const char *beside;
	size_t count = 0;

	if (!is_file(path)) /* its bytes come from elsewhere */
		return NULL;
	beside = named_like(path, arena);
	if (!beside)
		beside = only_one(path, arena, &count);
	if (count > 1)
		issue_add(issues, ISSUE_INFO, "tensorrt-layers-several",
			"several files of layers (--exportLayerInfo) lie beside the profile, none "
			"named like it: layers have no types",
			1, path);
	if (!beside)
		return NULL;
	info = read_info(beside, max_bytes, arena, &err);
	if (!info)
		issue_add(issues, ISSUE_INFO, "tensorrt-layers-unread",
			"the file of layers (--exportLayerInfo) cannot be read: layers have no "
			"types",
			1, beside);
	return info;
}
