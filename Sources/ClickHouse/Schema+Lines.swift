extension Schema {
  /// A table that takes raw lines of MisterMetrics files from anything that can post, and the view that makes rows of
  /// them, in the dialect of current servers.
  ///
  /// Lines that are not MisterMetrics lines are dropped. Fields of nested structs are kept in `json` only.
  var lines: [String] {
    let text = Self.sharedText
    return [
      """
      CREATE TABLE \(database).lines\(onCluster) (
        line String, host \(text) DEFAULT currentUser(), stream UInt64 DEFAULT 0, seq UInt64 DEFAULT 0
      ) ENGINE = Null
      """,
      """
      CREATE MATERIALIZED VIEW \(database).lines_of\(onCluster) TO \(database).samples AS
      WITH simpleJSONExtractRaw(line, 'metric') AS metric, tryBase64Decode(simpleJSONExtractString(line, 'value')) AS v,
        toDecimal128OrNull(simpleJSONExtractRaw(line, 'timestamp'), 9) AS moment,
        match(v, '^-?[0-9]+$') AND abs(toFloat64OrZero(v)) > 9007199254740992 AS is_wide,
        \(Self.kindOfValue) AS k,
        if(k = 5, arrayFilter(x -> substring(x.2, 1, 1) NOT IN ('{', '[', 'n'), JSONExtractKeysAndValuesRaw(v)), []) AS fields,
        arrayFilter(x -> substring(x.2, 1, 1) IN ('"', 't', 'f'), fields) AS texts,
        arrayFilter(x -> substring(x.2, 1, 1) NOT IN ('"', 't', 'f'), fields) AS values
      SELECT JSONExtractString(metric, 'bucket') AS bucket, JSONExtractString(metric, 'name') AS name,
        JSONExtractString(metric, 'valueTypeString') AS type, host,
        toInt64(assumeNotNull(moment) * 1000000000) + \(SampleRow.epoch)000000000 AS at, toUInt8(k) AS kind,
        multiIf(k IN (0, 1), [''], arrayMap(x -> x.1, values)) AS `numbers.name`,
        multiIf(k IN (0, 1), [toFloat64OrZero(v)], arrayMap(x -> toFloat64OrZero(x.2), values)) AS `numbers.value`,
        multiIf(k IN (2, 3), [''], arrayMap(x -> x.1, texts)) AS `labels.name`,
        multiIf(k = 2, [v], k = 3, [JSONExtractString(v)],
          arrayMap(x -> if(startsWith(x.2, '"'), JSONExtractString(x.2), x.2), texts)) AS `labels.value`,
        if(k IN (1, 5, 6), v, '') AS json, stream, seq
      FROM \(database).lines
      WHERE v != '' AND name != '' AND moment BETWEEN -\(SampleRow.epoch) AND 3316660095
      """,
    ]
  }

  /// The raw value of `SampleKind`.
  private static let kindOfValue =
    "multiIf(startsWith(v, '{'), 5, startsWith(v, '['), 6, startsWith(v, '\"'), 3, v IN ('true', 'false'), 2, "
    + "v = 'null', 4, is_wide, 1, 0)"
}
