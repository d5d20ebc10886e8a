extension Schema {
  /// The statements that add to the rollups what they lack of the samples; on a cluster for each shard.
  ///
  /// A server that dies between a block and its rollups has the samples alone. To be run while nothing is inserted: a
  /// block that is on its way would be counted twice.
  package var repair: String {
    Self.text(Rollup.all.flatMap { [binsRepair($0), sumsRepair($0), wordsRepair($0)] })
  }

  private func binsRepair(_ rollup: Rollup) -> String {
    let (keys, table) = (rollup.keys + "slot, key", local(rollup.bins))
    return """
      INSERT INTO \(table) (\(keys), count)
      SELECT \(keys), toUInt64(sum(n)) FROM (
      \(rollup.selectBins(local("samples"), count: "toInt64(count()) AS n", where: age(rollup)))
      UNION ALL SELECT \(keys), -toInt64(sum(count)) AS n FROM \(table) GROUP BY \(keys))
      GROUP BY \(keys) HAVING sum(n) > 0
      """
  }

  private func sumsRepair(_ rollup: Rollup) -> String {
    let (keys, table) = (rollup.keys + "slot", local(rollup.sums))
    let samples = rollup.selectSums(
      local("samples"), count: "toInt64(count()) AS n, sum(v) AS total", where: age(rollup))
    let merged = [("min", "low"), ("max", "high"), ("min", "first"), ("max", "last")].map {
      "\($0)MergeState(\($1))"
    }
    let named = zip(merged, ["low", "high", "first", "last"]).map { "\($0) AS \($1)" }.joined(separator: ", ")
    return """
      INSERT INTO \(table) (\(keys), count, sum, low, high, first, last)
      SELECT \(keys), toUInt64(sum(n)), sum(total), \(merged.joined(separator: ", ")) FROM (
      \(samples)
      UNION ALL SELECT \(keys), -toInt64(sum(count)) AS n, -sum(sum) AS total, \(named) FROM \(table) GROUP BY \(keys))
      GROUP BY \(keys) HAVING sum(n) > 0
      """
  }

  private func wordsRepair(_ rollup: Rollup) -> String {
    let (keys, table) = (rollup.keys + "slot, mark, word", local(rollup.words))
    let samples = rollup.selectWords(
      local("samples"), count: "toInt64(count()) AS n", where: age(rollup))
    return """
      INSERT INTO \(table) (\(keys), count, first, last)
      SELECT \(keys), toUInt64(sum(n)), minMergeState(first), maxMergeState(last) FROM (
      \(samples)
      UNION ALL SELECT \(keys), -toInt64(sum(count)) AS n, minMergeState(first) AS first, maxMergeState(last) AS last
      FROM \(table) GROUP BY \(keys))
      GROUP BY \(keys) HAVING sum(n) > 0
      """
  }

  /// Only what is not deleted by its age.
  private func age(_ rollup: Rollup) -> String {
    "\nWHERE at >= (toInt64(toUnixTimestamp(now())) - \(rollup.days * 86_400)) * 1000000000"
  }
}
