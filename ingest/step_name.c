/*
 * Takes names of files apart.
 */
#include "ingest/step_name.h"

#include <string.h>
#include "base/number.h"
#include "base/text.h"

bool step_number_in_name(const char *path, int64_t *number)
{
	const char *name = text_base_name(path);
	size_t n = strlen(name), digits = 0;

	for (size_t i = n; i-- > 1;) {
		char next = name[i + 1];

		if (name[i] == '.' &&
			((next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z')))
			n = i;
		else if (name[i] == '.')
			break;
	}
	while (digits < n && name[n - digits - 1] >= '0' && name[n - digits - 1] <= '9')
		digits++;
	return digits && number_parse_int(name + n - digits, digits, number);
}
