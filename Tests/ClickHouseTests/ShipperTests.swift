import HTTPClient
import JSONLines
import Platform
import TestSupport
import Testing

@testable import ClickHouse

@Suite("Delivering blocks to a server that fails")
struct ShipperTests {
  /// A server of one table that fails where chance decides, before or after it has taken the rows.
  private final class FailingServer: ServerLink {
    private(set) var rows: [UInt64] = []
    private var random: SeededGenerator
    /// Inserts that were taken but end later: they still run.
    private var late: [(asks: Int, rows: Range<UInt64>)] = []
    private(set) var unknown = 0
    let hidesRunning: Bool
    let hidesArrived: Bool

    init(seed: UInt64, hidesRunning: Bool = false, hidesArrived: Bool = false) {
      random = SeededGenerator(seed: seed)
      (self.hidesRunning, self.hidesArrived) = (hidesRunning, hidesArrived)
    }

    func run(
      _ statement: String, settings: [(name: String, value: String)], rows bytes: [UInt8]
    ) -> Result<[UInt8], ServerFailure> {
      let failure = ServerFailure.unanswered(.unreachable, "gone")
      let chance = random.next() % 6
      if statement == Statements.version { return .success(Array("26.9.1\n".utf8)) }
      if statement.contains("system.processes") {
        endLate()
        return chance == 0 ? .failure(failure) : answer(hidesRunning ? 0 : late.count)
      }
      if statement.contains("count()") {
        let (low, high) = (number(after: "seq >= ", in: statement), number(after: "seq < ", in: statement))
        return chance == 0
          ? .failure(failure) : answer(hidesArrived ? 0 : rows.count { (low..<high).contains($0) })
      }
      return insert(settings, failure, chance)
    }

    private func endLate() {
      for insert in late where insert.asks == 0 { rows += insert.rows }
      late = late.filter { $0.asks > 0 }.map { ($0.asks - 1, $0.rows) }
    }

    private func insert(
      _ settings: [(name: String, value: String)], _ failure: ServerFailure, _ chance: UInt64
    ) -> Result<[UInt8], ServerFailure> {
      let words = settings.first { $0.name == "query_id" }?.value.split(separator: "-") ?? []
      guard words.count == 4, let low = UInt64(words[2]), let high = UInt64(words[3]), chance > 0 else {
        return .failure(failure)
      }
      if chance == 2 {
        late.append((Int(random.next() % 3), low..<high))
      } else {
        rows += low..<high
      }
      guard chance <= 2 else { return .success([]) }
      unknown += 1
      return .failure(failure)
    }

    private func answer(_ number: Int) -> Result<[UInt8], ServerFailure> {
      .success(Array("\(number)\n".utf8))
    }

    private func number(after words: String, in statement: String) -> UInt64 {
      guard let range = statement.firstRange(of: words) else { return 0 }
      return UInt64(statement[range.upperBound...].prefix { $0.isNumber }) ?? 0
    }
  }

