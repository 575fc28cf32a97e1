/*
 * The shipped class rules: what kind of work an op type is. Types are TensorFlow's; users replace
 * the whole set by a `classes` section in their rules.
 */
#include "select/rules.h"

static const char shipped[] =
	"# What an op does, by its type; the first class that matches counts.\n"
	"classes:\n"
	"  input pipeline:\n"
	"    - 'Dataset|Iterator|Queue|Reader'\n"
	"    - "
	"'^(ReadFile|Decode|Parse|MatchingFiles|ShardedFilename|Stage|Unstage|MapStage|Batch$|"
	"Prefetch|Generator)'\n"
	"  communication:\n"
	"    - "
	"'^_?(Host)?(Send|Recv)|^(Nccl|Collective|Horovod|AllReduce|CrossReplica|_ScopedAllocator)'"
	"\n"
	"    - '/AllReduce|^RecvTensor'\n"
	"  copies:\n"
	"    - 'MEMCPY|Memcpy|^_?(Copy|CopyHost|DeepCopy)$|^edge_[0-9]+_'\n"
	"  variables:\n"
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
	"'^(Shape|ShapeN|Rank|Size|Reshape|ExpandDims|Squeeze|BroadcastGradientArgs|ConcatOffset|"
	"InvertPermutation)$'\n"
	"    - '^(Stack|TensorArray|Save|Restore|MergeV2Checkpoints|Print|[A-Za-z]*Summary)'\n"
	"    - '^_?(arg|retval|Arg|Retval)|^_(SOURCE|SINK)|^ConstantFolding/|^(init|group_deps)$'\n"
	"  compute:\n"
	"    - '.'\n";

const char *rules_shipped_classes(void)
{
	return shipped;
}
