-- @PROGRAM@: which ops take the time, over all events of the table `flat`: @DIALECT@.
-- dur is in us. AVG is per event; events have no step here. The table obs has steps:
-- stepstat export INPUT... -o TABLES/, and the query of stepstat export --queries=@DIALECT@.
SELECT arg_name,
       SUM(dur) AS total_dur,
       AVG(dur) AS avg_dur,
       MIN(dur) AS min_dur,
       MAX(dur) AS max_dur
FROM flat
GROUP BY arg_name
ORDER BY total_dur DESC, arg_name
LIMIT 20;
