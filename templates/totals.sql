-- @PROGRAM@: the times of a step and the parts of its devices, as `stepstat report --table=totals` has them, from the tables of
-- stepstat export. Not in it: op_time, host_ops and host_waiting, which are sums over ops.
-- One row for each series, in us: over the steps of one run the mean, the standard deviation (divisor n - 1), CV, extremes and
-- quantiles (linear between neighbours: R type 7). Of several runs: the mean of the run means; CV is within runs, cvrun between
-- the run means; sd stays empty.
-- Of several ranks step_time and wall are those of the slowest in each step, all others the mean, rounded to whole ps. Ranks number
-- their devices in their own way: the first of each rank is the first of the job.
-- @LOAD@
WITH named AS (
  SELECT run, step_index, rank, CAST(device AS @TEXT@) AS device, series, dur_ps
  FROM step_series WHERE device IS NOT NULL AND dur_ps IS NOT NULL AND series NOT LIKE 'host_late_%'
),
placed AS (
  SELECT run, step_index, rank, device, series, dur_ps, @DEVICE_TYPE@ AS type,
         DENSE_RANK() OVER (PARTITION BY run, rank, @DEVICE_TYPE@ ORDER BY LENGTH(device), device) AS place
  FROM named
),
own AS (
  SELECT type, run, rank, MAX(place) AS devices FROM placed GROUP BY type, run, rank
),
most AS (
  SELECT type, MIN(devices) AS least, MAX(devices) AS most FROM own GROUP BY type
),
names AS (
  SELECT type, COUNT(DISTINCT device) AS names FROM placed GROUP BY type
),
of_job AS ( -- where all ranks have the same devices they keep their names
  SELECT p.run AS run, p.step_index AS step_index, p.series AS series, p.dur_ps AS dur_ps,
         CASE WHEN m.least = m.most AND n.names = m.most THEN p.device
              WHEN m.most = 1 THEN p.type
              ELSE p.type || ':' || CAST(p.place - 1 AS @TEXT@) END AS device
  FROM placed AS p JOIN most AS m ON m.type = p.type JOIN names AS n ON n.type = p.type
),
parts AS (
  SELECT run, step_index, device, series, @MEAN_OF_RANKS@ AS value FROM of_job GROUP BY run, step_index, device, series
),
x AS ( -- what is not known of one rank is not known of all, but for devices
  SELECT 'step_time' AS op, 'time' AS measure, run,
         CASE WHEN COUNT(*) = COUNT(step_time_ps) THEN MAX(step_time_ps) END AS value
  FROM steps GROUP BY run, step_index
  UNION ALL
  SELECT 'wall' AS op, 'time' AS measure, run, CASE WHEN COUNT(*) = COUNT(wall_ps) THEN MAX(wall_ps) END AS value
  FROM steps GROUP BY run, step_index
  UNION ALL
  SELECT 'busy' AS op, 'time' AS measure, run, CASE WHEN COUNT(*) = COUNT(busy_ps) THEN @MEAN_BUSY@ END AS value
  FROM steps GROUP BY run, step_index
  UNION ALL
  SELECT device || '_' || series AS op, 'time' AS measure, run, value FROM parts
  UNION ALL
  SELECT device || '_window' AS op, 'time' AS measure, run, SUM(value) AS value
  FROM parts WHERE series IN ('compute', 'communication_alone', 'copies_alone', 'idle')
  GROUP BY run, step_index, device HAVING COUNT(*) = 4
  UNION ALL
  SELECT device || '_busy' AS op, 'time' AS measure, run, SUM(value) AS value
  FROM parts WHERE series IN ('compute', 'communication_alone', 'copies_alone')
  GROUP BY run, step_index, device HAVING COUNT(*) = 3
),
@STATISTICS@SELECT s.op AS series, s.n AS n,
       s.total * @ONE@ / 1000000 AS sum_us,
       s.mean / 1000000 AS mean_us,
       CASE WHEN s.runs = 1 THEN s.sd / 1000000 END AS sd_us,
       CASE WHEN s.sd = 0 THEN 0 WHEN s.mean > 0 THEN 100 * s.sd / s.mean END AS cv_pct,
       CASE WHEN s.sd_run = 0 THEN 0 WHEN s.mean > 0 THEN 100 * s.sd_run / s.mean END AS cvrun_pct,
       q.least * @ONE@ / 1000000 AS min_us,
       q.p50 / 1000000 AS median_us,
       q.p90 / 1000000 AS p90_us,
       q.p95 / 1000000 AS p95_us,
       q.p99 / 1000000 AS p99_us,
       q.most * @ONE@ / 1000000 AS max_us
FROM s
JOIN q ON q.op = s.op AND q.measure = s.measure
ORDER BY series@SETTINGS@;
