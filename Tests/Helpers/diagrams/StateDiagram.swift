import DeliveryCore
import Resilience
import Sync

/// States and what leads from one to another, as a drawing in Mermaid's language.
struct StateDiagram {
  let start: (state: String, cause: String)
  let states: [String]
  /// Transitions, those that stay in a state among them.
  let arrows: [(from: String, to: String, cause: String)]

  var lines: [String] {
    var lines = ["[*] --> \(start.state): \(start.cause)"]
    for from in states {
      for to in states where from != to {
        // One arrow for all: those between the same two would lie over each other.
        let causes = causes(from, to).joined(separator: "<br/>")
        if !causes.isEmpty { lines.append("\(from) --> \(to): \(causes)") }
      }
    }
    for state in states {
      let causes = causes(state, state).joined(separator: ", ")
      guard !causes.isEmpty else { continue }
      lines += ["note right of \(state)", "    stays on: \(causes)", "end note"]
    }
    return lines
  }

  private func causes(_ from: String, _ to: String) -> [String] {
    arrows.filter { $0.from == from && $0.to == to }.map(\.cause)
  }
}

// MARK: - The sync engine

extension StateDiagram {
  /// The states of the sync engine, from the transition table that the engine itself follows.
  init(_ rules: [SyncRule]) {
    start = ("idle", "engine created")
    states = SyncState.Kind.allCases.map(\.rawValue)
    arrows = SyncState.Kind.allCases.flatMap { from in
      SyncState.Kind.allCases.flatMap { to in
        Self.causes(in: rules.filter { $0.leads(from: from, to: to) }, areGuarded: from != to)
          .map { (from.rawValue, to.rawValue, $0) }
      }
    }
  }

  /// The events of some rows, each with what has to hold in all of its rows.
  private static func causes(in rows: [SyncRule], areGuarded: Bool) -> [String] {
    var events: [SyncEvent.Kind] = []
    for row in rows where !events.contains(row.event) { events.append(row.event) }
    return events.map { event in
      let guards = rows.filter { $0.event == event }.map(\.guards)
      let common = guards[0].filter { one in !one.isSilent && guards.allSatisfy { $0.contains(one) } }
      let words = common.map(\.words).joined(separator: ", ")
      return event.words + (words.isEmpty || !areGuarded ? "" : " [\(words)]")
    }
  }
}

extension SyncRule {
  fileprivate func leads(from: SyncState.Kind, to: SyncState.Kind) -> Bool {
    // An engine that is syncing or pulling has a run.
    let isImpossible = guards.contains(.noRunActive) && [.syncing, .pulling].contains(from)
    guard self.from.contains(from), !isImpossible else { return false }
    switch self.to {
    case .same: return from == to
    case .state(let kind): return kind == to
    }
  }
}

extension SyncGuard {
  /// True if it holds in a state anyway, or says only in which part of a run it is.
  fileprivate var isSilent: Bool {
    [.probing, .pushing, .pullingChanges, .bootstrapping, .runActive, .noRunActive].contains(self)
  }
}

// MARK: - The delivery client

extension StateDiagram {
  /// The life of the delivery client: what its machine does with every event in every state.
  static let client = Self(
    start: (LifecycleMachine().state.rawValue, "client made"),
    states: LifecycleMachine.State.allCases.map(\.rawValue),
    arrows: LifecycleMachine.State.allCases.flatMap { from in
      LifecycleMachine.Event.allCases.compactMap { event in
        LifecycleMachine.target(of: event, from: from).map { (from.rawValue, $0.rawValue, event.rawValue) }
      }
    })

  /// The circuit breaker of a client with these constants.
  init(breaker: CircuitBreaker.Configuration) {
    let course = BreakerCourse(breaker)
    start = (course.start.rawValue, "client ready")
    states = CircuitBreaker.State.allCases.map(\.rawValue)
    arrows = course.arrows.map { ($0.from.rawValue, $0.to.rawValue, $0.words) }
  }
}
