import DeliveryCore
import Foundation
import Resilience
import Sync
import SyncSimulation
import TerminalUI
import Testing

@testable import Commands

@Suite("Diagrams")
struct DiagramTests {
  init() { TextLocale.adoptUTF8() }

  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: root.appendingPathComponent(path)), as: UTF8.self)
  }

  private static func pages() throws -> String {
    try ["sync-state-machine", "error-recovery", "data-flows", "di-architecture", "delivery"]
      .map { try text("docs/\($0).md") }.joined()
  }

  @Test(arguments: Diagram.allCases)
  func `The documents show what the engine does; if not, run update-diagrams`(diagram: Diagram) throws {
    let wanted =
      "<!-- diagram \(diagram.rawValue) -->\n```mermaid\n\(try diagram.mermaid())```\n<!-- end of diagram -->"
    #expect(try Self.pages().contains(wanted), "Tests/Scripts/update-diagrams draws them anew")
  }

  @Test(arguments: Diagram.allCases)
  func `No line of a diagram holds what ends a statement in Mermaid`(diagram: Diagram) throws {
    #expect(try !diagram.mermaid().contains(";"))
  }

  @Test func `A scenario's names begin no line, no directive and no command of a terminal`() throws {
    let kind = #"e\n%%{init}%%\u001b]0;x\u0007\u202e;\u0308"#
    let scenario = try Scenario(
      json5: Data(
        """
        { name: "x", title: "t", story: "s", seed: 1, start: "2026-11-21T08:00:00Z", duration: 30,
          kinds: [{ name: "\(kind)" }],
          acts: [{ at: 1, do: "create", kind: "\(kind)", id: "i" }, { at: 1, do: "sync" }] }
        """.utf8))
    let text = try Diagram.sequence(of: scenario)
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || SafeText.columns(of: $0) != nil })
    #expect(!text.contains("%{") && !text.unicodeScalars.contains(";"))
    #expect(text.contains("init"))
  }

  @Test func `Without a row of the table the drawing is another`() throws {
    let whole = StateDiagram(rules: SyncRule.table).mermaid
    for row in SyncRule.table.indices {
      var rules = SyncRule.table
      let removed = rules.remove(at: row)
      let isAlone = !rules.contains { $0.event == removed.event }
      #expect(StateDiagram(rules: rules).mermaid != whole || !isAlone, "row \(removed.number)")
    }
  }

  @Test func `The drawing of the delivery client has every pair that its machine takes, and no other`() {
    let lines = Set(
      DeliveryDiagram().mermaid.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
    for from in LifecycleMachine.State.allCases {
      for event in LifecycleMachine.Event.allCases {
        let target = LifecycleMachine.target(of: event, from: from)
        for to in LifecycleMachine.State.allCases {
          let arrow = "\(from.rawValue) --> \(to.rawValue): \(event.rawValue)"
          #expect(lines.contains(arrow) == (target == to), "\(arrow)")
        }
      }
    }
  }

  @Test func `The drawing of the breaker follows its constants`() {
    #expect(DeliveryDiagram().mermaid.contains("closed --> open: failure [number 3 in a row]"))
    var configuration = DeliveryConfiguration()
    configuration.breaker = CircuitBreaker.Configuration(threshold: 1, backoff: configuration.breaker.backoff)
    #expect(DeliveryDiagram(configuration).mermaid.contains("closed --> open: failure\n"))
  }

  @Test func `A passage that repeats itself is drawn once`() {
    #expect(
      SequenceDiagram.folded(["a", "b", "a", "b", "c"]) == ["loop 2 times", "    a", "    b", "end", "c"])
    #expect(SequenceDiagram.folded(["a", "a"]) == ["a", "a"])
    #expect(SequenceDiagram.folded(["a", "b", "c"]) == ["a", "b", "c"])
    let nested = ["x", "a", "a", "a", "x", "a", "a", "a"]
    #expect(
      SequenceDiagram.folded(nested)
        == ["loop 2 times", "    x", "    loop 3 times", "        a", "    end", "end"])
    #expect(SequenceDiagram.folded([]).isEmpty)
  }

  // MARK: - The dependency diagram against the sources

  private static let sources: [String: String] = {
    var sources: [String: String] = [:]
    for module in ClassDiagram.sync.modules {
      for folder in names(of: module).map({ root.appendingPathComponent("Sources/" + $0) }) {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
          sources[module, default: ""] += (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        }
      }
    }
    return sources
  }()

  /// The library that apps link, and the module that the program links in its place.
  private static func names(of module: String) -> [String] { [module, module + "Core"] }

  /// The line of the manifest that declares a module, wherever it is broken.
  private static func declaration(of module: String, in manifest: String) -> Substring? {
    manifest.components(separatedBy: "source(")
      .first { $0.drop(while: \.isWhitespace).hasPrefix("\"\(module)\"") }?.prefix { $0 != "]" }
  }

  /// The text of all declarations and extensions of a type.
  private static func bodies(of type: String, in source: String) -> [String] {
    var bodies: [String] = []
    var body: String?
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      let words = line.split(whereSeparator: { " :<{".contains($0) })
      let opens = words.first.map { !$0.isEmpty } == true && line.first?.isWhitespace == false
      if body == nil, opens, words.contains(Substring(type)) { body = "" }
      if let text = body { body = text + line + "\n" }
      if line.hasPrefix("}"), let text = body {
        bodies.append(text)
        body = nil
      }
    }
    return bodies
  }

  @Test(arguments: ClassDiagram.sync.nodes.map(\.name))
  func `A type of the dependency diagram is declared so, with the members that it shows`(name: String) throws
  {
    let node = try #require(ClassDiagram.sync.nodes.first { $0.name == name })
    let source = try #require(Self.sources[node.module])
    let form = node.form == "class" ? "class" : node.form
    #expect(source.contains("\(form) \(name)"), "there is no \(form) \(name) in \(node.module)")
    let bodies = Self.bodies(of: name, in: source).joined()
    for member in node.members {
      let isCall = member.hasSuffix("()")
      let wanted = isCall ? "func \(member.dropLast(2))" : "var \(member)"
      let next = isCall ? ["(", "<"] : [":"]
      #expect(next.contains { bodies.contains(wanted + $0) }, "\(name) has no \(member)")
    }
  }

  @Test func `An arrow of the dependency diagram exists in the sources and in the map of the package`() throws
  {
    let diagram = ClassDiagram.sync
    let manifest = try Self.text("Package.swift")
    for edge in diagram.edges {
      let from = try #require(diagram.nodes.first { $0.name == edge.from })
      let to = try #require(diagram.nodes.first { $0.name == edge.to })
      let source = try #require(Self.sources[from.module])
      switch edge.arrow {
      case .conforms:
        #expect(source.contains("\(edge.from): \(edge.to)"), "\(edge.from) is no \(edge.to)")
      case .needs, .makes:
        // A metric store is held behind its type-erased form.
        let bodies = Self.bodies(of: edge.from, in: source).joined()
        #expect(bodies.contains(edge.to), "\(edge.from) does not speak of \(edge.to)")
      }
      if from.module != to.module {
        let line = try #require(Self.declaration(of: from.module, in: manifest))
        let isImported = Self.names(of: to.module).contains { line.contains("\"\($0)\"") }
        #expect(isImported, "\(from.module) does not import \(to.module)")
      }
    }
  }
}
