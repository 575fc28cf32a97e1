# Pages of producers; topics of help are in those of topic_pages.
recipes = \
	doc/recipe-tensorflow.md \
	doc/recipe-pytorch.md \
	doc/recipe-nsight.md \
	doc/recipe-rocm.md \
	doc/recipe-jax.md \
	doc/recipe-onnxruntime.md \
	doc/recipe-chrome.md \
	doc/recipe-perfetto.md \
	doc/recipe-tensorrt.md \
	doc/recipe-criterion.md \
	doc/recipe-go.md \
	doc/recipe-google-benchmark.md \
	doc/recipe-hyperfine.md \
	doc/recipe-pytest-benchmark.md \
	doc/recipe-vllm.md
topic_pages = $(recipes) doc/benchmarks.md doc/topics.md

# The man page and what is installed beside it.
dist_man_MANS += \
	doc/stepstat.1 \
	doc/tfprof.1
dist_doc_DATA += \
	README.md \
	HACKING.md \
	NEWS \
	COPYING \
	COPYING.APACHE \
	COPYING.OUTPUT \
	SECURITY.md \
	doc/ab.md \
	doc/audit.md \
	doc/benchmarks.md \
	doc/c-interface.md \
	doc/ci.md \
	doc/comparison.md \
	doc/decisions.md \
	doc/faq.md \
	doc/fleets.md \
	doc/gallery.md \
	doc/glossary.md \
	doc/history.md \
	doc/inputs.md \
	doc/observations.md \
	doc/outputs.md \
	doc/pages.md \
	doc/pictures/compare.png \
	doc/pictures/report.png \
	doc/part.md \
	doc/internals.md \
	doc/limits.md \
	doc/performance.md \
	doc/python.md \
	doc/reading.md \
	doc/recipes.md \
	$(recipes) \
	doc/runtimes.md \
	doc/sound-rules.md \
	doc/sql.md \
	doc/start.md \
	doc/statistics-simulation.md \
	doc/statistics.md \
	doc/store.md \
	doc/tfprof-differences.md \
	doc/tfprof.md \
	doc/timelines.md \
	doc/topics.md \
	doc/understand-idle.md \
	doc/understand-intervals.md \
	doc/understand-jitter.md \
	doc/understand-step-time.md \
	doc/understand-steps.md \
	doc/understand-verdicts.md

EXTRA_DIST += examples doc/stepstat.bash doc/stepstat.fish doc/stepstat.zsh doc/schema doc/site.yml

# Shells load the completion by the name of the program.
install-completion:
	@$(MKDIR_P) "$(DESTDIR)$(datadir)/bash-completion/completions" && 	$(INSTALL_DATA) $(srcdir)/doc/stepstat.bash 		"$(DESTDIR)$(datadir)/bash-completion/completions/stepstat"
	@$(MKDIR_P) "$(DESTDIR)$(datadir)/fish/vendor_completions.d" && $(INSTALL_DATA) $(srcdir)/doc/stepstat.fish "$(DESTDIR)$(datadir)/fish/vendor_completions.d/stepstat.fish"
	@$(MKDIR_P) "$(DESTDIR)$(datadir)/zsh/site-functions" && $(INSTALL_DATA) $(srcdir)/doc/stepstat.zsh "$(DESTDIR)$(datadir)/zsh/site-functions/_stepstat"

# Examples keep their folders, which automake's DATA does not.
install-data-local: install-completion
	@find $(srcdir)/examples -name .deps -prune -o -type f ! -name '*.o' ! -name .dirstamp ! -name print_view -print | \
	while read -r f; do \
		rel=$${f#$(srcdir)/examples/}; \
		dir="$(DESTDIR)$(docdir)/examples/`dirname "$$rel"`"; \
		$(MKDIR_P) "$$dir" && $(INSTALL_DATA) "$$f" "$$dir" || exit 1; \
	done

uninstall-local:
	rm -rf "$(DESTDIR)$(docdir)/examples"
	rm -f "$(DESTDIR)$(datadir)/bash-completion/completions/stepstat" "$(DESTDIR)$(datadir)/fish/vendor_completions.d/stepstat.fish" \
		"$(DESTDIR)$(datadir)/zsh/site-functions/_stepstat"
