import Foundation
import Platform
import Testing

@testable import Commands
@testable import PayloadsScreen

@Suite("The documents of the repository")
struct DocumentTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  private static func pages() throws -> [String] {
    let docs = try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent("docs").path)
    return ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
      + docs.filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }
  }

  /// A page without its blocks of code.
  private static func prose(_ page: String) throws -> String {
    var isCode = false
    return try text(page).split(separator: "\n", omittingEmptySubsequences: false).filter { line in
      let isFence = line.drop { $0 == " " }.hasPrefix("```")
      if isFence { isCode.toggle() }
      return !isFence && !isCode
    }.joined(separator: "\n")
  }

  /// The anchor that a heading has on the web.
  private static func anchor(_ heading: Substring) -> String {
    heading.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
      .replacingOccurrences(of: " ", with: "-")
  }

  @Test func `Every link leads to a file, and to a heading in it`() throws {
    for page in try Self.pages() {
      for match in try Self.prose(page).matches(of: /\]\(([^)\s]+)\)/) where !match.1.contains("://") {
        let parts = match.1.split(separator: "#", omittingEmptySubsequences: false)
        let folder = Self.root.appendingPathComponent(page).deletingLastPathComponent()
        let target =
          parts[0].isEmpty
          ? Self.root.appendingPathComponent(page) : folder.appendingPathComponent(String(parts[0]))
        #expect(FileManager.default.fileExists(atPath: target.path), "\(page): \(match.1)")
        guard parts.count > 1 else { continue }
        let headings = try String(contentsOf: target, encoding: .utf8).matches(of: /(?m)^#+ (.+)$/)
          .map { Self.anchor($0.1) }
        #expect(headings.contains(String(parts[1])), "\(page): \(match.1)")
      }
    }
  }

  /// The files that have the code of the guide as it stands there.
  private static let compiled = [
    "Tests/Examples/sync-notes/main.swift", "Tests/SyncTests/GuideTests.swift",
    "Tests/MisterMetricsTests/GuideTests.swift", "Tests/DeliveryTests/DocumentationTests.swift",
    "Tests/TelemetryTests/SnippetTests.swift",
  ]

  @Test func `Every line of Swift in the guide to the libraries is compiled`() throws {
    func bare(_ line: Substring) -> String {
      (line.components(separatedBy: " //").first ?? "").trimmingCharacters(in: .whitespaces)
    }
    let known = Set(try Self.compiled.flatMap { try Self.text($0).split(separator: "\n").map(bare) })
    let blocks = try Self.text("docs/library.md").components(separatedBy: "```swift\n").dropFirst()
    #expect(blocks.count >= 7)
    for block in blocks {
      let lines = (block.components(separatedBy: "```").first ?? "").split(separator: "\n")
      for line in lines where !line.hasPrefix("import ") {
        #expect(bare(line).hasPrefix("//") || known.contains(bare(line)), "\(line)")
      }
    }
  }

  @Test func `Every check in the page about releases is a command line that is understood`() throws {
    let parser = CommandLineParser(
      environment: ProcessEnvironment(variables: [:], now: Timestamp(60), exists: { _ in true }))
    let text = try Self.text("docs/check.md").replacing(/\\\n\s*/, with: "")
    let lines = text.matches(of: /(?m)^[\s-]*mistertop (check .+)$/).map { String($0.1) }
    #expect(lines.count >= 6)
    for line in lines {
      // The rest after a redirection is the shell's.
      let words = line.matches(of: /'([^']*)'|(\S+)/)
        .prefix { ![">", ">>"].contains($0.2) }
        .map { String($0.1 ?? $0.2 ?? "") }
      guard case .command = try parser.parse(words) else {
        Issue.record("\(line)")
        continue
      }
    }
    let table = text.matches(of: /(?m)^\| (`[^|]+`) \| (?:the|…|a|any|there)/).flatMap { row in
      row.1.matches(of: /`([^`]+)`/).map { String($0.1) }
    }
    #expect(table.count >= 12)
    for condition in table { _ = try PayloadCondition(condition) }
  }

  @Test func `The guide leads to every article of the sync engine`() throws {
    let folder = "Sources/Sync/Sync.docc"
    let guide = try Self.text("docs/library.md")
    let articles = try FileManager.default.contentsOfDirectory(
      atPath: Self.root.appendingPathComponent(folder).path)
    #expect(articles.count >= 11)
    for article in articles { #expect(guide.contains("](../\(folder)/\(article))"), "\(article)") }
  }

  @Test func `The README can be read in a few minutes`() throws {
    #expect(try Self.prose("README.md").split(whereSeparator: \.isWhitespace).count <= 1500)
  }

  @Test func `The table of modules has the arrows of the manifest`() throws {
    let manifest = try Self.text("Package.swift")
    let table = try Self.text("docs/architecture.md")
    let targets = manifest.matches(of: /source\(\s*"(\w+)"(?:,\s*\[([^\]]*)\])?/)
    #expect(targets.count > 10)
    for target in targets {
      let arrows = target.2.map { $0.matches(of: /\w+/).map { String($0.0) } } ?? []
      let row = table.split(separator: "\n").first { $0.hasPrefix("| `\(target.1)` |") }
      let cells = row?.split(separator: "|", omittingEmptySubsequences: false) ?? []
      let shown = cells.dropFirst(3).first.map { $0.matches(of: /\w+/).map { String($0.0) } } ?? []
      #expect(Set(shown) == Set(arrows), "\(target.1): Tests/Scripts/update-architecture")
    }
  }
}
