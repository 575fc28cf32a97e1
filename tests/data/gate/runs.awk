# Makes one side of a comparison as observations: 12 ops, pseudo-random noise between runs and
# steps that is the same on every machine (Park and Miller's generator, whole numbers only; a
# normal value is the sum of twelve uniform ones, less 6).
#
# awk -v seed=1 [-v runs=5] [-v steps=20] [-v between=0.01] [-v within=0.02] [-v change=OP=FACTOR,...]
#     [-v bytes=OP=FACTOR,...] [-v without=OP,...] [-v also=OP=US,...] [-v rare=OP,...] [-v warmup=STEPS=FACTOR]
#     [-v eval=N=FACTOR] -f runs.awk
#
# change: factor on the time; bytes: on the requested bytes; without: ops left out; also: more ops
# of so many us; rare: ops that run in every second step; warmup: a factor on the first steps of every run;
# eval: every Nth step is of another kind: eval/MatMul and eval/Softmax, with a factor on their time.
function uniform()
{
	state = (state * 16807) % 2147483647
	return state / 2147483647
}

function normal(    i, sum)
{
	for (i = 0; i < 12; i++)
		sum += uniform()
	return sum - 6
}

function add(name, us)
{
	op[++ops] = name
	time[name] = us
}

# "a=2,b=3" into list["a"] = 2 ...; without "=" 1.
function take(text, list,    part, pair, n, i)
{
	n = split(text, part, ",")
	for (i = 1; i <= n; i++)
		if (split(part[i], pair, "=") == 2)
			list[pair[1]] = pair[2]
		else
			list[part[i]] = 1
}

function factor(list, name)
{
	return name in list ? list[name] : 1
}

BEGIN {
	state = seed * 7919 + 1
	runs = runs ? runs : 5
	steps = steps ? steps : 20
	between = between == "" ? 0.01 : between
	within = within == "" ? 0.02 : within
	take(change, of_time)
	take(bytes, of_bytes)
	take(without, left_out)
	take(rare, seldom)
	split(warmup, slow, "=")
	split(eval, evaluation, "=")
	add("conv1/Conv2D", 4000)
	add("conv2/Conv2D", 6000)
	add("conv3/Conv2D", 3000)
	add("dense/MatMul", 2000)
	add("grad/Conv2D", 5000)
	add("grad/MatMul", 1200)
	add("input/Decode", 1500)
	add("input/Read", 800)
	add("logits/MatMul", 900)
	add("loss/Softmax", 150)
	add("save/Count", 3)
	add("save/Log", 4)
	take(also, more)
	n = split(also, part, ",")
	for (i = 1; i <= n; i++) {
		split(part[i], pair, "=")
		add(pair[1], pair[2])
	}
	if (eval) {
		add("eval/MatMul", 1500)
		add("eval/Softmax", 500)
	}
	print "run,step,op,measure,value,unit"
	for (r = 1; r <= runs; r++)
		for (o = 1; o <= ops; o++) {
			name = op[o]
			own = 1 + between * normal()
			for (s = 1; s <= steps; s++) {
				us = time[name] * own * (1 + within * normal())
				if (eval && (name ~ /^eval/) != (s % evaluation[1] == 0))
					continue
				if (name ~ /^eval/)
					us *= evaluation[2]
				if (name in left_out || (name in seldom && s % 2))
					continue
				printf "run%d,%d,%s,time,%.3f,us\n", r, s, name, us * factor(of_time, name) * (s <= slow[1] ? slow[2] : 1)
				printf "run%d,%d,%s,requested,%d,B\n", r, s, name, \
					1000 * time[name] * factor(of_bytes, name)
			}
		}
}
