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

  @Test("Has ten examples, each of which is a query")
  func examples() throws {
    let rows = try Self.page().drop { !$0.hasPrefix("| query |") }.prefix { $0.hasPrefix("|") }.dropFirst(2)
    #expect(rows.count == 10)
    for row in rows {
      let query = row.split(separator: "`")[1].replacing("\\|", with: "|")
      #expect(throws: Never.self, "\(query)") { try Query.parse(String(query)) }
    }
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