  private static func deliver(_ count: UInt64, to server: FailingServer) -> Bool {
    let shipper = Shipper(
      server, database: "d", host: "h", generator: SeededGenerator(seed: 1), wait: { _ in true },
      report: { _ in })
    return stride(from: 0, to: count, by: 10).allSatisfy { start in
      shipper.deliver(Block(stream: 1, rows: start..<start + 10, times: 0...9, bytes: [1]))
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `Every row is there once, whatever failed`(seed: UInt64) {
    let server = FailingServer(seed: seed)
    #expect(Self.deliver(1000, to: server))
    #expect(server.rows == Array(0..<1000))
    #expect(server.unknown > 5)
  }

  @Test(arguments: [(true, false), (false, true)])
  func `Rows come twice without one of the questions`(hidesRunning: Bool, hidesArrived: Bool) {
    let damaged = (0..<20 as Range<UInt64>).filter { seed in
      let server = FailingServer(seed: seed, hidesRunning: hidesRunning, hidesArrived: hidesArrived)
      _ = Self.deliver(1000, to: server)
      return server.rows.count > 1000 && Set(server.rows).count == 1000
    }
    #expect(damaged.count > 10)
  }

  /// Answers each statement with the next of some answers.
  private final class ScriptedServer: ServerLink {
    private var answers: [Result<[UInt8], ServerFailure>]
    private(set) var statements: [String] = []

    init(_ answers: [Result<String, ServerFailure>]) {
      self.answers = answers.reversed().map { $0.map { Array($0.utf8) } }
    }

    func run(
      _ statement: String, settings: [(name: String, value: String)], rows: [UInt8]
    ) -> Result<[UInt8], ServerFailure> {
      statements.append(statement)
      return answers.popLast() ?? .failure(.unanswered(.cancelled, ""))
    }
  }

  private static func shipper(
    _ server: ScriptedServer, waits: Int = .max, report: @escaping (Shipper.Event) -> Void = { _ in }
  ) -> Shipper {
    var left = waits
    return Shipper(
      server, database: "d", host: "h", generator: SeededGenerator(seed: 1), now: { Timestamp(100) },
      wait: { _ in
        left -= 1
        return left >= 0
      }, report: report)
  }

  private static let block = Block(stream: 1, rows: 0..<10, times: 0...9, bytes: [1])

  @Test func `A kind of failure is told once, with the time since when, and so is its end`() {
    let gone = ServerFailure.unanswered(.unreachable, "gone")
    var events: [Shipper.Event] = []
    let server = ScriptedServer([
      .failure(gone), .failure(.unanswered(.unreachable, "gone again")),
      .failure(.refused(status: 500, code: 241, "memory")),
      .success("0\n"), .success("0\n"), .success("26.9\n"), .success(""),
    ])
    #expect(Self.shipper(server) { events.append($0) }.deliver(Self.block))
    #expect(
      events == [
        .failing(gone, since: Timestamp(100)),
        .failing(.refused(status: 500, code: 241, "memory"), since: Timestamp(100)),
        .recovered(since: Timestamp(100)),
      ])
  }

  @Test(arguments: ["ClickHouse", "-1\n", "1\t2\n3\n", "99999999999999999999\n", "\n"])
  func `An answer of another kind is asked again`(answer: String) {
    let server = ScriptedServer([
      .success("26.9\n"), .failure(.unanswered(.timedOut, "")), .success(answer), .success("0\n"),
      .success("10\n"),
    ])
    #expect(Self.shipper(server).deliver(Self.block))
    #expect(server.statements.count == 5)
  }

  @Test func `An insert that answers something has failed`() {
    let server = ScriptedServer([
      .success("18.16\n"), .success("Code: 241. Memory limit exceeded"), .success("0\n"), .success("10\n"),
    ])
    #expect(Self.shipper(server).deliver(Self.block))
  }

  @Test func `A part of a block counts as the block, and is told`() {
    var events: [Shipper.Event] = []
    let server = ScriptedServer([
      .success("26.9\n"), .failure(.strange("")), .success("0\n"), .success("7\n"),
    ])
    #expect(Self.shipper(server) { events.append($0) }.deliver(Self.block))
    #expect(events.contains(.incomplete(rows: 7, of: 10)))
  }

  @Test func `What earlier runs have sent is asked for in one question, once nothing runs`() {
    let server = ScriptedServer([
      .success("1\n"), .success("0\n"), .success("5\t19\t1789343940500000000\n6\t3\t7\n"),
    ])
    let places = [StreamPlace(stream: 5, next: 10), StreamPlace(stream: 6), StreamPlace(stream: 7, next: 1)]
    #expect(
      Self.shipper(server).arrived(behind: places) == [
        5: ArrivedRows(end: 20, firstTime: 1_789_343_940_500_000_000), 6: ArrivedRows(end: 4, firstTime: 7),
      ])
    #expect(server.statements.count == 3)
    #expect(Self.shipper(server).arrived(behind: []) == [:])
  }

  @Test func `It stops while it waits, and while a statement runs`() {
    let server = ScriptedServer([.success("26.9\n"), .failure(.unanswered(.unreachable, ""))])
    #expect(!Self.shipper(server, waits: 0).deliver(Self.block))
    #expect(!Self.shipper(ScriptedServer([])).deliver(Self.block))
  }
}
