/* The one place where simdjson is called. Only its first stage is: a walk over the table that it
 * makes is faster than its own interfaces, which want to know the end of a document before they
 * start. */
#include "ingest/json/json_index.h"

#include <memory>
#include <vector>
#include <simdjson.h>

struct json_index {
	std::unique_ptr<simdjson::internal::dom_parser_implementation> parser;
	size_t capacity = 0;
	std::vector<uint32_t> patient;
};

static const size_t max_depth = 8; /* of its second stage, which is not used */

struct json_index *json_index_new(void)
{
	return new json_index;
}

void json_index_free(struct json_index *index)
{
	delete index;
}

static bool reserve(struct json_index *index, size_t size)
{
	if (index->parser && size <= index->capacity)
		return true;
	index->capacity = size;
	return simdjson::get_active_implementation()->create_dom_parser_implementation(
		       size, max_depth, index->parser) == simdjson::SUCCESS;
}

static simdjson::error_code run(struct json_index *index, const char *bytes, size_t size)
{
	return index->parser->stage1(
		reinterpret_cast<const uint8_t *>(bytes), size, simdjson::stage1_mode::regular);
}

bool json_index_fast(
	struct json_index *index, char *bytes, size_t size, const uint32_t **at, size_t *count)
{
	simdjson::error_code code;

	*count = 0;
	*at = nullptr;
	if (!reserve(index, size + 1))
		return false;
	code = run(index, bytes, size);
	if (code == simdjson::UNCLOSED_STRING) {
		/* The piece ends inside a string. With a quote after it the table is complete; the
		 * string that was cut is its last entry, which nothing follows. */
		const char kept = bytes[size];

		bytes[size] = '"';
		code = run(index, bytes, size + 1);
		bytes[size] = kept;
	}
	if (code == simdjson::EMPTY)
		return true;
	if (code != simdjson::SUCCESS)
		return false;
	*at = index->parser->structural_indexes.get();
	*count = index->parser->n_structural_indexes;
	return true;
}

void json_index_patient(struct json_index *index, const char *bytes, size_t size,
	const uint32_t **at, size_t *count, struct json_damage *damage)
{
	index->patient.resize(size + 1);
	*count = json_patient(bytes, size, index->patient.data(), damage);
	*at = index->patient.data();
}
