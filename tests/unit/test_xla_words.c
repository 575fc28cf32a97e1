/* Scopes of op_names as JAX 0.10 and 0.4 write them (printed by jax.jit(f).lower().compile()
 * .as_text() of a model with modules, remat, scan, cond and vmap), of TPUs and of TensorFlow. */
#include "ingest/trace/xla_words.h"

#include "ingest/events/device_work.h"
#include "tests/unit/test.h"

static const char *scope_of(const char *op_name)
{
	static struct text text;

	text_release(&text);
	text_init(&text);
	xla_add_scope((struct xla_text){op_name, strlen(op_name)}, &text);
	return text_string(&text);
}

TEST(forward_and_backward_are_one)
{
	assert_string_equal(scope_of("jit(step)/jvp(M)/b1/Dense_0/dot_general"),
		"step/M/b1/Dense_0/dot_general");
	assert_string_equal(scope_of("jit(step)/transpose(jvp(M))/b1/Dense_0/transpose"),
		"step/M/b1/Dense_0/transpose");
	assert_string_equal(scope_of("jit(step)/transpose(jvp())/cond/branch_0_fun/mul"),
		"step/cond/branch_0_fun/mul");
	assert_string_equal(scope_of("jit(step)/jvp()/div"), "step/div");
	assert_string_equal(
		scope_of("jit(f)/jit(main)/transpose(jvp(Net))/Conv_0/add"), "f/Net/Conv_0/add");
}

TEST(recomputed_once_more)
{
	assert_string_equal(scope_of("jit(step)/transpose(jvp(M))/jvp(M)/checkpoint/"
				     "rematted_computation/b0/Dense_0/add"),
		"step/M/b0/Dense_0/add");
	/* Two modules of one name, one in the other, stay. */
	assert_string_equal(scope_of("jit(step)/jvp(M)/M/add"), "step/M/M/add");
	assert_string_equal(scope_of("jit(step)/transpose(jvp(M))/M/add"), "step/M/M/add");
}

TEST(loops_are_no_scopes)
{
	assert_string_equal(
		scope_of("jit(step)/jvp(M)/while/body/closed_call/layers/inner/jit(relu)/max"),
		"step/M/layers/inner/relu/max");
	assert_string_equal(scope_of("jit(step)/jvp(M)/while/cond/lt"), "step/M/lt");
	/* The op itself is none that is left out. */
	assert_string_equal(scope_of("jit(step)/jvp(M)/while"), "step/M/while");
	assert_string_equal(
		scope_of("jit(step)/jvp(M)/while/body/closed_call"), "step/M/closed_call");
	assert_string_equal(scope_of("jit(step)/while/sub"), "step/while/sub");
	assert_string_equal(scope_of("jit(step)/M/body/Dense_0/dot"), "step/M/body/Dense_0/dot");
}

TEST(names_with_slashes_inside)
{
	assert_string_equal(scope_of("jit(f)/vmap(a/jvp(b))/add"), "f/a/jvp(b)/add");
	assert_string_equal(scope_of("jit(step)/transpose(jvp(att))/vmap(i,i->)/dot_general"),
		"step/att/i,i->/dot_general");
	assert_string_equal(scope_of("jit(f)/open(/add"), "f/open(/add");
	assert_string_equal(scope_of("jit(f)/)a/add"), "f/)a/add");
	assert_string_equal(scope_of("silu(x)/add"), "silu(x)/add");
}

TEST(types_behind)
{
	assert_string_equal(scope_of("jit(f)/jit(main)/add:"), "f/add");
	assert_string_equal(scope_of("model/dense/MatMul:MatMul"), "model/dense/MatMul");
	assert_string_equal(scope_of("layer:0/add"), "layer:0/add");
	assert_string_equal(scope_of("jit(f)/rate:0"), "f/rate:0");
	assert_string_equal(scope_of("jit(f)/mul;jit(f)/a/add"), "f/mul");
	assert_string_equal(scope_of("jit(f)/vmap(i;j)/add;x"), "f/i;j/add");
	assert_string_equal(scope_of("x:"), "x");
	assert_string_equal(scope_of(""), "");
}

static bool has_type(const char *name, const char *type, const char *want)
{
	const struct xla_text found = xla_word_type(
		(struct xla_text){name, strlen(name)}, (struct xla_text){type, strlen(type)});

	return xla_text_is(found, want);
}

TEST(types_say_what_was_done)
{
	assert_true(has_type("all-reduce-start.7", "hlo", "all-reduce-start"));
	assert_true(has_type("all-gather.1", "hlo", "all-gather"));
	assert_true(has_type(
		"ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)", "kernel", DEVICE_WORK_COMMUNICATION));
	assert_true(has_type("copy-start.2", "hlo", DEVICE_WORK_COPY));
	assert_true(has_type("fusion.3", "hlo", "hlo"));
	assert_true(has_type("all-reduce.1", "all-reduce", "all-reduce"));
	assert_int_equal(device_work_of("", "all-reduce-start"), WORK_COMMUNICATION);
	assert_int_equal(device_work_of("", DEVICE_WORK_COMMUNICATION), WORK_COMMUNICATION);
	assert_int_equal(device_work_of("", DEVICE_WORK_COPY), WORK_COPY);
	assert_int_equal(device_work_of("", "copy-done"), WORK_COPY);
	assert_int_equal(device_work_of("", "hlo"), WORK_COMPUTE);
}
