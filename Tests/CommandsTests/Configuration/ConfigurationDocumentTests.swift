import DashboardCore
import Foundation
import TerminalUI
import Testing

@testable import Commands

@Suite("The document of the configuration")
struct ConfigurationDocumentTests {
  private static func page() throws -> String {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(contentsOf: root.appendingPathComponent("docs/configuration.md"), encoding: .utf8)
  }

  @Test("its example is fine, and sets every kind of thing")
  func example() throws {
    let block = try #require(try Self.page().firstMatch(of: /```json5\n((?s:.*?))```/))
    let reader = ConfigurationReader(String(block.1))
    #expect(reader.problems.isEmpty, "\(reader.problems)")
    let configuration = reader.configuration
    #expect(configuration.theme == "auto" && configuration.window == 300 && configuration.start == "live")
    #expect(configuration.limits.all.count == 3 && configuration.keys.keys.count == 2)
    #expect(
      configuration.limits.all[1].command
        == #"logger "$MISTERTOP_METRIC is $MISTERTOP_VALUE, limit $MISTERTOP_LIMIT""#)
    #expect(configuration.columns?.count == 5 && configuration.maps.count == 1)
  }

  @Test("its tables have every key, theme, member and column")
  func tables() throws {
    let page = try Self.page()
    for name in Configuration.names { #expect(page.contains("\n| `\(name)` |"), "\(name)") }
    for name in Theme.names { #expect(page.contains("\n| `\(name)` |"), "\(name)") }
    for name in ConfigurationReader.membersOfLimits { #expect(page.contains("`\(name)`"), "\(name)") }
    for column in LiveColumn.allCases { #expect(page.contains("`\(column.rawValue)`"), "\(column)") }
  }
}
