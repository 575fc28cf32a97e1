# Texts that are compiled in: the topics of help, SQL with @NAME@ places, style and script of the pages. A new one is one line here.
template_files = \
	doc/topics.md \
	templates/compare.css \
	templates/compare.js \
	templates/flat.sql \
	templates/ops.sql \
	templates/page.css \
	templates/page.html \
	templates/page.js \
	templates/report.js \
	templates/statistics.sql \
	templates/totals.sql

noinst_LIBRARIES += libtemplates.a
libtemplates_a_SOURCES = templates/templates.c templates/templates.h
nodist_libtemplates_a_SOURCES = templates/bytes.h
EXTRA_DIST += templates/embed.awk templates/squeeze.awk $(template_files)
BUILT_SOURCES += templates/bytes.h
CLEANFILES += templates/bytes.h

# od and awk are everywhere; the table's names are those of the files. Scripts and styles are squeezed.
templates/bytes.h: $(template_files) templates/embed.awk templates/squeeze.awk
	$(AM_V_GEN)$(MKDIR_P) templates && { \
	for f in $(template_files); do \
		n=`echo $$f | sed 's,.*/,,; s,[^A-Za-z0-9],_,g'`; \
		case $$f in \
		*.js) LC_ALL=C $(AWK) -f $(srcdir)/templates/squeeze.awk $(srcdir)/$$f ;; \
		*.css) LC_ALL=C $(AWK) -v style=1 -f $(srcdir)/templates/squeeze.awk $(srcdir)/$$f ;; \
		*) cat $(srcdir)/$$f ;; \
		esac >$@.text || exit 1; \
		LC_ALL=C od -An -v -tx1 $@.text | \
			LC_ALL=C $(AWK) -v name=text_$$n -f $(srcdir)/templates/embed.awk || exit 1; \
	done; \
	echo 'static const struct { const char *name, *text; } template_table[] = {'; \
	for f in $(template_files); do \
		n=`echo $$f | sed 's,.*/,,; s,[^A-Za-z0-9],_,g'`; \
		echo "{\"$${f##*/}\", text_$$n},"; \
	done; \
	echo '{0, 0}};'; } > $@.tmp && rm -f $@.text && mv $@.tmp $@
templates/templates.$(OBJEXT): templates/bytes.h
