import Foundation
import QueryLanguage
import TestSupport
import Testing

@Suite("Queries and a naive evaluation in Python")
struct NaiveEvaluationTests {
  private static let hasPython =
    (try? ChildProcess("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 8))"]).wait())
    == .exited(0)

  /// The program's answer; `nil` for a query that it refuses.
  private static func answer(_ text: String, _ subjects: [TestSubject]) -> [[Int]]? {
    guard let query = try? Query.parse(text) else { return nil }
    return [
      subjects.map { query.matches(metric: $0) ? 1 : 0 }, subjects.map { query.matches(sample: $0) ? 1 : 0 },
    ]
  }

  @Test(
    "Choose the same of 60 metrics, and refuse the same", .enabled(if: hasPython, "python3 is not installed"))
  func seeded() throws {
    var generator = QueryGenerator(seed: 20)
    let subjects = (0..<60).map { _ in generator.subject() }
    let queries = (0..<200).map { _ in generator.query() }
    let folder = try TemporaryFolder()
    let task = Task(queries: queries, subjects: subjects.map(Subject.init))
    let path = try folder.write(
      String(decoding: try JSONEncoder().encode(task), as: UTF8.self), to: "task.json")
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "Naive/evaluate.py")
    let output = folder.path("answers.json")
    let ending = try ChildProcess(
      "python3", [script.path, path],
      environment: ["PYTHONIOENCODING": "utf-8", "PYTHONDONTWRITEBYTECODE": "1"],
      output: output
    ).wait()
    let text = try String(contentsOfFile: output, encoding: .utf8)
    try #require(ending == .exited(0), "\(text)")
    let answers = try JSONDecoder().decode([[[Int]]?].self, from: Data(text.utf8))
    try #require(answers.count == queries.count)
    var (refused, some) = (0, 0)
    for (query, expected) in zip(queries, answers) {
      #expect(Self.answer(query, subjects) == expected, "\(query)")
      if expected == nil { refused += 1 }
      if let chosen = expected?[0].reduce(0, +), chosen > 0, chosen < subjects.count { some += 1 }
    }
    // Queries that choose nothing or everything would show little.
    #expect(refused < 60 && some > 80, "\(refused) refused, \(some) choose some")
  }

  // MARK: The task of the script

  private struct Task: Encodable {
    let queries: [String]
    let subjects: [Subject]
  }

  private struct Subject: Encodable {
    let name: String
    let figures: [String: Double]
    let states: [String]
    let samples: [[String: Value]]

    init(_ subject: TestSubject) {
      name = subject.name
      figures = Dictionary(uniqueKeysWithValues: subject.figures.map { ($0.rawValue, $1) })
      states = subject.states.map(\.rawValue)
      samples = subject.samples.map { $0.mapValues { Value(value: $0) } }
    }
  }

  private struct Value: Encodable {
    let value: QueryValue

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch value {
      case .number(let number): try container.encode(number)
      case .bool(let claim): try container.encode(claim)
      case .text(let text): try container.encode(text)
      case .null: try container.encodeNil()
      }
    }
  }
}
