/* Short names: nothing that differs looks the same, nothing is wider than asked for, and what tells
 * functions apart stays. */
#include "base/text.h"
#include "base/names/demangled_name.h"
#include "base/names/short_names.h"
#include "tests/unit/test.h"

#define MANY 400

static void check(const char *const *name, size_t count, size_t width, const char *const *expected)
{
	struct arena *arena = arena_new();
	const char **cut = arena_array(arena, count, sizeof(*cut));

	short_names(name, count, width, arena, cut);
	for (size_t i = 0; i < count; i++)
		assert_string_equal(cut[i], expected[i]);
	/* in place, as reports do */
	memcpy(cut, name, count * sizeof(*cut));
	short_names(cut, count, width, arena, cut);
	for (size_t i = 0; i < count; i++)
		assert_string_equal(cut[i], expected[i]);
	arena_free(arena);
}

#define CHECK(width, name, ...)                                                                    \
	check(name, sizeof(name) / sizeof(*(name)), width, (const char *const[]){__VA_ARGS__})

TEST(names_that_fit_stay)
{
	static const char *const name[] = {"aten::mm", "void f<int>(int)", "a/b/c"};

	CHECK(48, name, "aten::mm", "void f<int>(int)", "a/b/c");
}

/* Expected by c++filt of binutils 2.40; the short forms by the rules for functions. */
TEST(mangled_names_are_demangled)
{
	static const char *const name[] = {"_ZN7ck_tile6kernelILi128EEEvPKfi", "_Z4gemmPf", "gemm",
		"_ZN2at6native18elementwise_kernelILi128ELi4EZNS0_22gpu_kernel_impl_nocastINS0_"
		"11FillFunctorIfEEEEvRNS_18TensorIteratorBaseERKT_EUliE_EEviT1_",
		"_Zebra", "_ZN1AC1Ev", "_ZN1AC2Ev", "__Z4gemmPf"};

	CHECK(48, name, "void ck_tile::kernel<128>(float const*, int)", "gemm(float*)", "gemm",
		"elementwise_kernel<FillFunctor>", "_Zebra", "_ZN1AC1Ev", "_ZN1AC2Ev",
		"__Z4gemmPf");
}

/* Return types of cuBLAS's and FlashInfer's kernels, and of functions at large; comparisons among
 * the template arguments are no brackets. */
TEST(return_types_are_no_words)
{
	static const char *const name[] = {
		"std::enable_if<!false, void>::type internal::gemvx::kernel<int, int, "
		"__nv_bfloat16, float, false, true>(cublasGemvParamsEx<int>)",
		"std::enable_if<(4 > 3), void>::type at::native::vectorized_elementwise_kernel<4, "
		"at::native::FillFunctor<int>, std::array<char*, 1ul> >(int)",
		"typename std::enable_if<X::v, void>::type flashinfer::decode<float, 3>(Params)",
		"std::pair<some::Thing, float> space::baz<(5 > 4), Tile<(2 > 1)> >(int, int, int)",
		"decltype(first(1)) space::Class<Part>::qux<3>(int, int, int, int, int, int)",
		"const float * space::bar(int, int, int, int, int, int, int, int, int, int)"};

	CHECK(48, name, "kernel<__nv_bfloat16>", "vectorized_elementwise_kernel<FillFunctor>",
		"decode", "baz<Tile>", "qux<Class Part>", "bar");
}

/* Each "S0_I..E" is a pair of the pair before it: 255 bytes stand for 1.1 GB. Beyond 4096 bytes, or
 * of a name beyond 1024, it stays as it is. */
TEST(demangling_is_bounded)
{
	struct arena *arena = arena_new();
	char name[1200] = "_Z1fSt4pairIiiE";
	static const char *const pair[] = {"S0_", "S1_", "S2_", "S3_", "S4_", "S5_", "S6_", "S7_",
		"S8_", "S9_", "SA_", "SB_", "SC_", "SD_", "SE_", "SF_", "SG_", "SH_", "SI_", "SJ_"};

	for (size_t i = 0; i < sizeof(pair) / sizeof(*pair); i++) {
		const char *whole;

		snprintf(name + strlen(name), sizeof(name) - strlen(name), "S_I%s%sE", pair[i],
			pair[i]);
		whole = demangled_name(arena, name);
		/* f(std::pair<int, int>, std::pair<std::pair<int, int>, ...: a doubles with each */
		assert_true((whole != NULL) == (i < 5));
	}
	memcpy(name, "_Z1023", 7);
	memset(name + 6, 'a', 1019);
	name[1024] = '\0';
	assert_null(demangled_name(arena, name)); /* is cut */
	memcpy(name, "_Z1018", 7);
	memset(name + 6, 'a', 1018);
	memcpy(name + 6 + 1018, "v", 2);
	assert_null(demangled_name(arena, name)); /* 1025 bytes */
	memcpy(name, "_Z1017", 7);
	memset(name + 6, 'a', 1017);
	memcpy(name + 6 + 1017, "v", 2);
	assert_int_equal(strlen(demangled_name(arena, name)), 1019);
	arena_free(arena);
}

TEST(kernels_of_one_template)
{
	static const char *const name[] = {
		"void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_128x64_16x6_nn_align4>("
		"cutlass_80_tensorop_s1688gemm_128x64_16x6_nn_align4::Params)",
		"void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_128x64_32x6_nn_align4>("
		"cutlass_80_tensorop_s1688gemm_128x64_32x6_nn_align4::Params)",
		"void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_64x64_16x6_nn_align4>("
		"cutlass_80_tensorop_s1688gemm_64x64_16x6_nn_align4::Params)",
	};

	CHECK(48, name, "Kernel<cutlass_80_tensor\342\200\246_128x64_16x6_nn_align4>",
		"Kernel<cutlass_80_tensor\342\200\246_128x64_32x6_nn_align4>",
		"Kernel<cutlass_80_tensor\342\200\246m_64x64_16x6_nn_align4>");
}

