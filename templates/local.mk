# Texts that are compiled in: the glossary and the topics of help (of all topic_pages), SQL with @NAME@ places, frame, style and script of the pages. A new one is one line here.
template_files = \
	doc/glossary.md \
	doc/topics.md \
	templates/flat.sql \
	templates/ops.sql \
	templates/page.html \
	templates/statistics.sql \
	templates/style.css \
	templates/totals.sql

# Modules of the pages. Each of templates/script/pages is bundled with what it needs: page_NAME.js.
script_files = \
	templates/script/d3-licence.txt \
	templates/script/lib/changes.mjs \
	templates/script/lib/dom.mjs \
	templates/script/lib/format.mjs \
	templates/script/lib/page.mjs \
	templates/script/lib/picture.mjs \
	templates/script/lib/rowdetail.mjs \
	templates/script/lib/scales.mjs \
	templates/script/lib/state.mjs \
	templates/script/lib/svg.mjs \
	templates/script/lib/table.mjs \
	templates/script/lib/verdict.mjs \
	templates/script/pages/compare.mjs \
	templates/script/pages/history.mjs \
	templates/script/pages/report.mjs \
	templates/script/pages/suite.mjs \
	templates/script/plots/dots.mjs \
	templates/script/plots/excess.mjs \
	templates/script/plots/forest.mjs \
	templates/script/plots/heat.mjs \
	templates/script/plots/history.mjs \
	templates/script/plots/legend.mjs \
	templates/script/plots/lines.mjs \
	templates/script/plots/panels.mjs \
	templates/script/plots/runs.mjs \
	templates/script/plots/scatter.mjs \
	templates/script/plots/scopes.mjs \
	templates/script/plots/series.mjs \
	templates/script/plots/stackrows.mjs \
	templates/script/plots/steps.mjs \
	templates/script/plots/swarm.mjs \
	templates/script/plots/waterfall.mjs
bundle_files = \
	templates/page_compare.js \
	templates/page_history.js \
	templates/page_report.js \
	templates/page_suite.js
notices = templates/notices.txt

noinst_LIBRARIES += libtemplates.a
libtemplates_a_SOURCES = templates/templates.c templates/templates.h
nodist_libtemplates_a_SOURCES = templates/bytes.h
EXTRA_DIST += templates/embed.awk $(script_files) $(template_files)
BUILT_SOURCES += templates/bytes.h
CLEANFILES += templates/bytes.h $(bundle_files) $(notices)

# Licences: of the program, of what pages hold, of what is linked with -static.
$(notices): COPYING COPYING.OUTPUT templates/script/d3-licence.txt scripts/notices Makefile
	$(AM_V_GEN)$(MKDIR_P) templates && CC='$(CC)' sh $(srcdir)/scripts/notices '$(srcdir)' $(LDFLAGS) >$@.tmp && mv $@.tmp $@

# The licence of d3 is a comment before each bundle; NODE_PATH is where configure found d3's modules.
$(bundle_files): $(script_files)
	$(AM_V_GEN)$(MKDIR_P) templates && name=`echo $@ | sed 's,.*/page_,,; s,[.]js$$,,'` && { \
	echo '/*' && cat $(srcdir)/templates/script/d3-licence.txt && echo '*/' && \
	NODE_PATH='$(NODE_PATH)' $(ESBUILD) $(srcdir)/templates/script/pages/$$name.mjs --bundle --minify \
		--format=iife --target=es2020 --charset=utf8 --legal-comments=none --log-level=warning; \
	} >$@.tmp && mv $@.tmp $@

# od and awk are everywhere; the table's names are those of the files. Scripts and styles are minified.
templates/bytes.h: $(template_files) $(topic_pages) $(bundle_files) $(notices) templates/embed.awk
	$(AM_V_GEN)$(MKDIR_P) templates && { \
	for f in $(template_files) $(bundle_files) $(notices); do \
		n=`echo $$f | sed 's,.*/,,; s,[^A-Za-z0-9],_,g'`; \
		case $$f in \
		templates/page_*.js | $(notices)) cat $$f ;; \
		doc/topics.md) (cd $(srcdir) && $(AWK) '/^### / || /^## Words/ { on = 1; print "" } on; /^```$$/ { on = 0 }' $(topic_pages)) ;; \
		*.css) $(ESBUILD) --minify --charset=utf8 --log-level=warning $(srcdir)/$$f ;; \
		*) cat $(srcdir)/$$f ;; \
		esac >$@.text || exit 1; \
		LC_ALL=C od -An -v -tx1 $@.text | \
			LC_ALL=C $(AWK) -v name=text_$$n -f $(srcdir)/templates/embed.awk || exit 1; \
	done; \
	echo 'static const struct { const char *name, *text; } template_table[] = {'; \
	for f in $(template_files) $(bundle_files) $(notices); do \
		n=`echo $$f | sed 's,.*/,,; s,[^A-Za-z0-9],_,g'`; \
		echo "{\"$${f##*/}\", text_$$n},"; \
	done; \
	echo '{0, 0}};'; } > $@.tmp && rm -f $@.text && mv $@.tmp $@
templates/templates.$(OBJEXT): templates/bytes.h
