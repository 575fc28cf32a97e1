/* The table of templates. Their bytes are generated into templates/bytes.h. */
#include "templates/templates.h"

#include <stddef.h>
#include <string.h>
#include "templates/bytes.h"

const char *template_find(const char *name)
{
	for (size_t i = 0; template_table[i].name; i++)
		if (strcmp(template_table[i].name, name) == 0)
			return template_table[i].text;
	return NULL;
}