TEST(words_tell_functions_apart)
{
	static const char *const name[] = {
		"void at::native::vectorized_elementwise_kernel<4, "
		"at::native::CUDAFunctor_add<float>, "
		"at::detail::Array<char*, 3> >(int, at::native::CUDAFunctor_add<float>)",
		"void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, "
		"at::detail::Array<char*, 1> >(int, at::native::FillFunctor<float>)",
		"void (anonymous namespace)::softmax_warp_forward<float, float, float, 10, true, "
		"false>("
		"float*, float const*, int, int, int, bool const*)",
		"int f(unsigned long long, unsigned long long, unsigned long long)",
		"f",
		"autograd::engine::evaluate_function: SplitWithSizesBackward0",
	};

	CHECK(48, name, "vectorized_elementwise_kernel<CUDAFunctor_add>",
		"vectorized_elementwise_kernel<FillFunctor>", "softmax_warp_forward",
		"int f(unsigned long long\342\200\246ng, unsigned long long)", "f",
		"evaluate_function: SplitWithSizesBackward0");
}

TEST(paths_keep_the_part_that_differs)
{
	static const char *const name[] = {
		"gradients/unit_3_2/sub2/conv2/Conv2D_grad/Conv2DBackpropInput",
		"gradients/unit_3_3/sub2/conv2/Conv2D_grad/Conv2DBackpropInput"};

	CHECK(40, name, "gradients/unit_3_2/\342\200\246/Conv2DBackpropInput",
		"gradients/unit_3_3/\342\200\246/Conv2DBackpropInput");
}

TEST(hostile_bytes_are_harmless)
{
	static const char *const name[] = {"a\033[2Jb"};

	CHECK(48, name, "a\\x1b[2Jb");
}

/* Blanks that nobody sees do not tell names apart, nor do forms that are the same. */
TEST(what_is_not_seen_makes_no_difference)
{
	static const char *const execute[] = {
		"ThunkExecutor::Execute", "ThunkExecutor::Execute (wait for completion)"};
	static const char *const blank[] = {"a", "a ", " a", " ", "", "  "};
	static const char *const turned[] = {
		"void f<some_type, other_type>(long, long, long, long, long)",
		"void f<other_type, some_type>(long, long, long, long, long)"};

	CHECK(40, execute, "ThunkExecutor::Execute",
		"ThunkExec\342\200\246:Execute (wait for completion)");
	CHECK(12, execute, "Execute", "ThunkE\342\200\246ecute");
	CHECK(48, blank, "a", "a\\x20", "\\x20a", "\\x20", "(no name)", "\\x20\\x20");
	CHECK(30, turned, "f\342\200\246some_type, other", "f\342\200\246other_type, some");
}

static const char *random_name(struct arena *arena, bool code)
{
	static const char *const part[] = {
		"gemm", "128x64", "nn", "relu", "float", "int", "tile", "k"};
	struct text text;
	const char *name;
	int n = 3 + rand() % 12;

	text_init(&text);
	text_add(&text, code ? "void ns::kernel<" : "volta_sgemm");
	for (int i = 0; i < n; i++) {
		text_add(&text, code ? "ns::" : "_");
		text_add(&text, part[rand() % 8]);
		text_add(&text, code && i + 1 < n ? ", " : "");
	}
	text_add(&text, code ? ">(ns::Params)" : "");
	if (rand() % 8 == 0)
		text_add(&text, rand() % 2 ? " " : " (wait)");
	name = arena_strdup(arena, text_string(&text));
	text_release(&text);
	return name;
}

/* Different names differ, whatever the width, and the order of the names does not matter. */
TEST(different_names_look_different)
{
	static const size_t width[] = {12, 13, 16, 20, 25, 33, 48, 80};
	struct arena *arena = arena_new();
	const char *name[MANY], *cut[MANY], *again[MANY], *turned[MANY];

	srand(7);
	for (size_t i = 0; i < MANY; i++)
		name[i] = random_name(arena, i % 2);
	for (size_t i = 0; i < MANY; i++)
		turned[i] = name[MANY - 1 - i];
	for (size_t w = 0; w < sizeof(width) / sizeof(*width); w++) {
		short_names(name, MANY, width[w], arena, cut);
		short_names(turned, MANY, width[w], arena, again);
		for (size_t i = 0; i < MANY; i++) {
			assert_true(text_width(cut[i]) <= width[w]);
			assert_true(*cut[i] != ' ' && !text_ends(cut[i], " "));
			assert_string_equal(cut[i], again[MANY - 1 - i]);
			for (size_t k = 0; k < i; k++)
				assert_int_equal(
					text_equal(name[i], name[k]), text_equal(cut[i], cut[k]));
		}
	}
	arena_free(arena);
}

/* Of long names only what is shown is kept, whatever has to be made visible in them. */
TEST(long_names_cost_what_is_shown)
{
	struct arena *arena = arena_new(), *names = arena_new();
	char *name[40];
	const char *cut[40];

	for (size_t i = 0; i < 40; i++) {
		name[i] = arena_alloc(names, 50001);
		memset(name[i], 1, 50000);
		name[i][49999] = (char)('a' + i % 26);
		name[i][49998] = (char)('a' + i / 26);
	}
	short_names((const char *const *)name, 40, 48, arena, cut);
	for (size_t i = 0; i < 40; i++)
		assert_true(text_fits(cut[i], 48));
	assert_true(arena_size_bytes(arena) < 50000);
	arena_free(names);
	arena_free(arena);
}
