/// The tables of a database, as statements for whoever administers the server; nothing here runs them.
///
/// One row of `samples` is one sample. Rollups count values by the upper bits of their double, which is the same on
/// every server and adds up over any of them: of seconds for a live view, of 16 s for the history of all hosts, of 256 s
/// for each host.
package struct Schema: Sendable {
  let database: String
  private let cluster: String?

  /// - Parameter cluster: The cluster whose shards share the rows; `nil` for a single server.
  package init(database: String, cluster: String? = nil) {
    self.database = database
    self.cluster = cluster
  }

  /// The statements that create the tables.
  package var tables: String {
    var all = ["CREATE DATABASE IF NOT EXISTS \(database)\(onCluster)", samples]
    for rollup in Rollup.all { all += statements(rollup) }
    if let cluster {
      all.append(distributed("samples", of: cluster, by: ", cityHash64(host)"))
      all += Rollup.all.flatMap { [$0.bins, $0.sums, $0.words] }.map { distributed($0, of: cluster, by: "") }
    }
    return Self.text(all + lines)
  }

  static func text(_ statements: [String]) -> String { statements.map { $0 + ";\n" }.joined() }

  var onCluster: String { cluster.map { " ON CLUSTER \($0)" } ?? "" }

  /// The table that a server keeps itself; on a cluster the short name is that of all shards.
  func local(_ table: String) -> String {
    "\(database).\(table)" + (cluster == nil ? "" : "_local")
  }

  /// A rollup names no columns: of those it did not name, merges would keep one of several extremes.
  private func engine(_ kind: String, _ table: String) -> String {
    guard cluster != nil else { return kind }
    return "Replicated\(kind)('/clickhouse/tables/{shard}/\(database)/\(table)', '{replica}')"
  }

  private func distributed(_ table: String, of cluster: String, by key: String) -> String {
    "CREATE TABLE \(database).\(table)\(onCluster) AS \(local(table))\n"
      + "ENGINE = Distributed(\(cluster), \(database), \(table)_local\(key))"
  }

  static let sharedText = "LowCardinality(String)"

  /// Repeated blocks are recognized, in the rollups too.
  private var settings: String {
    cluster == nil ? "\nSETTINGS non_replicated_deduplication_window = 10000" : ""
  }

  private var samples: String {
    let text = Self.sharedText
    return """
      CREATE TABLE \(local("samples"))\(onCluster) (
        bucket \(text), name \(text), type \(text), host \(text),
        at Int64 CODEC(Delta, ZSTD(1)), kind UInt8,
        numbers Nested(name \(text), value Float64), labels Nested(name \(text), value String),
        json String CODEC(ZSTD(3)), stream UInt64 CODEC(ZSTD(1)), seq UInt64 CODEC(Delta, ZSTD(1)),
        time DateTime64(9, 'UTC') ALIAS fromUnixTimestamp64Nano(at, 'UTC')
      ) ENGINE = \(engine("MergeTree", "samples"))
      PARTITION BY toYYYYMMDD(toDateTime(intDiv(at, 1000000000)))
      ORDER BY (bucket, name, type, \(Rollup.slot(ServerSelection.orderSlot)), host, at, stream, seq)
      TTL toDateTime(intDiv(at, 1000000000)) + INTERVAL 30 DAY\(settings)
      """
  }

  private func statements(_ rollup: Rollup) -> [String] {
    let columns =
      rollup.keys.replacing(", ", with: " \(Self.sharedText), ") + "slot Int64 CODEC(Delta, ZSTD(1))"
    let moment = "toDateTime(slot * \(rollup.seconds) + \(SampleRow.epoch))"
    let rest = "\nTTL \(moment) + INTERVAL \(rollup.days) DAY" + settings
    let partition = "\nPARTITION BY \(rollup.partition)(\(moment))\nORDER BY ("
    return [
      """
      CREATE TABLE \(local(rollup.bins))\(onCluster) (
        \(columns), key Int32 CODEC(Delta, ZSTD(1)), count UInt64 CODEC(T64, ZSTD(1))
      ) ENGINE = \(engine("SummingMergeTree", rollup.bins))
      """ + partition + rollup.order + ", key)" + rest,
      """
      CREATE TABLE \(local(rollup.sums))\(onCluster) (
        \(columns), count UInt64, sum Float64,
        low AggregateFunction(min, Float64), high AggregateFunction(max, Float64),
        first AggregateFunction(min, Int64), last AggregateFunction(max, Int64)
      ) ENGINE = \(engine("SummingMergeTree", rollup.sums))
      """ + partition + rollup.order + ")" + rest,
      """
      CREATE TABLE \(local(rollup.words))\(onCluster) (
        \(columns), mark UInt8, word String CODEC(ZSTD(1)), count UInt64,
        first AggregateFunction(min, Int64), last AggregateFunction(max, Int64)
      ) ENGINE = \(engine("SummingMergeTree", rollup.words))
      """ + partition + rollup.order + ", mark, word)" + rest,
      "CREATE MATERIALIZED VIEW \(database).\(rollup.bins)_of\(onCluster) TO \(local(rollup.bins)) AS\n"
        + rollup.selectBins(local("samples"), count: "count() AS count"),
      "CREATE MATERIALIZED VIEW \(database).\(rollup.sums)_of\(onCluster) TO \(local(rollup.sums)) AS\n"
        + rollup.selectSums(local("samples"), count: "count() AS count, sum(v) AS sum"),
      "CREATE MATERIALIZED VIEW \(database).\(rollup.words)_of\(onCluster) TO \(local(rollup.words)) AS\n"
        + rollup.selectWords(local("samples"), count: "count() AS count"),
    ]
  }
}

