import Foundation
import QueryLanguage
import Testing

@Suite("The page about queries")
struct QueryDocumentTests {
  private static func page() throws -> [Substring] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appendingPathComponent("docs/query.md"), encoding: .utf8)
    return text.split(separator: "\n")
  }

  @Test("Has examples, each of which is a query", arguments: [("query", 10), ("calculation", 6)])
  func examples(column: String, count: Int) throws {
    let rows = try Self.page().drop { !$0.hasPrefix("| \(column) |") }.prefix { $0.hasPrefix("|") }.dropFirst(
      2)
    #expect(rows.count == count)
    for row in rows {
      let query = row.split(separator: "`")[1].replacing("\\|", with: "|")
      #expect(throws: Never.self, "\(query)") { try Query.parse(String(query)) }
    }
  }

  @Test("Has examples in its text, each of which is a query or refused as it says")
  func sentences() throws {
    let text = try Self.page().joined(separator: "\n")
    for query in [
      "p95 / p50", "2*p50", "\"max-min\" = 5", "net.status >= 500", "p95 - 400ms > 1KB", "p95 / p50 > 3",
    ] {
      #expect(text.contains("`\(query)"), "\(query)")
    }
    #expect(throws: QueryError.self) { try Query.parse("p95 - 400ms > 1KB") }
    for query in ["2*p50 < p95", "\"max-min\" = 5", "net.status >= 500", "n / age > 10/s"] {
      #expect(throws: Never.self, "\(query)") { try Query.parse(query) }
    }
    var limit = try LimitQuery("p95 / p50 > 3")
    let isSound = limit.setClear("2")
    #expect(isSound)
  }

  @Test("Names every figure, state, operator and limit")
  func words() throws {
    let text = try Self.page().joined(separator: "\n")
    for figure in QueryFigure.allCases { #expect(text.contains("`\(figure.rawValue)`"), "\(figure)") }
    for state in QueryState.allCases { #expect(text.contains("`\(state.rawValue)`"), "\(state)") }
    for comparison in QueryOperator.allCases {
      #expect(text.contains("`\(comparison.rawValue)`"), "\(comparison)")
    }
    #expect(text.contains("at most 2,000 characters and \(Query.deepest)"))
    #expect(Query.longest == 2000)
  }
}
