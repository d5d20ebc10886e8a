/// Questions for what the tables have and lack; their answers are tab-separated values.
extension Schema {
  /// Days for which the samples themselves are kept, less one that is being deleted.
  private static let days = 29

  /// The table as it is read: on a cluster that of all shards.
  private func shared(_ table: String) -> String { "\(database).\(table)" }

  /// Numbers of samples, hosts and streams, and the oldest and newest time in nanoseconds since 1970.
  var totals: String {
    "SELECT count(), uniqExact(host), uniqExact(stream), toUInt64(min(at)), toUInt64(max(at)) FROM \(shared("samples"))"
  }

  /// The streams with gaps or repetitions, the worst first: host, stream, missing, repeated.
  ///
  /// Rows of the table `lines` have no stream.
  func faultyStreams(limit: Int) -> String {
    """
    SELECT host, toString(stream), missing, repeated FROM (
    SELECT host, stream, toUInt64(max(seq) - min(seq) + 1 - uniqExact(seq)) AS missing,
      toUInt64(count() - uniqExact(seq)) AS repeated
    FROM \(shared("samples")) WHERE stream != 0 GROUP BY host, stream)
    WHERE missing > 0 OR repeated > 0 ORDER BY missing + repeated DESC, host, stream LIMIT \(limit)
    """
  }

  /// For each table of rollups a statement: the slots that are wrong, the values lacking in them, and those too many.
  ///
  /// Slots are left out whose samples or counts may have been deleted by their age.
  var comparisons: [(table: String, statement: String)] {
    Rollup.all.flatMap { rollup in
      let seconds = min(rollup.days, Self.days) * 86_400
      let first =
        "intDiv(toInt64(toUnixTimestamp(now())) - \(SampleRow.epoch + Int64(seconds)), \(rollup.seconds)) + 1"
      let keys = rollup.keys + "slot"
      let numbers = "ARRAY JOIN numbers.name AS field"
      return [(rollup.bins, numbers), (rollup.sums, numbers), (rollup.words, Words.join)].map { table, join in
        let samples = """
          SELECT \(keys), toInt64(count()) AS n FROM (
          SELECT bucket, name, type, host, \(Rollup.slot(rollup.seconds)) AS slot, field
          FROM \(shared("samples")) \(join)) WHERE slot >= \(first) GROUP BY \(keys)
          """
        let counts =
          "SELECT \(keys), -toInt64(sum(count)) AS n FROM \(shared(table)) WHERE slot >= \(first) GROUP BY \(keys)"
        return (
          table,
          """
          SELECT count(), toUInt64(sum(if(total > 0, total, 0))), toUInt64(sum(if(total < 0, -total, 0))) FROM (
          SELECT \(keys), sum(n) AS total FROM (
          \(samples)
          UNION ALL \(counts))
          GROUP BY \(keys) HAVING total != 0)
          """
        )
      }
    }
  }
}
