above AS ( -- what is known, above the smallest value of its run
  SELECT op, measure, run, value,
         MIN(value) OVER (PARTITION BY op, measure, run) AS low,
         value - MIN(value) OVER (PARTITION BY op, measure, run) AS d
  FROM x WHERE value IS NOT NULL
),
@AROUND@runs AS (
  SELECT op, measure, run, COUNT(*) AS n, SUM(value) AS total,
         MIN(low) + AVG(d) AS mean, @VARIANCE@ AS variance
  FROM @VALUES@ GROUP BY op, measure, run
),
apart AS (
  SELECT op, measure, n, total, mean, variance,
         mean - AVG(mean) OVER (PARTITION BY op, measure) AS d
  FROM runs
),
s AS (
  SELECT op, measure, COUNT(*) AS runs, SUM(n) AS n, SUM(total) AS total, AVG(mean) AS mean,
         SQRT(AVG(variance)) AS sd,
         CASE WHEN COUNT(*) < 2 THEN NULL
              WHEN MIN(mean) = MAX(mean) THEN 0
              ELSE SQRT(SUM(d * d) / (COUNT(*) - 1)) END AS sd_run
  FROM apart GROUP BY op, measure
),
@RANKED@q AS (
  SELECT op, measure, MIN(value) AS least, MAX(value) AS most,
         @P_MEDIAN@ AS p50,
         @P_NINETY@ AS p90,
         @P_NINETY_FIVE@ AS p95,
         @P_NINETY_NINE@ AS p99
  FROM @RANKS@ GROUP BY op, measure
)
