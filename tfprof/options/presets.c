/*
 * Sets of options: what differs from the defaults. All count shown nodes only and show every level.
 */
#include "tfprof/options/presets.h"

#include "tfprof/options/word_list.h"

#define PRESET_DEPTH 10000

static const struct preset {
	const char *name;
	int64_t min_bytes, min_micros, min_float_ops;
	const char *order_by, *account_type, *select;
} presets[] = {
	{"trainable_variables_parameter", 0, 0, 0, "name", "_trainable_variables", "params"},
	{"float_operation", 0, 0, 1, "float_ops", ".*", "float_ops"},
	{"time_and_memory", 1, 1, 0, "micros", ".*", "micros,bytes"},
	/* 2017 */
	{"TRAINABLE_VARS_PARAMS_STAT_OPTIONS", 0, 0, 0, "name", "_trainable_variables", "params"},
	{"FLOAT_OPS_OPTIONS", 0, 0, 1, "float_ops", ".*", "float_ops"},
	{"PRINT_ALL_TIMING_MEMORY", 1, 1, 0, "name", ".*", "micros,bytes"},
};

#define PRESET_COUNT (sizeof(presets) / sizeof(*presets))

const char *tfprof_preset_name(size_t index)
{
	return index < PRESET_COUNT ? presets[index].name : NULL;
}

/* The defaults, but for the step and where the answer goes. */
static void clear(struct tfprof_options *options, struct arena *arena)
{
	struct tfprof_options standard;

	tfprof_options_init(&standard, arena);
	standard.step = options->step;
	standard.several_steps = options->several_steps;
	standard.step_range = options->step_range;
	standard.step_range_count = options->step_range_count;
	standard.output = options->output;
	standard.output_option = options->output_option;
	standard.output_option_count = options->output_option_count;
	standard.proto_out = options->proto_out;
	*options = standard;
}

static void set(struct tfprof_options *options, const struct preset *preset, struct arena *arena)
{
	clear(options, arena);
	options->max_depth = PRESET_DEPTH;
	options->min[QUANTITY_BYTES] = preset->min_bytes;
	options->min[QUANTITY_MICROS] = preset->min_micros;
	options->min[QUANTITY_FLOAT_OPS] = preset->min_float_ops;
	options->order_by = preset->order_by;
	word_list_split(&options->account_type, preset->account_type, arena);
	options->account_displayed_op_only = true;
	tfprof_select_set(options, preset->select, arena);
}

bool tfprof_preset_apply(struct tfprof_options *options, const char *name, struct arena *arena)
{
	for (size_t i = 0; i < PRESET_COUNT; i++)
		if (text_equal(presets[i].name, name)) {
			set(options, &presets[i], arena);
			return true;
		}
	return false;
}
