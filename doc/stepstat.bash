# bash completion for stepstat, made by `stepstat help bash-completion`.
_stepstat()
{
	local line=${COMP_LINE:0:COMP_POINT} cur= command=report options= words= parts= topics= files= i
	local -a typed
	read -r -a typed <<<"$line"
	case $line in *[[:space:]]) ;; *) cur=${typed[${#typed[@]}-1]} ;; esac
	local commands='report compare gate ab record list show prune tag noise history audit ops events export merge sql timeline config formats tfprof help'
	for i in $commands; do [ "${typed[1]}" = "$i" ] && command=$i; done
	for i in timeline/generate timeline/merge timeline/mean; do [ "${typed[1]}/${typed[2]}" = "$i" ] && command=$i; done
	case $command in
	timeline) parts='generate merge mean' ;;
	help) topics=' columns statistics measures comparison gate rules classes keys habits topics bash-completion zsh-completion fish-completion man formats tensorflow tf tf1 tensorflow1 tensorflow-1 tfprof profile profile-n profileproto profilecontext run-metadata run-metadata-text runmetadata run-meta tfprof-text tfprof-output outfile timeline merged timelines timeline-py tf-timeline profilerhook pytorch kineto torch torch-profiler key-averages nsight nsys nsight-systems nvtx sqlite parquetdir nsight-tables nsight-table rocpd rpd rocmprofiledata rocm rocprofv3 rocprofv3-json rocprof roctx rocprofiler jax jax-trace tensorflow2 tensorflow-2 tf2 xplane xplane-pb xspace local-trace onnxruntime onnx ort onnx-runtime chrome chrome-trace catapult trace clang node nodejs viztracer mxnet cmake typescript pftrace perfetto perfetto-trace rocprof-sys omnitrace cuspy neuron atrace ftrace android tensorrt trtexec tensorrt-profile tensorrt-layers trt benchmarks benchmark google-benchmark pytest-benchmark hyperfine pyperf jmh benchmarkdotnet vitest name-value bencher sglang-kernels kernelbench pytorch-oss asv asv-text julia criterion criterion-beside serving vllm sglang nvbench aiperf go-bench cargo-bench catch2 tensorboard-events benchmark-text log csv observations csv-table spreadsheet nsys nsight pandas parquet arrow polars duckdb obs obs-file part merge fleet ranks-added-up model-files graph graph-text meta-graph op-log checkpoint graphdef own-database own-database other-tables plain-table xlsx html excel step steps step-number run runs per-run per-rank op row rows launcher launchers shape shapes achieved flops annotation annotations module modules phase phases stack stacks by-launcher type types kind-of-op class by-class device scope source named-scope runtimes name-map side-by-side unmatched partner op-time time-of-ops step-time takes marker period span wall wall-time lasts duration busy busy-time idle time time-step mean interval ci confidence confidence-interval error-bar share shares cv coefficient-of-variation spread cv-step robust-cv robustcv mad-cv jitter jitter-share variance not-in-ops ran ran-n requested memory bytes warm-up warmup first-steps steady-state kinds kind kind-of-step another-kind correlated correlation lag-1 n-eff independent drift trend resolution cv-floor print-resolution absent absent-steps other other-ops all-ops small-ops not-above folded table tables series totals steps-table names short short-names full-names shortened notes note mark marks letters losses loss lost strict issues self self-time own-time total value nested exclusive inclusive calls call per-call time-sum min-call max-call below-5-us delay launch-delay launch-to-start queue-time change base side sides verdict verdicts regressed improved same slower faster inconclusive gone more less margin tolerance threshold q q-value p-value p alpha false-discoveries fdr sees blind power detectable store session record tag history-of-runs icc worth runs-differ outlier outliers spiky wild accelerator cpu peak residual output transferred occurrence micros float_ops matrix_bytes matrix_rate params defined cvrun sd se min median max sum n mad lag1 neff cvlow cvhigh cvfloor trimmed geomean ljungbox below5us pN pNlow pNhigh report compare ab list show prune noise history audit ops events export sql config help' ;;
	report) options=' --include= --exclude= --rename= --rules= --full-match --allow= --by= --value= --on= --rows= --of= --name= --steps= --kind= --warmup= --step-marker= --window= --step-time= --absent= --runs= --ranks= --rank= --rank-value= --rank-group= --per= --explain-inputs --measures= --measure= --stats= --cv= --confidence= --sort= --top= --min-share= --names= --unit= --table= -o --to= --csv= --layout= --from= --graph= --precision= --config= --jobs= --strict --follow --quiet --color= --help' ;;
	compare) options=' --include= --exclude= --rename= --rules= --allow= --by= --value= --on= --rows= --name= --steps= --kind= --warmup= --step-marker= --window= --step-time= --absent= --runs= --ranks= --rank= --explain-inputs --base= --new= --match= --map= --margin= --alpha= --method= --run-value= --normalize --run-cv= --noise= --explain= --measures= --measure= --sort= --top= --min-share= --names= --unit= --table= -o --to= --csv= --from= --graph= --config= --jobs= --strict --quiet --help' ;;
	gate) options=' --include= --exclude= --rename= --rules= --allow= --by= --value= --on= --rows= --name= --steps= --kind= --warmup= --step-marker= --step-time= --absent= --runs= --ranks= --rank= --fact= --explain-inputs --base= --new= --map= --margin= --alpha= --method= --run-value= --run-cv= --noise= --explain= --fail-on= --blind= --lost= --first= --self-test --policy-from= --today= --measures= --measure= --top= --min-share= --table= -o --to= --from= --config= --jobs= --strict --quiet --help' ;;
	ab) options=' --warmup= --max-time= --max-runs= --until= --resume= --reads= --prepare= --cleanup= --shell= --cpu= --cool-down= --time-limit= --ignore-failure --seed= --margin= --alpha= --table= -o --to= --config= --quiet --help' ;;
	record) options=' --step-marker= --window= --runs= --ranks= --fact= --session= --status= --label= --tag= --measure= --from= --config= --strict --help' ;;
	list) options=' -o --to= --csv= --config= --quiet --help' ;;
	show) options=' -o --to= --csv= --config= --quiet --help' ;;
	prune) options=' --keep= --dry-run --config= --help' ;;
	tag) options=' --remove --config= --help' ;;
	noise) options=' --include= --exclude= --rename= --rules= --by= --on= --rows= --steps= --kind= --warmup= --runs= --ranks= --fact= --margin= --alpha= --measures= --measure= --top= --min-share= --names= --unit= -o --to= --from= --config= --jobs= --strict --quiet --color= --bars= --help' ;;
	history) options=' --include= --exclude= --rename= --rules= --by= --on= --rows= --steps= --kind= --warmup= --runs= --ranks= --fact= --alpha= --measures= --measure= --top= --min-share= --names= --unit= -o --to= --from= --config= --jobs= --strict --quiet --color= --bars= --help' ;;
	audit) options=' --name= --step-marker= --window= --names= -o --to= --csv= --from= --graph= --precision= --config= --jobs= --quiet --help' ;;
	ops) options=' --include= --exclude= --rename= --rules= --full-match --allow= --on= --name= --step-marker= --window= --runs= --ranks= --explain-inputs -o --to= --csv= --from= --graph= --precision= --config= --jobs= --strict --quiet --help' ;;
	events) options=' --include= --exclude= --rename= --rules= --full-match --allow= --name= --steps= --step-marker= --window= --runs= --ranks= --rank= --explain-inputs -o --to= --csv= --from= --config= --jobs= --strict --help' ;;
	export) options=' --include= --exclude= --rename= --rules= --full-match --allow= --by= --value= --on= --rows= --name= --steps= --kind= --warmup= --step-marker= --window= --step-time= --absent= --runs= --ranks= --rank= --fact= --rank-group= --explain-inputs --measures= --measure= --unit= --table= -o --to= --csv= --layout= --queries= --events --gzip --from= --graph= --precision= --config= --jobs= --strict --quiet --help' ;;
	merge) options=' --include= --exclude= --rename= --rules= --full-match --allow= --name= --steps= --kind= --warmup= --step-marker= --window= --step-time= --ranks= --rank-group= -o --from= --graph= --precision= --config= --jobs= --strict --help' ;;
	sql) options=' --include= --exclude= --rename= --rules= --full-match --allow= --by= --value= --on= --rows= --name= --steps= --kind= --warmup= --step-marker= --window= --step-time= --runs= --ranks= --rank= --rank-group= --explain-inputs --measures= --measure= -o --to= --csv= --events --write --from= --graph= --precision= --config= --jobs= --strict --quiet --help' ;;
	timeline/generate) options=' --memory --dataflow --no-dataflow -o --from= --config= --strict --help' ;;
	timeline/merge) options=' --include= --exclude= --full-match --steps= --skip= --step-marker= --window= --align= --keep-clock --max-size= -o --from= --config= --strict --help' ;;
	timeline/mean) options=' --include= --exclude= --full-match --name= --steps= --skip= --step-marker= --window= --cv= -o --from= --config= --strict --help' ;;
	config) options=' --include= --exclude= --rename= --rules= --full-match --allow= --by= --value= --on= --rows= --of= --name= --steps= --kind= --warmup= --step-marker= --window= --step-time= --absent= --runs= --ranks= --rank= --rank-value= --rank-group= --per= --explain-inputs --measures= --measure= --stats= --cv= --confidence= --sort= --top= --min-share= --names= --unit= --table= -o --to= --csv= --layout= --from= --graph= --precision= --config= --jobs= --strict --follow --quiet --color= --help' ;;
	esac
	case $cur in
	--*=*)
		case $cur in
		--measures=*) words=' accelerator cpu requested peak residual output transferred occurrence time micros float_ops achieved matrix_bytes matrix_rate params defined delay' ;;
		--stats=*) words=' mean ci share cv cvrun jitter sd se min median max sum n ran calls mad robustcv lag1 neff cvlow cvhigh cvfloor trimmed geomean ljungbox below5us p50 p95 p99' ;;
		--sort=*) words=' name accelerator cpu requested peak residual output transferred occurrence time micros float_ops achieved matrix_bytes matrix_rate params defined delay mean ci share cv cvrun jitter sd se min median max sum n ran calls mad robustcv lag1 neff cvlow cvhigh cvfloor trimmed geomean ljungbox below5us p50 p95 p99'; case $command in compare | gate) words=' op name type device base new difference change low high p q level logratio logse df margin detectable verdict' ;; esac ;;
		--unit=*) words=' ps ns us ms s min B KB MB GB TB KiB MiB GiB TiB' ;;
		--table=*) words=' ops steps totals issues'; case $command in compare | gate) words=' ops parts' ;; esac ;;
		--from=*) words=' tfprof csv log parquet obs run-metadata run-metadata-text tfprof-text timeline chrome pftrace merged kineto onnxruntime jax-trace tensorrt tensorrt-profile google-benchmark pytest-benchmark hyperfine pyperf jmh benchmarkdotnet vitest name-value bencher sglang-kernels kernelbench pytorch-oss asv julia criterion serving nvbench aiperf go-bench cargo-bench catch2 asv-text nsight nsight-tables rocpd xplane tensorboard-events' ;;
		--to=*) words=' text csv xlsx md html json openmetrics junit github obs parquet ndjson sqlite sql' ;;
		--allow=*) words=' empty mixed' ;;
		--by=*) words=' name type device class scope: launcher shape annotation module phase stack: source' ;;
		--value=*) words=' self total' ;;
		--on=*) words=' device host all' ;;
		--rows=*) words=' auto parts benchmarks' ;;
		--of=*) words=' all selected' ;;
		--kind=*) words=' all none' ;;
		--warmup=*) words=' none auto' ;;
		--step-time=*) words=' auto marker period span' ;;
		--absent=*) words=' zero skip' ;;
		--runs=*) words=' auto files folders' ;;
		--ranks=*) words=' auto none' ;;
		--rank-value=*) words=' mean max sum' ;;
		--per=*) words=' step call run rank' ;;
		--until=*) words=' time rows' ;;
		--shell=*) words=' auto none' ;;
		--status=*) words=' green red undecided broken first' ;;
		--match=*) words=' name type+shape nearest' ;;
		--method=*) words=' moderated limma welch ranksum paired' ;;
		--run-value=*) words=' mean geomean median trimmed p90 p99' ;;
		--fail-on=*) words=' regressed slower' ;;
		--blind=*) words=' fail pass' ;;
		--lost=*) words=' fail pass' ;;
		--first=*) words=' fail pass' ;;
		--cv=*) words=' sample population' ;;
		--align=*) words=' step' ;;
		--top=*) words=' all' ;;
		--names=*) words=' short full' ;;
		--csv=*) words=' wide long safe point comma' ;;
		--layout=*) words=' table notebook flat as-printed' ;;
		--queries=*) words=' bigquery duckdb sqlite clickhouse spark' ;;
		--precision=*) words=' us ns' ;;
		--config=*) words=' none' files=-f ;;
		--color=*) words=' auto always never' ;;
		--bars=*) words=' auto always never' ;;
		esac
		local value=${cur#*=}
		if [ -n "$words" ]; then
			local last=${value##*,} before=
			[ "$last" = "$value" ] || before=${value%,*},
			mapfile -t COMPREPLY < <(compgen $files -P "$before" -W "$words" -- "$last")
		else
			mapfile -t COMPREPLY < <(compgen -f -- "$value")
		fi ;;
	-*)
		mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
		case ${COMPREPLY[0]} in *=) [ ${#COMPREPLY[@]} -gt 1 ] || compopt -o nospace ;; esac ;;
	*)
		[ ${#typed[@]} -gt 2 ] || words=$commands
		[ -z "$parts" ] || [ "${typed[1]}" = "$cur" ] || words=$parts
		[ -z "$topics" ] || [ "${typed[1]}" = "$cur" ] || {
			mapfile -t COMPREPLY < <(compgen -W "$topics" -- "$cur")
			return
		}
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur"; compgen -f -- "$cur")
		compopt -o filenames ;;
	esac
}
complete -F _stepstat stepstat
