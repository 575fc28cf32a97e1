# The man page and what is installed beside it.
dist_man_MANS += \
	doc/stepstat.1
dist_doc_DATA += \
	README.md \
	HACKING.md \
	NEWS \
	COPYING \
	doc/outputs.md \
	doc/statistics.md

EXTRA_DIST += examples

# Examples keep their folders, which automake's DATA does not.
install-data-local:
	@find $(srcdir)/examples -type f | while read -r f; do \
		rel=$${f#$(srcdir)/examples/}; \
		dir="$(DESTDIR)$(docdir)/examples/`dirname "$$rel"`"; \
		$(MKDIR_P) "$$dir" && $(INSTALL_DATA) "$$f" "$$dir" || exit 1; \
	done

uninstall-local:
	rm -rf "$(DESTDIR)$(docdir)/examples"
