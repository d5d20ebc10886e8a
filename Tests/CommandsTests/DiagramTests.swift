import DeliveryCore
import Foundation
import Resilience
import Sync
import Testing

@testable import diagrams

@Suite("Diagrams")
struct DiagramTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: root.appendingPathComponent(path)), as: UTF8.self)
  }

  @Test(arguments: ["sync-state-machine", "error-recovery", "data-flows", "delivery"])
  func `A document shows what the engines do; if not, run update-diagrams`(page: String) throws {
    let text = try Self.text("docs/\(page).md")
    #expect(try text == DocumentDiagrams.redrawn(text), "Tests/Scripts/update-diagrams draws them again")
    // It ends a statement in Mermaid.
    let drawings = text.split(separator: "```").filter { $0.hasPrefix("mermaid\n") }
    #expect(!drawings.isEmpty && drawings.allSatisfy { !$0.contains(";") })
  }

  @Test func `Without a row of the table the drawing is another`() throws {
    let whole = StateDiagram(SyncRule.table).lines
    for row in SyncRule.table.indices {
      var rules = SyncRule.table
      let removed = rules.remove(at: row)
      let isAlone = !rules.contains { $0.event == removed.event }
      #expect(StateDiagram(rules).lines != whole || !isAlone, "row \(removed.number)")
    }
  }

  @Test func `The drawing of the delivery client has every pair that its machine takes, and no other`() {
    let lines = StateDiagram.client.lines.map { $0.trimmingCharacters(in: .whitespaces) }
    func causes(_ from: String, _ to: String) -> [String] {
      let start = from == to ? "stays on: " : "\(from) --> \(to): "
      let place = from == to ? lines.firstIndex(of: "note right of \(from)").map { $0 + 1 } : nil
      let line = from == to ? place.map { lines[$0] } : lines.first { $0.hasPrefix(start) }
      return line?.dropFirst(start.count).components(separatedBy: from == to ? ", " : "<br/>") ?? []
    }
    for from in LifecycleMachine.State.allCases {
      for event in LifecycleMachine.Event.allCases {
        let target = LifecycleMachine.target(of: event, from: from)
        for to in LifecycleMachine.State.allCases {
          let isDrawn = causes(from.rawValue, to.rawValue).contains(event.rawValue)
          #expect(isDrawn == (target == to), "\(from) \(event) \(to)")
        }
      }
    }
  }

  @Test func `The drawing of the breaker follows its constants`() {
    var configuration = DeliveryConfiguration().breaker
    let usual = StateDiagram(breaker: configuration).lines
    #expect(usual.contains { $0.hasPrefix("closed --> open: failure [number 3 in a row]") })
    configuration = CircuitBreaker.Configuration(threshold: 1, backoff: configuration.backoff)
    #expect(StateDiagram(breaker: configuration).lines.contains("closed --> open: failure"))
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

  /// A type of the drawing in `docs/di-architecture.md`.
  private struct Node {
    let name: String
    let module: String
    var form = ""
    var members: [String] = []
  }

  private static let drawing: (nodes: [Node], edges: [(from: String, arrow: String, to: String)]) = {
    var (module, nodes, edges) = ("", [Node](), [(from: String, arrow: String, to: String)]())
    for line in ((try? text("docs/di-architecture.md")) ?? "").split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      switch words.first {
      case "namespace": module = words[1]
      case "class": nodes.append(Node(name: words[1], module: module))
      case let word? where word.hasPrefix("<<"): nodes[nodes.count - 1].form = word.filter(\.isLetter)
      case let word? where word.hasPrefix("+"):
        nodes[nodes.count - 1].members.append(String(word.dropFirst()))
      default:
        if words.count > 2, words[1].contains("..") || words[1] == "-->" {
          edges.append((words[0], words[1], words[2]))
        }
      }
    }
    return (nodes, edges)
  }()

  private static let sources: [String: String] = {
    var sources: [String: String] = [:]
    for module in Set(drawing.nodes.map(\.module)) {
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

  @Test(arguments: drawing.nodes.map(\.name))
  func `A type of the dependency diagram is declared so, with the members that it shows`(name: String) throws
  {
    let node = try #require(Self.drawing.nodes.first { $0.name == name })
    let source = try #require(Self.sources[node.module])
    #expect(
      source.contains("\(node.form) \(name)"), "there is no \(node.form) \(name) in \(node.module)")
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
    let diagram = Self.drawing
    #expect(diagram.edges.count > 10)
    let manifest = try Self.text("Package.swift")
    for edge in diagram.edges {
      let from = try #require(diagram.nodes.first { $0.name == edge.from })
      let to = try #require(diagram.nodes.first { $0.name == edge.to })
      let source = try #require(Self.sources[from.module])
      if edge.arrow == "..|>" {
        #expect(source.contains("\(edge.from): \(edge.to)"), "\(edge.from) is no \(edge.to)")
      } else {
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
