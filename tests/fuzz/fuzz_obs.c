/* Arbitrary bytes through the reader of .obs files. Indexes must be in range and rows distinct and
 * in order, also in what was read before a mistake was found: the checksum at the end refuses most
 * inputs. */
#include <stdint.h>
#include "tests/fuzz/check_profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct read_options opt = {
		.limits = {.ops = 50, .steps = 1000, .observations = 100000},
		.max_record_bytes = 100000,
	};
	struct error err = {.kind = ERROR_NONE};
	struct input *in = input_memory(data, size, "fuzz");
	struct profile *p = profile_new("fuzz");

	if (reader_find("obs", &err)->read(in, p, &opt, &err) == 0) {
		require(err.kind == ERROR_NONE && p->format_title);
		check_order_of_collectives(p);
	} else {
		require((err.kind == ERROR_INPUT || err.kind == ERROR_LIMIT) && err.message[0] &&
			err.place[0]);
	}
	check_profile(p);
	profile_free(p);
	input_close(in);
	return 0;
}
