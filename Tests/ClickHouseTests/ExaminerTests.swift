import JSONLines
import Platform
import Testing

@testable import ClickHouse

@Suite("Examining a database")
struct ExaminerTests {
  /// Answers each question by the words that it contains.
  private final class AnsweringServer: ServerLink {
    private let answers: [(words: String, answer: String)]
    private(set) var statements: [String] = []

    init(_ answers: [(words: String, answer: String)]) { self.answers = answers }

    func run(
      _ statement: String, settings: [(name: String, value: String)], rows: [UInt8]
    ) -> Result<[UInt8], ServerFailure> {
      statements.append(statement)
      let answer = answers.first { statement.contains($0.words) }?.answer ?? "0\t0\t0\n"
      return .success(Array(answer.utf8))
    }
  }

  private static let now = Timestamp(unixSeconds: 1_780_000_000.4)

  private func examine(_ answers: [(words: String, answer: String)]) throws -> Examination {
    let whole = [
      ("version()", "26.9.1\t1780000000\n"),
      ("uniqExact(host)", "12\t2\t3\t1779999000000000000\t1779999999500000000\n"),
      ("stream != 0", ""),
    ]
    let server = AnsweringServer(answers + whole.map { (words: $0.0, answer: $0.1) })
    return try Examiner(try ServerAddress("clickhouse://h/shop"), over: server, clock: { Self.now }).examine()
  }

  @Test func `Of a sound database only the totals are told`() throws {
    let found = try examine([])
    #expect(found.isSound && found.clockSkew == 0)
    #expect((found.samples, found.hosts, found.streams) == (12, 2, 3))
    #expect(found.times == Timestamp(unixSeconds: 1_779_999_000)...Timestamp(unixSeconds: 1_779_999_999.5))
  }

  @Test func `Streams with gaps and rollups that count wrongly are found`() throws {
    let found = try examine([
      (words: "stream != 0", answer: "web-1\t18446744073709551615\t5\t0\n"),
      (words: "shop.slot_sums WHERE", answer: "3\t40\t0\n"),
    ])
    #expect(!found.isSound)
    #expect(
      found.faultyStreams
        == [.init(host: "web-1", stream: "18446744073709551615", missing: 5, repeated: 0)])
    #expect(found.faultyRollups == [.init(table: "slot_sums", slots: 3, lacking: 40, surplus: 0)])
  }

  @Test(
    "The clock counts as off by what the question's duration cannot explain",
    arguments: [
      ("1780000010", 9.6), ("1779999990", -9.4), ("1780000001", 0.6), ("1779999999", -0.4), ("x", 0),
    ])
  func clock(text: String, skew: Double) throws {
    let found = try examine([(words: "version()", answer: "26.9\t\(text)\n")])
    #expect(abs(found.clockSkew - skew) < 1e-6)
  }

  @Test(
    "An answer of another shape is a failure",
    arguments: [
      "", "1\t2\n", "1\t2\t3\t4\tx\n", "-1\t2\t3\t4\t5\n", "1\t2\t3\t4\t99999999999999999999\n", "\0\n",
    ])
  func strangeAnswers(text: String) throws {
    #expect(throws: ServerFailure.self) { try examine([(words: "uniqExact(host)", answer: text)]) }
  }
}
