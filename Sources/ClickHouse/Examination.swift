package import Platform

/// The samples that a database has of those that were shipped to it, and those that it lacks.
package struct Examination: Sendable, Equatable {
  /// A stream whose numbers are not exactly those of its samples.
  package struct Stream: Sendable, Equatable {
    /// As the server has it: untrusted.
    package let host: String
    package let stream: String
    /// Numbers between the first and the last that no sample has.
    package let missing: UInt64
    /// Samples with a number that another one has.
    package let repeated: UInt64
  }

  /// A rollup that does not count what the samples add up to.
  package struct Rollup: Sendable, Equatable {
    package let table: String
    /// The slots that count too few or too many values, by metric and field, and the values by which they are off.
    package let slots: UInt64
    package let lacking: UInt64
    package let surplus: UInt64
  }

  /// Maximum number of streams that are named.
  package static let streamLimit = 20

  /// The server's version (untrusted).
  package var version = ""
  package var samples: UInt64 = 0
  package var hosts: UInt64 = 0
  package var streams: UInt64 = 0
  /// The times of the oldest and the newest sample, if there are any.
  package var times: ClosedRange<Timestamp>?
  /// The server's time minus this machine's, in seconds: at least so much, in either direction.
  package var clockSkew = 0.0
  /// The worst of the streams with gaps or repetitions.
  package var faultyStreams: [Stream] = []
  package var faultyRollups: [Rollup] = []

  package init() {}

  /// True if nothing is missing and nothing is counted wrongly.
  package var isSound: Bool { faultyStreams.isEmpty && faultyRollups.isEmpty }
}

/// Asks a server for an ``Examination``.
package struct Examiner {
  private let link: any ServerLink
  private let address: ServerAddress
  private let clock: @Sendable () -> Timestamp

  /// - Parameter clock: This machine's time.
  package init(
    _ address: ServerAddress, over link: any ServerLink,
    clock: @escaping @Sendable () -> Timestamp = { .now() }
  ) {
    (self.address, self.link, self.clock) = (address, link, clock)
  }

  package func examine() throws(ServerFailure) -> Examination {
    let schema = Schema(database: address.database, cluster: address.cluster)
    var found = Examination()
    let before = clock()
    let server = try rows("SELECT version(), toUnixTimestamp(now())", columns: 2).first ?? ["", ""]
    (found.version, found.clockSkew) = (server[0], skew(server[1], before, clock()))
    let totals = try numbers(schema.totals, columns: 5)
    (found.samples, found.hosts, found.streams) = (totals[0], totals[1], totals[2])
    if found.samples > 0 {
      found.times = Self.time(totals[3])...max(Self.time(totals[3]), Self.time(totals[4]))
    }
    for row in try rows(schema.faultyStreams(limit: Examination.streamLimit), columns: 4) {
      found.faultyStreams.append(
        Examination.Stream(
          host: row[0], stream: row[1], missing: try number(row[2]), repeated: try number(row[3])))
    }
    for (table, statement) in schema.comparisons {
      let row = try numbers(statement, columns: 3)
      guard row[0] > 0 else { continue }
      found.faultyRollups.append(
        Examination.Rollup(table: table, slots: row[0], lacking: row[1], surplus: row[2]))
    }
    return found
  }

  /// The least difference between the clocks that explains the answer: the server's time in whole seconds, at some
  /// moment between the two.
  private func skew(_ text: String, _ before: Timestamp, _ after: Timestamp) -> Double {
    guard let seconds = Double(text), seconds.isFinite else { return 0 }
    let server = Timestamp(unixSeconds: seconds)
    if server > after { return server - after }
    return min(0, server + 1 - before)
  }

  private static func time(_ nanoseconds: UInt64) -> Timestamp {
    Timestamp(unixSeconds: Double(nanoseconds) / 1e9)
  }

  private func numbers(_ statement: String, columns: Int) throws(ServerFailure) -> [UInt64] {
    guard let row = try rows(statement, columns: columns).first else {
      throw .strange("an answer without a row")
    }
    var numbers: [UInt64] = []
    for text in row { numbers.append(try number(text)) }
    return numbers
  }

  private func number(_ text: String) throws(ServerFailure) -> UInt64 {
    guard let number = UInt64(text) else { throw .strange("a text where a number is expected") }
    return number
  }

  /// The fields of an answer in tab-separated values.
  private func rows(_ statement: String, columns: Int) throws(ServerFailure) -> [[String]] {
    let answer = try link.run(statement, settings: [], rows: []).get()
    var rows: [[String]] = []
    for line in answer.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
      guard fields.count == columns else { throw .strange("an answer of \(fields.count) columns") }
      rows.append(fields.map { String(decoding: $0, as: UTF8.self) })
    }
    return rows
  }
}
