/* The shipped classes: the same kind of work has the same class in every runtime, so that sides of
 * different profilers can be compared by class. Names and types are as the producers write them. */
#include "ingest/events/device_work.h"
#include "analysis/select/rules.h"
#include "tests/unit/test.h"

static const struct {
	const char *class_name, *type, *name; /* type "": the source has none */
} known[] = {
	/* PyTorch on the host and on a device, ONNX Runtime, TensorFlow, XLA, TensorRT */
	{"matrix product", "cpu_op", "aten::addmm"},
	{"matrix product", "cpu_op", "aten::mm"},
	{"matrix product", "cpu_op", "aten::bmm"},
	{"matrix product", "cpu_op", "aten::linear"},
	{"matrix product", "cpu_op", "aten::_scaled_mm"},
	{"matrix product", "Operator", "aten::matmul"},
	{"matrix product", "kernel", "ampere_sgemm_128x64_tn"},
	/* a namespace is no operation */
	{"compute", "kernel", "void fbgemm_gpu::_offsets_range_cuda_kernel<long>(long)"},
	{"matrix product", "Gemm", "fc1/Gemm"},
	{"matrix product", "FusedGemm", "fused fc1/MatMul/MatMulAddFusion"},
	{"matrix product", "MatMulNBits", "lm_head"},
	{"matrix product", "QLinearMatMul", "q"},
	{"matrix product", "MatMul", "dense/MatMul"},
	{"matrix product", "BatchMatMulV2", "attn/MatMul"},
	{"matrix product", "_FusedMatMul", "dense/BiasAdd"},
	{"matrix product", "Einsum", "e"},
	{"matrix product", "hlo", "dot.2"},
	{"matrix product", "CaskGemmMatrixMultiply", "fc"},
	{"convolution", "cpu_op", "aten::conv2d"},
	{"convolution", "cpu_op", "aten::_convolution"},
	{"convolution", "cpu_op", "aten::convolution_backward"},
	{"convolution", "cpu_op", "aten::mkldnn_convolution"},
	{"convolution", "kernel", "cudnn::cnn::conv2d_grouped_direct_kernel"},
	{"convolution", "Conv", "conv1/Conv"},
	{"convolution", "FusedConv", "conv1/Conv"},
	{"convolution", "ConvTranspose", "up"},
	{"convolution", "Conv2D", "conv1/Conv2D"},
	{"convolution", "Conv2DBackpropFilter", "g"},
	{"convolution", "hlo", "convolution.1"},
	{"convolution", "convolution fusion", "fusion.3"},
	{"convolution", "CaskConvolution", "Conv_0 + Relu_1"},
	{"convolution", "CaskDeconvolution", "up"},
	{"attention", "cpu_op", "aten::scaled_dot_product_attention"},
	{"attention", "cpu_op", "aten::_flash_attention_forward"},
	{"attention", "kernel", "flash_fwd_kernel"},
	{"attention", "MultiHeadAttention", "a"},
	{"attention", "GroupQueryAttention", "a"},
	{"normalisation", "cpu_op", "aten::_softmax"},
	{"normalisation", "cpu_op", "aten::_log_softmax_backward_data"},
	{"normalisation", "cpu_op", "aten::native_layer_norm"},
	{"normalisation", "kernel", "softmax_warp_forward"},
	{"normalisation", "Softmax", "s"},
	{"normalisation", "SkipLayerNormalization", "n"},
	{"normalisation", "FusedBatchNormV3", "bn"},
	{"normalisation", "SparseSoftmaxCrossEntropyWithLogits", "x"},
	{"reduction", "cpu_op", "aten::sum"},
	{"reduction", "kernel", "reduce_kernel"},
	{"reduction", "ReduceMean", "m"},
	{"reduction", "ArgMax", "m"},
	{"reduction", "Mean", "m"},
	{"reduction", "hlo", "reduce.5"},
	{"reduction", "hlo", "wrapped_reduce"},
	{"elementwise", "cpu_op", "aten::add_"},
	{"elementwise", "cpu_op", "aten::relu"},
	{"elementwise", "cpu_op", "aten::clamp_min"},
	{"elementwise", "cpu_op", "aten::threshold_backward"},
	{"elementwise", "cpu_op", "aten::cat"},
	{"elementwise", "kernel", "vectorized_elementwise_kernel"},
	{"elementwise", "Relu", "r"},
	{"elementwise", "Add", "a"},
	{"elementwise", "FastGelu", "g"},
	{"elementwise", "AddV2", "a"},
	{"elementwise", "ReluGrad", "g"},
	{"elementwise", "BiasAdd", "b"},
	{"elementwise", "hlo", "add_tanh_fusion"},
	{"elementwise", "hlo", "bitcast_subtract_fusion.1"},
	{"elementwise", "PointWiseV2", "p"},
	{"embedding", "cpu_op", "aten::embedding"},
	{"embedding", "GatherV2", "g"},
	{"embedding", "Gather", "g"},
	{"embedding", "kernel", "indexSelectLargeIndex_embedding"},
	{"optimiser", "cpu_op", "aten::_fused_adam_"},
	{"optimiser", "cpu_op", "aten::_foreach_mul_"},
	{"optimiser", "kernel", "multi_tensor_apply_kernel"},
	{"copies", "cpu_op", "aten::copy_"},
	{"copies", "gpu_memcpy", "Memcpy HtoD"},
	{"copies", "Memcpy", "H2D"},
	{"copies", "MemcpyFromHost", "m"},
	{"copies", "hlo", "copy.3"},
	{"copies", "Reformat", "Reformatting CopyNode for Input Tensor 0 to Conv_0"},
	{"bookkeeping", "cpu_op", "aten::view"},
	{"bookkeeping", "cpu_op", "aten::select"},
	{"bookkeeping", "Reshape", "r"},
	{"bookkeeping", "Unsqueeze", "r"},
	{"bookkeeping", "Identity", "i"},
	{"bookkeeping", "NoOp", "n"},
	{"communication", "hlo", "all-reduce.1"},
	{"communication", "kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL"},
	/* Kernels of servers' own collectives (ingest/events/device_work.c has their sources). */
	{"communication", "kernel",
		"void vllm::cross_device_reduce_1stage<__nv_bfloat16, 8>(vllm::RankData*)"},
	{"communication", "kernel",
		"_ZN4vllm26cross_device_reduce_2stageI6__halfLi8EEEvPNS_8RankDataE"},
	{"communication", "kernel", "void deep_ep::internode_ll::dispatch<true, false, 7168>(...)"},
	{"communication", "kernel", "void deep_ep::intranode::combine<__nv_bfloat16, 8, 768>(...)"},
	{"communication", "kernel",
		"void "
		"flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_oneshot_lamport<1>"},
	{"communication", "kernel", "void quickreduce::allreduce_prototype_twoshot"},
	{"communication", "kernel", "aiter::allreduce_prototype_twoshot"},
	{"communication", "kernel", "multimem_all_reduce_kernel"},
	{"communication", "kernel",
		"void c10d::(anonymous namespace)::one_shot_all_reduce_kernel<2>"},
	{"communication", "kernel", "tensorrt_llm::kernels::twoShotAllReduceKernel<half>"},
	{"communication", "kernel", "nvshmem_alltoall_kernel"},
	{"communication", "kernel", "void rdxn_on_stream_kernel<float, (rdxn_ops)4>(int, float*)"},
	{"communication", "kernel", "barrier_on_stream_kernel_threadgroup(int, int)"},
	{"communication", "kernel",
		"void "
		"mscclpp::collective::allreduceNvls<__half>(mscclpp::DeviceHandle<mscclpp::"
		"MemoryChannel>*)"},
	{"communication", "kernel",
		"ncclDevKernel_Generic_AllGather_4(ncclDevKernelArgsStorage<4096ul>)"},
	{"communication", "kernel", "_Z24barrier_all_on_stream_kerneliPi"},
	{"compute", "kernel", "collision_stream_kernel"},
	{"compute", "kernel", "my_async_on_stream_kernel"},
	{"compute", "kernel", "void compute_on_stream_kernel<float>(float*)"},
	{"compute", "kernel", "my_barrier_on_stream_kernel"},
	{"communication", "kernel", "mscclKernel_Sum_half_LL_false"},
	{"communication", "kernel", "HcclAllReduce"},
	{"reduction", "kernel", "void smallReduceKernel<float>(float*)"},
	{"reduction", "kernel", "void reduce_kernel<512, 1, func_all_reduce>(float*)"},
	{"reduction", "kernel", "triton_red_fused_all_reduce_mul_0"},
	{"compute", "kernel", "deep_ep::layout::get_dispatch_layout<256>"},
	{"launches", "Runtime", "Enqueue"},
	{"launches", "cuda_runtime", "cudaLaunchKernel"},
	{"variables", "ApplyMomentum", "a"},
	{"variables", "user_annotation", "Optimizer.step#SGD.step"},
	/* No class of its own, or only a name that looks like another. */
	{"compute", "MaxPool", "p"},
	{"compute", "Loop", "l"},
	{"compute", "PyFunc", "augment/PyFunc"},
	{"compute", "Kernel", "Compute"},
	{"compute", "cpu_op", "AddmmBackward0"},
	{"compute", "user_annotation", "## forward ##"},
	{"compute", "Address", "a"},
	{"compute", "", "tower/Address"},
	{"matrix product", "", "MatMul_1"},
};

/* By the name of a kernel the parts of devices are what its class is. */
TEST(parts_and_classes_agree)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strcmp(known[i].type, "kernel") == 0)
			assert_int_equal(
				device_work_of(known[i].name, known[i].type) == WORK_COMMUNICATION,
				strcmp(known[i].class_name, "communication") == 0);
}

TEST(kinds_of_work_meet)
{
	struct rules *rules = rules_new();
	struct error err = {.kind = ERROR_NONE};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		const char *found = NULL;

		assert_int_equal(rules_class(rules, known[i].type, known[i].name, &found, &err), 0);
		if (!found)
			fail_msg("%s %s has no class", known[i].type, known[i].name);
		if (strcmp(found, known[i].class_name) != 0)
			print_message("%s \"%s\"\n", known[i].type, known[i].name);
		assert_string_equal(found, known[i].class_name);
	}
	rules_free(rules);
}
