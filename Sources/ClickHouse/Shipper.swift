import HTTPClient
package import JSONLines
package import Platform

/// Delivers blocks to a server, one after another, and tries again after any failure.
package final class Shipper {
  /// An event that is reported to the user.
  package enum Event: Hashable, Sendable {
    /// No block has been accepted since then; it is tried again.
    case failing(ServerFailure, since: Timestamp)
    case recovered(since: Timestamp)
    /// The server has only part of a block: it takes blocks whole, so rows were deleted there.
    case incomplete(rows: UInt64, of: Int)
  }

  /// Maximum streams per query.
  private static let questionLimit = 500

  private let link: any ServerLink
  private let database: String
  private let host: String
  private let wait: (Duration) -> Bool
  private let now: () -> Timestamp
  private let report: (Event) -> Void
  private var generator: any RandomNumberGenerator
  private var traits: ServerTraits?
  private var trouble: (failure: ServerFailure, since: Timestamp)?

  /// - Parameters:
  ///   - database: A name of letters, digits and underscores.
  ///   - host: The name under which the rows are stored.
  ///   - wait: Waits for a duration; false to stop.
  package init(
    _ link: any ServerLink, database: String, host: String,
    generator: any RandomNumberGenerator = SystemRandomNumberGenerator(),
    now: @escaping () -> Timestamp = Timestamp.now, wait: @escaping (Duration) -> Bool,
    report: @escaping (Event) -> Void
  ) {
    (self.link, self.database, self.host) = (link, database, host)
    (self.generator, self.now, self.wait, self.report) = (generator, now, wait, report)
  }

  /// Delivers a block.
  ///
  /// - Returns: False when stopped; the block may or may not be there.
  package func deliver(_ block: Block) -> Bool {
    run(Delivery(inserts: true), of: [block.stream], insert: { self.insert(block) }) {
      self.ask(Statements.arrived(block, of: self.host, in: self.database)) { rows in
        guard let count = rows.first?.first, rows.count == 1 else { return nil }
        if count > 0, count != block.rows.count {
          self.report(.incomplete(rows: count, of: block.rows.count))
        }
        return .arrived(count > 0)
      }
    }
  }

  /// The rows that the server has beyond some places, by stream; streams without any are left out.
  ///
  /// - Returns: `nil` when stopped.
  package func arrived(behind places: [StreamPlace]) -> [UInt64: ArrivedRows]? {
    var arrived: [UInt64: ArrivedRows] = [:]
    for start in stride(from: 0, to: places.count, by: Self.questionLimit) {
      let part = Array(places[start..<min(places.count, start + Self.questionLimit)])
      let isAnswered = run(Delivery(inserts: false), of: part.map(\.stream), insert: { .failed }) {
        self.ask(Statements.arrived(part, of: self.host, in: self.database)) { rows in
          guard rows.allSatisfy({ $0.count == 3 }) else { return nil }
          for row in rows {
            arrived[row[0]] = ArrivedRows(end: row[1] &+ 1, firstTime: Int64(clamping: row[2]))
          }
          return .arrived(true)
        }
      }
      guard isAnswered else { return nil }
    }
    return arrived
  }

  /// - Returns: False when stopped.
  private func run(
    _ delivery: Delivery, of streams: [UInt64], insert: () -> Delivery.Outcome?,
    askArrived: () -> Delivery.Outcome?
  ) -> Bool {
    var delivery = delivery
    while true {
      let outcome: Delivery.Outcome?
      switch delivery.action {
      case .insert: outcome = insert()
      case .askRunning: outcome = isRunning(streams)
      case .askArrived: outcome = askArrived()
      case .wait(let duration): outcome = wait(duration) ? .waited : nil
      case .finished:
        if let since = trouble?.since { report(.recovered(since: since)) }
        trouble = nil
        return true
      }
      guard let outcome else { return false }
      delivery.conclude(outcome, using: &generator)
    }
  }

  // MARK: Statements

  private func insert(_ block: Block) -> Delivery.Outcome? {
    if traits == nil {
      let outcome = concluded(link.run(Statements.version, settings: [], rows: [])) { body in
        traits = ServerTraits(version: String(decoding: body.prefix(64), as: UTF8.self))
        return .waited
      }
      guard outcome == .waited else { return outcome }
    }
    return concluded(
      link.run(
        Statements.insert(into: database), settings: traits?.insertSettings(block) ?? [], rows: block.bytes)
    ) { $0.isEmpty ? .inserted : nil }
  }

  private func isRunning(_ streams: [UInt64]) -> Delivery.Outcome? {
    ask(Statements.running(streams)) { rows in
      guard let count = rows.first?.first, rows.count == 1 else { return nil }
      return .running(count > 0)
    }
  }

  /// Asks for rows of whole numbers.
  private func ask(_ statement: String, _ outcome: ([[UInt64]]) -> Delivery.Outcome?) -> Delivery.Outcome? {
    concluded(link.run(statement, settings: [], rows: [])) { body in
      let lines = body.split(separator: UInt8(ascii: "\n")).map { line in
        line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
          .map { UInt64(String(decoding: $0, as: UTF8.self)) }
      }
      let rows = lines.map { $0.compactMap { $0 } }
      return zip(lines, rows).allSatisfy { $0.count == $1.count } ? outcome(rows) : nil
    }
  }

  /// - Parameter outcome: Returns `nil` for an answer that is not ClickHouse's.
  private func concluded(
    _ result: Result<[UInt8], ServerFailure>, _ outcome: ([UInt8]) -> Delivery.Outcome?
  ) -> Delivery.Outcome? {
    switch result {
    case .failure(let failure) where failure == .unanswered(.cancelled, ""): return nil
    case .failure(let failure): return failed(failure)
    case .success(let body): return outcome(body) ?? failed(.strange("an answer of another kind"))
    }
  }

  private func failed(_ failure: ServerFailure) -> Delivery.Outcome {
    // A server may be upgraded while it is away.
    traits = nil
    if trouble?.failure.isLike(failure) != true {
      let since = trouble?.since ?? now()
      trouble = (failure, since)
      report(.failing(failure, since: since))
    }
    return .failed
  }
}
