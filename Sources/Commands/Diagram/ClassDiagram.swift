/// The structure of the engine: types, their members and their dependencies on each other.
///
/// A diagram as data; a test holds it against the sources and the map of the package.
struct ClassDiagram {
  struct Node {
    let name: String
    /// How the type is declared: `protocol`, `actor`, `struct` or `class`.
    let form: String
    let module: String
    let members: [String]
  }

  enum Arrow: String {
    case needs = "-->"
    case makes = "..>"
    case conforms = "..|>"
  }

  struct Edge {
    let from: String
    let arrow: Arrow
    let to: String
    let label: String?
  }

  let nodes: [Node]
  let edges: [Edge]

  var mermaid: String {
    var lines = ["classDiagram"]
    for module in modules {
      lines.append("    namespace \(module) {")
      for node in nodes where node.module == module {
        lines.append("        class \(node.name) {")
        lines.append("            <<\(node.form)>>")
        lines += node.members.map { "            +\($0)" }
        lines.append("        }")
      }
      lines.append("    }")
    }
    lines += edges.map { edge in
      "    \(edge.from) \(edge.arrow.rawValue) \(edge.to)" + (edge.label.map { " : \($0)" } ?? "")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The modules in order of their first appearance.
  var modules: [String] {
    var seen: Set<String> = []
    return nodes.map(\.module).filter { seen.insert($0).inserted }
  }
}

extension ClassDiagram {
  /// The sync engine's.
  static let sync = ClassDiagram(nodes: engine + outside + provided + others, edges: arrows)

  private static let engine = [
    Node(
      name: "SyncEngine", form: "actor", module: "Sync",
      members: [
        "requestSync()", "queueMutation()", "resetBreaker()", "clearPending()", "forceFullResync()",
        "skipToLatestCursor()", "resetStore()", "protectedWrite()", "deadLetters()", "updates()",
        "notices()", "cancelSync()", "erase()", "stop()",
      ]),
    Node(name: "SyncStateMachine", form: "struct", module: "Sync", members: ["handle()"]),
    Node(name: "SyncEnvironment", form: "struct", module: "Sync", members: []),
  ]

  private static let outside = [
    Node(
      name: "SyncBackend", form: "protocol", module: "Sync",
      members: ["probe()", "push()", "changes()", "latestCursor()", "entities()"]),
    Node(
      name: "SyncStore", form: "protocol", module: "Sync",
      members: [
        "enqueue()", "nextMutations()", "update()", "removeMutation()", "bury()", "entity()", "upsert()",
        "removeEntity()", "cursor()", "erase()", "save()",
      ]),
    Node(name: "SyncStoreFactory", form: "protocol", module: "Sync", members: ["makeStore()"]),
    Node(name: "SyncClock", form: "protocol", module: "Sync", members: ["now", "wallTime", "sleep()"]),
    Node(name: "SyncPreferences", form: "protocol", module: "Sync", members: ["value()", "set()"]),
  ]

  private static let provided = [
    Node(name: "SimulatedBackend", form: "class", module: "SyncSimulation", members: []),
    Node(name: "SimulationClock", form: "class", module: "SyncSimulation", members: []),
    Node(name: "SystemSyncClock", form: "struct", module: "Sync", members: []),
    Node(name: "FileSyncStoreFactory", form: "struct", module: "Sync", members: []),
    Node(name: "InMemorySyncStoreFactory", form: "struct", module: "Sync", members: []),
    Node(name: "FilePreferences", form: "struct", module: "Sync", members: []),
    Node(name: "InMemoryPreferences", form: "struct", module: "Sync", members: []),
  ]

  private static let others = [
    Node(
      name: "CircuitBreaker", form: "struct", module: "Resilience",
      members: ["permit()", "recordFailure()", "recordSuccess()", "reset()"]),
    Node(
      name: "SyncSignposts", form: "struct", module: "Telemetry", members: ["begin()", "end()", "record()"]),
    Node(
      name: "MetricStore", form: "protocol", module: "MisterMetrics",
      members: ["record()", "retrieveAll()", "sync()"]),
  ]

  private static let arrows = [
    Edge(from: "SyncEngine", arrow: .needs, to: "SyncEnvironment", label: nil),
    Edge(from: "SyncEngine", arrow: .needs, to: "SyncStateMachine", label: "asks what to do"),
    Edge(from: "SyncEngine", arrow: .needs, to: "SyncSignposts", label: "intervals and events"),
    Edge(from: "SyncStateMachine", arrow: .needs, to: "CircuitBreaker", label: nil),
    Edge(from: "SyncEnvironment", arrow: .needs, to: "SyncBackend", label: nil),
    Edge(from: "SyncEnvironment", arrow: .needs, to: "SyncStoreFactory", label: nil),
    Edge(from: "SyncEnvironment", arrow: .needs, to: "SyncClock", label: nil),
    Edge(from: "SyncEnvironment", arrow: .needs, to: "SyncPreferences", label: nil),
    Edge(from: "SyncEnvironment", arrow: .needs, to: "MetricStore", label: "optional"),
    Edge(from: "SyncStoreFactory", arrow: .makes, to: "SyncStore", label: "makes"),
    Edge(from: "SimulatedBackend", arrow: .conforms, to: "SyncBackend", label: nil),
    Edge(from: "FileSyncStoreFactory", arrow: .conforms, to: "SyncStoreFactory", label: nil),
    Edge(from: "InMemorySyncStoreFactory", arrow: .conforms, to: "SyncStoreFactory", label: nil),
    Edge(from: "SimulationClock", arrow: .conforms, to: "SyncClock", label: nil),
    Edge(from: "SystemSyncClock", arrow: .conforms, to: "SyncClock", label: nil),
    Edge(from: "FilePreferences", arrow: .conforms, to: "SyncPreferences", label: nil),
    Edge(from: "InMemoryPreferences", arrow: .conforms, to: "SyncPreferences", label: nil),
  ]
}
