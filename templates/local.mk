# Texts with @NAME@ places, compiled in. A new one is one line here.
template_files = \
	templates/flat.sql \
	templates/report.sql

noinst_LIBRARIES += libtemplates.a
libtemplates_a_SOURCES = templates/templates.c templates/templates.h
nodist_libtemplates_a_SOURCES = templates/bytes.h
EXTRA_DIST += templates/embed.awk $(template_files)
BUILT_SOURCES += templates/bytes.h
CLEANFILES += templates/bytes.h

# od and awk are everywhere; the table's names are those of the files.
templates/bytes.h: $(template_files) templates/embed.awk
	$(AM_V_GEN)$(MKDIR_P) templates && { \
	for f in $(template_files); do \
		n=`echo $$f | sed 's,.*/,,; s,[^A-Za-z0-9],_,g'`; \
		LC_ALL=C od -An -v -tx1 $(srcdir)/$$f | \
			LC_ALL=C $(AWK) -v name=text_$$n -f $(srcdir)/templates/embed.awk || exit 1; \
	done; \
	echo 'static const struct { const char *name, *text; } template_table[] = {'; \
	for f in $(template_files); do \
		n=`echo $$f | sed 's,.*/,,; s,[^A-Za-z0-9],_,g'`; \
		echo "{\"$${f##*/}\", text_$$n},"; \
	done; \
	echo '{0, 0}};'; } > $@.tmp && mv $@.tmp $@
templates/templates.$(OBJEXT): templates/bytes.h
