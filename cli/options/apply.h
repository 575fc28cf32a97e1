/* Handlers of the option table, for options whose value is more than a number, a word or a text:
 * each turns one option's text into settings. value is NULL for a switch. */
#pragma once

#include "cli/options/settings.h"

/* Calls add for every word between commas; an empty word is an error. */
int word_each(struct settings *s, const char *option, const char *value,
	int (*add)(struct settings *, const char *word, struct error *), struct error *err);

int apply_rules(struct settings *s, const char *value, struct error *err);
int apply_full_match(struct settings *s, const char *value, struct error *err);
int apply_by(struct settings *s, const char *value, struct error *err);
int apply_value(struct settings *s, const char *value, struct error *err);
extern const char *const value_words[], *const of_words[], *const per_words[], *const csv_words[];
int apply_allow(struct settings *s, const char *value, struct error *err);
int apply_of(struct settings *s, const char *value, struct error *err);
int apply_per(struct settings *s, const char *value, struct error *err);
int apply_method(struct settings *s, const char *value, struct error *err);
int apply_csv(struct settings *s, const char *value, struct error *err);
int apply_layout(struct settings *s, const char *value, struct error *err);
int apply_graph(struct settings *s, const char *value, struct error *err);
int apply_name(struct settings *s, const char *value, struct error *err);
int apply_kind(struct settings *s, const char *value, struct error *err);
int apply_warmup(struct settings *s, const char *value, struct error *err);
int apply_step_marker(struct settings *s, const char *value, struct error *err);
int apply_user_code(struct settings *s, const char *value, struct error *err);
int apply_window(struct settings *s, const char *value, struct error *err);
int apply_runs(struct settings *s, const char *value, struct error *err);
int apply_ranks(struct settings *s, const char *value, struct error *err);
int apply_fact(struct settings *s, const char *value, struct error *err);
int apply_status(struct settings *s, const char *value, struct error *err);
int apply_session(struct settings *s, const char *value, struct error *err);
int apply_label(struct settings *s, const char *value, struct error *err);
int apply_tag(struct settings *s, const char *value, struct error *err);
int apply_rank(struct settings *s, const char *value, struct error *err);
int apply_base(struct settings *s, const char *value, struct error *err);
int apply_new(struct settings *s, const char *value, struct error *err);
int apply_map(struct settings *s, const char *value, struct error *err);
int apply_noise(struct settings *s, const char *value, struct error *err);
int apply_explain(struct settings *s, const char *value, struct error *err);
int apply_today(struct settings *s, const char *value, struct error *err);
int apply_measure(struct settings *s, const char *value, struct error *err);
int apply_measures(struct settings *s, const char *value, struct error *err);
int apply_stats(struct settings *s, const char *value, struct error *err);
int apply_confidence(struct settings *s, const char *value, struct error *err);
int apply_top(struct settings *s, const char *value, struct error *err);
int apply_margin(struct settings *s, const char *value, struct error *err);
int apply_min_share(struct settings *s, const char *value, struct error *err);
int apply_unit(struct settings *s, const char *value, struct error *err);
int apply_o(struct settings *s, const char *value, struct error *err);
int apply_to(struct settings *s, const char *value, struct error *err);
int apply_from(struct settings *s, const char *value, struct error *err);
int apply_help(struct settings *s, const char *value, struct error *err);
