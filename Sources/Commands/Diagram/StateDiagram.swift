import Sync

/// The states of the engine, drawn from the transition table that the engine itself follows.
struct StateDiagram {
  private struct Edge: Hashable {
    let from: SyncState.Kind
    let to: SyncState.Kind
  }

  /// Guards that hold in a state anyway, or say only in which part of a run it is.
  private static let silent: Set<SyncGuard> = [
    .probing, .pushing, .pullingChanges, .bootstrapping, .runActive, .noRunActive,
  ]

  private let rules: [SyncRule]

  init(rules: [SyncRule]) {
    self.rules = rules
  }

  var mermaid: String {
    var lines = ["stateDiagram-v2", "    [*] --> idle: engine created"]
    for edge in edges(where: { $0 != $1 }) {
      // One arrow for all: those between the same two would lie over each other.
      let label = labels(of: edge).joined(separator: "<br/>")
      lines.append("    \(edge.from.rawValue) --> \(edge.to.rawValue): \(label)")
    }
    for kind in SyncState.Kind.allCases {
      let events = unique(rules(of: Edge(from: kind, to: kind)).map(\.event.words))
      guard !events.isEmpty else { continue }
      lines.append("    note right of \(kind.rawValue)")
      lines.append("        stays on: \(events.joined(separator: ", "))")
      lines.append("    end note")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func edges(where isWanted: (SyncState.Kind, SyncState.Kind) -> Bool) -> [Edge] {
    let kinds = SyncState.Kind.allCases
    return kinds.flatMap { from in kinds.map { Edge(from: from, to: $0) } }
      .filter { isWanted($0.from, $0.to) && !rules(of: $0).isEmpty }
  }

  private func rules(of edge: Edge) -> [SyncRule] {
    rules.filter { rule in
      guard rule.from.contains(edge.from), Self.isPossible(rule, in: edge.from) else { return false }
      switch rule.to {
      case .same: return edge.from == edge.to
      case .state(let kind): return kind == edge.to
      }
    }
  }

  /// Whoever is syncing or pulling has a run.
  private static func isPossible(_ rule: SyncRule, in state: SyncState.Kind) -> Bool {
    !(rule.guards.contains(.noRunActive) && [.syncing, .pulling].contains(state))
  }

  /// The events of an edge, each with what has to hold in all of its rows.
  private func labels(of edge: Edge) -> [String] {
    let rows = rules(of: edge)
    return unique(rows.map(\.event.rawValue)).compactMap { event in
      let same = rows.filter { $0.event.rawValue == event }
      guard let first = same.first else { return nil }
      let guards = first.guards.filter { condition in
        !Self.silent.contains(condition) && same.allSatisfy { $0.guards.contains(condition) }
      }
      let words = guards.map(\.words).joined(separator: ", ")
      return first.event.words + (words.isEmpty ? "" : " [\(words)]")
    }
  }

  private func unique(_ texts: [String]) -> [String] {
    var seen: Set<String> = []
    return texts.filter { seen.insert($0).inserted }
  }
}
