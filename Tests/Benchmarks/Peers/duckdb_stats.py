"""The work of `mistertop stats` with DuckDB on all cores: duckdb_stats.py FILE."""
import sys

import duckdb

columns = """{'metric': 'STRUCT("bucket" VARCHAR, "name" VARCHAR, "valueTypeString" VARCHAR)', 'value': 'VARCHAR'}"""
rows = duckdb.connect().execute(f"""
    SELECT bucket, name, count(*), avg(number), min(number), max(number),
           quantile_disc(number, 0.5), quantile_disc(number, 0.99)
    FROM (SELECT metric.bucket AS bucket, metric.name AS name,
                 TRY_CAST(CAST(from_base64(value) AS VARCHAR) AS DOUBLE) AS number
          FROM read_json($1, format = 'newline_delimited', columns = {columns})
          WHERE metric.valueTypeString IN ('Double', 'Int'))
    GROUP BY ALL ORDER BY ALL""", [sys.argv[1]]).fetchall()
for row in rows:
    print(*row, sep="\t")
