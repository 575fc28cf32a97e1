# Writes each run of a table of make.awk as a PyTorch trace SIDE/RUN.json that says when it was recorded.
#
# awk -F, -v side=base -v start='0 60 120' -f traces.awk TABLE: run i starts start[i] seconds after 2026-01-01 00:00 UTC.
# `zero=1`: times are since the start of the process.

function end_step()
{
	if (step == "")
		return
	printf ",\n{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#%d\",\"pid\":1,\"tid\":1,\"ts\":%.3f,\"dur\":%.3f}",
		step, step_start, now + 1 - step_start >file
	now += 2
	step = ""
}

function end_run()
{
	end_step()
	if (file == "")
		return
	print "\n]}" >file
	close(file)
}

NR == 1 {
	split(start, at, " ")
	next
}

$1 != run {
	end_run()
	run = $1
	runs++
	file = side "/" run ".json"
	now = at[runs] * 1000000
	printf "{\"schemaVersion\":1,\"baseTimeNanoseconds\":%s,\"traceEvents\":[\n", zero ? "0" : "1767225600000000000" >file
	printf "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"python\"}}" >file
}

$2 != step {
	end_step()
	step = $2
	step_start = now
	now++
}

{
	printf ",\n{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"%s\",\"pid\":1,\"tid\":1,\"ts\":%.3f,\"dur\":%.3f}", $3, now, $4 >file
	now += $4
}

END {
	end_run()
}
