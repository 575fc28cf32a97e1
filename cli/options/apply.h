/*
 * Handlers of the option table, for options whose value is more than a number, a word or a text:
 * each turns one option's text into settings. value is NULL for a switch.
 */
#ifndef STEPSTAT_CLI_OPTIONS_APPLY_H
#define STEPSTAT_CLI_OPTIONS_APPLY_H

#include "cli/options/settings.h"

int apply_rules(struct settings *s, const char *value, struct error *err);
int apply_full_match(struct settings *s, const char *value, struct error *err);
int apply_by(struct settings *s, const char *value, struct error *err);
int apply_value(struct settings *s, const char *value, struct error *err);
extern const char *const value_words[]; /* of --value */
int apply_name(struct settings *s, const char *value, struct error *err);
int apply_kind(struct settings *s, const char *value, struct error *err);
int apply_warmup(struct settings *s, const char *value, struct error *err);
int apply_derive(struct settings *s, const char *value, struct error *err);
int apply_log(struct settings *s, const char *value, struct error *err);
int apply_step_marker(struct settings *s, const char *value, struct error *err);
int apply_user_code(struct settings *s, const char *value, struct error *err);
int apply_window(struct settings *s, const char *value, struct error *err);
int apply_runs(struct settings *s, const char *value, struct error *err);
int apply_ranks(struct settings *s, const char *value, struct error *err);
int apply_fact(struct settings *s, const char *value, struct error *err);
int apply_rank(struct settings *s, const char *value, struct error *err);
int apply_base(struct settings *s, const char *value, struct error *err);
int apply_new(struct settings *s, const char *value, struct error *err);
int apply_pair(struct settings *s, const char *value, struct error *err);
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
int apply_kilobyte(struct settings *s, const char *value, struct error *err);
int apply_from(struct settings *s, const char *value, struct error *err);
int apply_help(struct settings *s, const char *value, struct error *err);

#endif
