/* The shipped class rules: what kind of work an op is. Types are TensorFlow's; what PyTorch's
 * traces have for a type is a category only, so that there patterns see "CATEGORY:NAME". Users
 * replace the whole set by a `classes` section in their rules. */
#include "analysis/select/rules.h"

#include <string.h>

/* An op of PyTorch by the words of its name: cpu_op:aten::_addmm. */
#define OF_TORCH "^\\w+:(aten|quantized|mkldnn|onednn|xformers|flash_attn)::_*"
/* Name of a kernel, up to its template arguments and parameters. */
#define OF_KERNELS "^(?i:kernel|\\w+_kernel|hlo):(\\(anonymous namespace\\)|[^<(])*"

static const char shipped[] =
	"# What an op does, by its type; the first class that matches counts. In PyTorch's traces "
	"a pattern\n"
	"# sees CATEGORY:NAME, as in cpu_op:aten::copy_ and kernel:ncclDevKernel_AllReduce; in "
	"JAX's "
	"hlo:NAME,\n"
	"# host:NAME, wait:NAME.\n"
	"classes:\n"
	"  waits:\n"
	"    - "
	"'^(?i:\\w+_runtime|\\w+_driver|runtime):\\w*(Synchronize|EventQuery|StreamQuery|WaitEvent)"
	"'\n"
	"    - '^\\w+:.*\\b(wait_tensor|barrier)$'\n"
	"    - '^wait:'\n"
	"  input pipeline:\n"
	"    - '^(?!\\w+:(?!:)).*(Dataset|Iterator|Queue|Reader)'\n"
	"    - '^(?i:\\w+_op|operator|user_annotation):.*DataLoader'\n"
	"    - "
	"'^(ReadFile|Decode|Parse|MatchingFiles|ShardedFilename|Stage|Unstage|MapStage|Batch$|"
	"Prefetch|Generator)'\n"
	"  communication:\n"
	"    - "
	"'^_?(Host)?(Send|Recv)|^(Nccl|Collective|Horovod|AllReduce|CrossReplica|_ScopedAllocator)'"
	"\n"
	"    - '/AllReduce|^RecvTensor'\n"
	"    - '^(?i:kernel|\\w+_kernel|collective_comm):.*(?i:nccl|rccl|msccl|oneccl|hccl|nvshmem|"
	"cross_device_reduce|deep_ep(::|9|12)int(er|ra)node|"
	"(?<![a-z_])(rdxn|reduce|barrier(_all)?|sync(_all)?|fcollect|alltoall|broadcast|"
	"reducescatter|quiet|signal_(op|wait_until))_on_stream_kernel)'\n"
	"    - '^(?i:kernel|\\w+_kernel):(?!triton_)(\\(anonymous namespace\\)|[^<(])*"
	"((?<![A-Za-z])|(?<=[a-z])(?=[AR]))(?i:all[-_]?(reduce|gather|to[-_]?all)|reduce[-_]?"
	"scatter)'\n"
	"    - '^\\w+:(_?c10d(_functional)?::|record_param_comms|(nccl|gloo|mpi|ucc|hccl|xccl):)'\n"
	"    - '^hlo:(all-(reduce|gather|to-all)|reduce-scatter|collective-)'\n"
	"    - '^(?!\\w+:)(.*[-_./])?"
	"(?i:all[-_]?(reduce|gather|to[-_]?all)|reduce[-_]?scatter|send|recv)$'\n"
	"    - '^(?!\\w+:)(?i:nccl|rccl|oneccl|hccl)'\n"
	"  copies:\n"
	"    - '^hlo:copy\\b|^data formatting$|^Reformat$'\n"
	"    - '^(?i:\\w*memcpy|\\w*memset):'\n"
	"    - '^\\w+:aten::(copy_|_to_copy|_copy_from|clone)$'\n"
	"    - 'MEMCPY|Memcpy|^_?(Copy|CopyHost|DeepCopy)$|^edge_[0-9]+_'\n"
	"  launches:\n"
	"    - '^(?i:\\w+_runtime|\\w+_driver|runtime):'\n"
	"  attention:\n"
	"    - '" OF_KERNELS "(?i:attention|flash|fmha|mha_|attn_|_attn|sdpa)'\n"
	"    - '" OF_TORCH "\\w*(attention|flash_fwd|flash_bwd)'\n"
	"    - '^\\w*Attention\\w*$'\n"
	"  convolution:\n"
	"    - '" OF_KERNELS "(?i:conv(?!ert)|[wd]grad|fprop|winograd|im2col|col2im)'\n"
	"    - '" OF_TORCH "\\w*conv(?!ert)'\n"
	"    - '^\\w*[Cc]onv(?!ert)\\w*$|^convolution\\b'\n"
	"  matrix product:\n"
	"    - '" OF_KERNELS "(?i:(?<!fb)gemm|gemv|matmul|cijk_|cublas|cutlass|nvjet|splitk)'\n"
	"    - '^hlo:dot\\b'\n"
	"    - '" OF_TORCH "(addmm|addbmm|addmv|addr|baddbmm|bmm|mm|matmul|mv|dot|"
	"einsum|linear\\w*|scaled_mm|int_mm|weight_int\\w*)$'\n"
	"    - '^\\w*(MatMul|(?i:gemm)|MatrixMultiply|FullyConnected|Einsum)\\w*$'\n"
	"  embedding:\n"
	"    - '" OF_KERNELS "(?i:embedding|index_?select)'\n"
	"    - '" OF_TORCH "(embedding\\w*|index_select)$'\n"
	"    - '^(Resource|Parallel)?Gather|^Embedding'\n"
	"  optimiser:\n"
	"    - '" OF_KERNELS "(?i:adam|adagrad|lamb|sgd|optimizer|multi_tensor_apply)'\n"
	"    - '" OF_TORCH "(fused_(adam|adamw|sgd|adagrad)_?|foreach_\\w+)$'\n"
	"  normalisation:\n"
	"    - '" OF_KERNELS "(?i:softmax|(layer|batch|group|instance|rms)_?norm|"
	"bn_[fb]w)'\n"
	"    - '" OF_TORCH "\\w*(softmax|(layer|batch|group|instance|rms)_norm)'\n"
	"    - '^\\w*(Soft[mM]ax|(Batch|Layer|Group|Instance|RMS)Norm|"
	"Normalization)\\w*$'\n"
	"  reduction:\n"
	"    - '" OF_KERNELS "(?i:reduce|reduction|arg_?(max|min)|topk|sort|scan|"
	"triton_(red|per)_)'\n"
	"    - '" OF_TORCH "(sum|mean|max|min|amax|amin|argmax|argmin|prod|any|all|norm|"
	"linalg_vector_norm|var|std|var_mean|logsumexp|topk|sort|argsort|cumsum|"
	"cumprod)$'\n"
	"    - '^(Reduce|Arg(Max|Min)|TopK|Cum[sS]um)|^(Sum|Mean|Prod|All|Any|L2Loss|"
	"BiasAddGrad)$'\n"
	"  elementwise:\n"
	"    - '" OF_KERNELS "(?i:elementwise|pointwise|CatArray|triton_poi_|fill)'\n"
	"    - '" OF_TORCH "(add|sub|rsub|mul|div|pow|sqrt|rsqrt|exp|log|log1p|neg|abs|"
	"sign|reciprocal|square|sin|cos|erf|tanh|sigmoid|silu|gelu|elu|selu|relu|"
	"leaky_relu|hardtanh|hardswish|hardsigmoid|softplus|mish|glu|prelu|clamp\\w*|"
	"threshold|where|maximum|minimum|eq|ne|gt|ge|lt|le|logical_\\w+|masked_fill|"
	"fill|zero|addcmul|addcdiv|lerp|native_dropout|dropout|bernoulli|cat|stack)(_|"
	"_backward)?$'\n"
	"    - '^_?(Fused)?(Add|AddV2|AddN|Sub|Mul|Div|RealDiv|DivNoNan|Pow|Sqrt|Rsqrt|"
	"Square|SquaredDifference|Reciprocal|Exp|Log|Log1p|Neg|Abs|Sign|Erf|Clip|"
	"ClipByValue|Where|Select|SelectV2|Equal|NotEqual|Greater|GreaterEqual|Less|"
	"LessEqual|Not|And|Or|LogicalAnd|LogicalOr|LogicalNot|Maximum|Minimum|Max|Min|"
	"Cast|BiasAdd|Fill|ZerosLike|OnesLike|Dropout|Concat|ConcatV2|PointWise|"
	"PointWiseV2|ElementWise)$'\n"
	"    - '^_?(Fused)?(Tanh|Sigmoid|Relu|Relu6|LeakyRelu|PRelu|Elu|Selu|Gelu|"
	"FastGelu|QuickGelu|BiasGelu|Softplus|Softsign|HardSigmoid|HardSwish|Sqrt|Rsqrt|"
	"Reciprocal)(Grad)?$'\n"
	"    - '^hlo:(wrapped_|bitcast_)*(add|subtract|multiply|divide|maximum|minimum|"
	"exponential|log|tanh|power|negate|abs|sqrt|rsqrt|logistic|compare|select|clamp|"
	"convert|broadcast|concatenate|and|or|not)([_.]|$)'\n"
	"    - 'elementwise$|^loop fusion$'\n"
	"  variables:\n"
	"    - '^\\w+:Optimizer\\.'\n"
	"    - "
	"'^(Variable(V2)?|VarHandleOp|ReadVariableOp|IsVariableInitialized|VarIsInitializedOp)$'\n"
	"    - "
	"'^(Assign|Apply|ResourceApply|SparseApply|ResourceSparseApply|Scatter(Update|Add|Sub)|"
	"ResourceScatter)'\n"
	"  bookkeeping:\n"
	"    - "
	"'^(NoOp|Const|Placeholder|Identity|IdentityN|StopGradient|PreventGradient|ControlTrigger|"
	"Assert)'\n"
	"    - '^(Ref)?(Switch|Merge|Enter|Exit|NextIteration)$|^LoopCond$|^_(Switch|Merge)'\n"
	"    - "
	"'^(Shape|ShapeN|Rank|Size|Reshape|Flatten|ExpandDims|Squeeze|Unsqueeze|"
	"BroadcastGradientArgs|ConcatOffset|"
	"InvertPermutation)$'\n"
	"    - '^host:'\n"
	"    - '^(Stack|TensorArray|Save|Restore|MergeV2Checkpoints|Print|[A-Za-z]*Summary)'\n"
	"    - '^_?(arg|retval|Arg|Retval)|^_(SOURCE|SINK)|^ConstantFolding/|^(init|group_deps)$'\n"
	"    - "
	"'^\\w+:aten::(empty|empty_like|empty_strided|resize_|view|_unsafe_view|_reshape_alias|"
	"reshape|as_strided|t|"
	"transpose|permute|expand|slice|select|narrow|split|unbind|squeeze|unsqueeze|detach|detach_"
	"|alias|item|to|"
	"result_type|is_nonzero|flatten|resolve_conj|resolve_neg)$'\n"
	"  compute:\n"
	"    - '.'\n";

/* Words of PyTorch's profiler, of all devices, and those of the reader of JAX's traces. */
bool class_type_is_category(const char *type)
{
	static const char *const words[] = {"cpu_op", "user_annotation", "kernel",
		"collective_comm", "Operator", "Kernel", "Memcpy", "Memset",
		"Runtime",		/* from Operator on: until 2021 */
		"hlo", "host", "wait"}; /* of JAX */
	static const char *const ends[] = {"_runtime", "_driver", "_kernel", "_memcpy", "_memset"};
	size_t size = strlen(type);

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(type, words[i]) == 0)
			return true;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (size > strlen(ends[i]) && strcmp(type + size - strlen(ends[i]), ends[i]) == 0)
			return true;
	return strncmp(type, "mtia_", 5) == 0;
}

const char *rules_shipped_classes(void)
{
	return shipped;
}
