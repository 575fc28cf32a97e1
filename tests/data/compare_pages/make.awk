# Makes one side of a comparison for tests/golden/compare_pages: a CSV of observations, the same bytes for the
# same variables. Ops op01, op02, ... take 4 ms, 4/2 ms, 4/3 ms, ...; each run and each step has its own factor.
#
# awk -v seed=1 -v runs=5 [-v ops=12 -v steps=20 -v run_cv=0.01 -v step_cv=0.03 -v shared=0
#	-v all=1 -v change='op03:1.2 op05:0.9' -v absent='op07' -v grid=0] -f make.awk
# shared: CV of what moves all ops of a run, the same in two sides of the same `rounds`; all: factor of all ops;
# grid: times are recorded in such us.

# Park and Miller: exact in doubles, so the same in every awk.
function uniform()
{
	state = (state * 16807) % 2147483647
	return state / 2147483647
}

# Sum of twelve: close to normal, and without a logarithm that could differ in its last bit.
function normal(    i, sum)
{
	sum = -6
	for (i = 0; i < 12; i++)
		sum += uniform()
	return sum
}

function name(op)
{
	return sprintf("op%02d", op)
}

BEGIN {
	ops = ops ? ops : 12
	steps = steps ? steps : 20
	run_cv = run_cv != "" ? run_cv : 0.01
	step_cv = step_cv != "" ? step_cv : 0.03
	all = all ? all : 1
	state = seed * 7919 + 17
	for (i = 0; i < 20; i++)
		uniform()
	count = split(change, part, " ")
	for (i = 1; i <= count; i++) {
		split(part[i], field, ":")
		factor[field[1]] = field[2]
	}
	count = split(absent, part, " ")
	for (i = 1; i <= count; i++)
		gone[part[i]] = 1
	print "run,step,op,time_us"
	own_state = state
	state = (rounds ? rounds : seed) * 104729 + 5
	for (r = -9; r <= runs; r++)
		of_round[r] = all * (1 + shared * normal())
	state = own_state
	for (r = 1; r <= runs; r++) {
		of_run = of_round[r]
		for (op = 1; op <= ops; op++)
			own[op] = 4000 / op * of_run * (1 + run_cv * normal())
		for (s = 1; s <= steps; s++)
			for (op = 1; op <= ops; op++) {
				value = own[op] * (1 + step_cv * normal())
				if (name(op) in factor)
					value *= factor[name(op)]
				if (grid)
					value = grid * int(value / grid + 0.5)
				if (!(name(op) in gone))
					printf "run%d,%d,%s,%.3f\n", r, s, name(op), value
			}
	}
}
