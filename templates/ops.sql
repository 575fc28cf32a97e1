-- @PROGRAM@: what `stepstat report --absent=@MODE@` computes, from the tables of stepstat export.
-- One row for each op and measure: over the steps of one run the mean, the standard deviation
-- (divisor n - 1), CV, extremes and quantiles (linear between neighbours: R type 7). Of several runs: the
-- mean of the run means; CV is within runs, cvrun between the run means; sd stays empty.
-- @MODE_WORDS@
-- Of several ranks the value of a step is the mean over those that recorded it; a rank without the op counts as 0.
-- Deviations are taken from the smallest value and then from the mean: sums of squares of large numbers
-- would cancel.
-- @LOAD@
WITH wanted AS (
  SELECT DISTINCT op, measure FROM obs
),
recorded AS (
  SELECT run, step_index, COUNT(*) AS ranks FROM steps GROUP BY run, step_index
),
summed AS ( -- over the ranks: what is not known of one is not known of all
  SELECT op, measure, run, step_index,
         CASE WHEN COUNT(*) = COUNT(value) THEN SUM(value) END AS value
  FROM obs GROUP BY op, measure, run, step_index
),
x AS ( -- every op in every step
  SELECT w.op AS op, w.measure AS measure, s.run AS run,
         CASE WHEN v.op IS NULL THEN 0 ELSE 1 END AS present,
         CASE WHEN v.op IS NULL THEN @ABSENT@ ELSE @OF_RANKS@ END AS value
  FROM wanted AS w
  CROSS JOIN recorded AS s
  LEFT JOIN summed AS v
    ON v.op = w.op AND v.measure = w.measure AND v.run = s.run AND v.step_index = s.step_index
),
seen AS (
  SELECT op, measure, SUM(present) AS ran, COUNT(*) AS steps FROM x GROUP BY op, measure
),
@STATISTICS@SELECT seen.op AS op, ops.type AS type, seen.measure AS measure, m.unit AS unit,
       COALESCE(s.n, 0) AS n, seen.ran AS ran, seen.steps AS steps,
       s.total * @ONE@ / m.factor AS sum,
       s.mean / m.factor AS mean,
       CASE WHEN s.runs = 1 THEN s.sd / m.factor END AS sd,
       CASE WHEN s.sd = 0 THEN 0 WHEN s.mean > 0 THEN 100 * s.sd / s.mean END AS cv_pct,
       CASE WHEN s.sd_run = 0 THEN 0 WHEN s.mean > 0 THEN 100 * s.sd_run / s.mean END AS cvrun_pct,
       q.least * @ONE@ / m.factor AS min,
       q.p50 / m.factor AS p50,
       q.p90 / m.factor AS p90,
       q.p95 / m.factor AS p95,
       q.p99 / m.factor AS p99,
       q.most * @ONE@ / m.factor AS max
FROM seen
JOIN ops ON ops.op = seen.op
JOIN measures AS m ON m.measure = seen.measure
LEFT JOIN s ON s.op = seen.op AND s.measure = seen.measure
LEFT JOIN q ON q.op = seen.op AND q.measure = seen.measure
ORDER BY measure, sum DESC, op@SETTINGS@;