/// One kind of sums over slots of time.
struct Rollup: Sendable {
  private let name: String
  let seconds: Int
  /// Dropped bits of a double: 48 leave 16 bins an octave.
  let shift: Int
  private var hasHost = false
  let order: String
  let partition: String
  /// Days until it is deleted.
  let days: Int

  static let all = [seconds, slots, hosts]
  static let seconds = Rollup(
    name: "second", seconds: 1, shift: 48, order: "slot, bucket, name, type, field", partition: "toYYYYMMDD",
    days: 1)
  static let slots = Rollup(
    name: "slot", seconds: 16, shift: 48, order: "bucket, name, type, field, slot", partition: "toYYYYMM",
    days: 400)
  static let hosts = Rollup(
    name: "host", seconds: 256, shift: 49, hasHost: true, order: "bucket, name, type, field, slot, host",
    partition: "toYYYYMM", days: 90)

  var bins: String { name + "_bins" }
  var sums: String { name + "_sums" }
  var words: String { name + "_words" }
  /// The columns before the slot, each followed by a comma.
  var keys: String { "bucket, name, type, field, " + (hasHost ? "host, " : "") }

  /// The number of a slot, from 2001.
  static func slot(_ seconds: Int) -> String {
    "intDiv(at - \(SampleRow.epoch)000000000, \(seconds)000000000)"
  }

  /// The values of samples, counted by slot and by their upper bits.
  func selectBins(_ samples: String, count: String, where condition: String = "") -> String {
    "SELECT \(keys)\(Self.slot(seconds)) AS slot,\n  \(Self.key(shift)) AS key, \(count)"
      + source(samples, condition) + "\nGROUP BY \(keys)slot, key"
  }

  /// The bin of a value `v`.
  ///
  /// - Parameter shift: Dropped bits of the double.
  static func key(_ shift: Int) -> String {
    let magnitude = "bitShiftRight(reinterpretAsUInt64(reinterpretAsString(abs(v))), \(shift))"
    return "toInt32(if(v = 0, 0, toInt64(\(magnitude) + 1) * if(v < 0, -1, 1)))"
  }

  /// The sums and extremes of samples by slot.
  func selectSums(_ samples: String, count: String, where condition: String = "") -> String {
    "SELECT \(keys)\(Self.slot(seconds)) AS slot, \(count),\n"
      + "  minState(v) AS low, maxState(v) AS high, minState(at) AS first, maxState(at) AS last"
      + source(samples, condition) + "\nGROUP BY \(keys)slot"
  }

  /// The texts, bools and other values without a number, counted by slot.
  func selectWords(_ samples: String, count: String, where condition: String = "") -> String {
    "SELECT \(keys)\(Self.slot(seconds)) AS slot, \(Words.mark) AS mark, \(Words.word) AS word, \(count),\n"
      + "  minState(at) AS first, maxState(at) AS last\nFROM \(samples) \(Words.join)\(condition)"
      + "\nGROUP BY \(keys)slot, mark, word"
  }

  private func source(_ samples: String, _ condition: String) -> String {
    "\nFROM \(samples) ARRAY JOIN numbers.name AS field, numbers.value AS v" + condition
  }
}
