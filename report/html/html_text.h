/* Text of others inside of a page: every name, value and message enters the markup through here, so
 * that none can become markup. It knows no element. */
#pragma once

#include "base/text.h"

/* Adds s for a text node or a quoted attribute: & < > " ' as entities, hostile bytes as \xNN
 * (text_add_visible). NULL adds nothing. */
void html_add(struct text *out, const char *s);
/* Adds ` NAME="s"`, s as above. */
void html_add_attribute(struct text *out, const char *name, const char *s);

/* Adds a name of an op: scopes dim and cut first where there is no room, the last part strong. */
void html_add_name(struct text *out, const char *s, const char *whole);
