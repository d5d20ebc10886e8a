import DeliveryCore
import Resilience

/// The life of the delivery client and its circuit breaker, drawn from what the two do with every event in every state.
struct DeliveryDiagram {
  private struct Machine {
    /// The name in the drawing, and the state at the beginning with what leads there.
    let name: String
    let start: (state: String, cause: String)
    let states: [String]
    /// Transitions from state to state.
    let arrows: [(from: String, to: String, cause: String)]
  }

  private let machines: [Machine]

  /// The drawing of a client, and of the breaker of one with these constants.
  init(_ configuration: DeliveryConfiguration = DeliveryConfiguration()) {
    machines = [Self.client, Self.breaker(BreakerCourse(configuration.breaker))]
  }

  private static let client = Machine(
    name: "client", start: (LifecycleMachine().state.rawValue, "client made"),
    states: LifecycleMachine.State.allCases.map(\.rawValue),
    arrows: LifecycleMachine.State.allCases.flatMap { from in
      LifecycleMachine.Event.allCases.compactMap { event in
        LifecycleMachine.target(of: event, from: from).map { (from.rawValue, $0.rawValue, event.rawValue) }
      }
    })

  private static func breaker(_ course: BreakerCourse) -> Machine {
    Machine(
      name: "breaker", start: (course.start.rawValue, "client ready"),
      states: BreakerCourse.states.map(\.rawValue),
      arrows: course.arrows.map { ($0.from.rawValue, $0.to.rawValue, $0.words) })
  }

  var mermaid: String {
    let lines = ["stateDiagram-v2"] + machines.flatMap { Self.lines($0).map { "    " + $0 } }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func lines(_ machine: Machine) -> [String] {
    var lines = ["state \(machine.name) {", "    [*] --> \(machine.start.state): \(machine.start.cause)"]
    for arrow in machine.arrows where arrow.from != arrow.to {
      lines.append("    \(arrow.from) --> \(arrow.to): \(arrow.cause)")
    }
    for state in machine.states {
      let causes = machine.arrows.filter { $0.from == state && $0.to == state }.map(\.cause)
      guard !causes.isEmpty else { continue }
      lines += [
        "    note right of \(state)", "        stays on: \(causes.joined(separator: ", "))", "    end note",
      ]
    }
    return lines + ["}"]
  }
}
