import HTTPClient
import History
package import Platform

/// A question that a server has not answered.
package struct ServerProblem: HistoryFailure {
  let server: String
  let failure: ServerFailure

  package var words: String { "\(server) \(failure.readingSentence)" }

  /// Where nothing can be asked yet.
  package static func unavailable(_ address: ServerAddress) -> ServerProblem {
    ServerProblem(server: address.server, failure: .unanswered(.unavailable, "only Linux can ask yet"))
  }
}

/// Asks a server questions that change nothing, and stops one that is no longer wanted.
///
/// Confined to one thread, except for ``Interruption``.
package final class ServerReader {
  /// Ends the question that is running.
  package struct Interruption: Sendable {
    let signal: WakeSignal

    package init(_ signal: WakeSignal = WakeSignal()) { self.signal = signal }

    package func callAsFunction() { signal.raise() }
  }

  /// Maximum bytes of an answer.
  package static let answerLimit = 64 << 20
  /// The longest duration of a question on the server, in seconds.
  private static let duration = 10
  /// The longest duration of a question until its last byte: the server's, and the way.
  package static let timeout = Duration.seconds(15)

  private let server: String
  private let link: any ServerLink
  /// For a word to the server after an interruption.
  private let other: any ServerLink
  private let interruption: Interruption
  private let name: String
  private var number = 0
  /// True if answers may lack the samples of shards that cannot be reached.
  var takesParts = true
  /// The last failure to reach a shard, without whose samples a question was answered.
  var missing: ServerProblem?

  /// - Parameters:
  ///   - server: The server's name, for sentences.
  ///   - link: Stops when the interruption is raised.
  ///   - other: Does not.
  package init(
    of server: String, link: any ServerLink, other: any ServerLink, interruption: Interruption,
    name: String = "mistertop-" + String(UInt64.random(in: .min ... .max), radix: 16)
  ) {
    (self.server, self.link, self.other) = (server, link, other)
    (self.interruption, self.name) = (interruption, name)
  }

  /// Begins with other questions: an interruption before it concerned earlier ones.
  func begin() {
    interruption.signal.clear()
    missing = nil
  }

  /// Asks for rows.
  ///
  /// - Throws: `CancellationError` after an interruption, otherwise a ``ServerProblem``.
  func ask(_ statement: String) throws -> [UInt8] {
    do {
      return try run(statement)
    } catch let problem as ServerProblem where takesParts && problem.failure.isOfShard {
      let rows = try run(statement, [("skip_unavailable_shards", "1")])
      missing = problem
      return rows
    }
  }

  private func run(_ statement: String, _ others: [(name: String, value: String)] = []) throws -> [UInt8] {
    number += 1
    let identifier = "\(name)-\(number)"
    let settings = [
      (name: "query_id", value: identifier), ("max_execution_time", "\(Self.duration)"),
      ("max_result_bytes", "\(Self.answerLimit)"),
    ]
    do throws(ServerFailure) {
      return try link.run(statement + " FORMAT RowBinary", settings: settings + others, rows: []).get()
    } catch {
      guard case .unanswered(.cancelled, _) = error else {
        throw ServerProblem(server: server, failure: error)
      }
      _ = other.run("KILL QUERY WHERE query_id = '\(identifier)' ASYNC", settings: [], rows: [])
      throw CancellationError()
    }
  }

  /// Asks for rows and reads them.
  func rows<Row>(
    _ statement: String, _ row: (inout RowBinaryReader) throws(RowBinaryReader.Damage) -> Row
  ) throws -> [Row] {
    let bytes = try ask(statement)
    return try read {
      () throws(RowBinaryReader.Damage) in
      var reader = RowBinaryReader(bytes)
      return try reader.rows(row)
    }
  }

  func read<Rows>(_ rows: () throws(RowBinaryReader.Damage) -> Rows) throws(ServerProblem) -> Rows {
    do throws(RowBinaryReader.Damage) { return try rows() } catch {
      throw ServerProblem(server: server, failure: .strange("rows of another kind"))
    }
  }
}

#if os(Linux)
  extension ServerReader {
    /// A reader over HTTP.
    ///
    /// - Parameters:
    ///   - environment: As for ``HTTPServerLink``.
    ///   - authorities: The same.
    package convenience init(
      of address: ServerAddress, environment: [String: String], authorities: String? = nil,
      interruption: Interruption
    ) throws(ServerProblem) {
      let link = { (stop: WakeSignal) throws(ServerProblem) in
        do throws(ServerFailure) {
          return try HTTPServerLink(
            address, environment: environment, authorities: authorities, stop: stop, timeout: Self.timeout,
            limit: Self.answerLimit)
        } catch {
          throw ServerProblem(server: address.server, failure: error)
        }
      }
      try self.init(
        of: address.server, link: link(interruption.signal), other: link(WakeSignal()),
        interruption: interruption)
    }
  }
#endif
