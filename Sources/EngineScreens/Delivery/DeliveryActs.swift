import DeliveryCore
package import DeliverySimulation
import TerminalUI

/// Acts that a person can choose for a client, and possible differences in another branch.
package enum DeliveryActs {
  /// Maximum number of events at once.
  static let largestCount = 100_000

  /// Everything that can be done by hand.
  ///
  /// - Parameter query: What is typed; a number in it is how many events are made at once.
  static func choices(_ query: String) -> [(title: String, act: DeliverySimulationAct)] {
    let count = query.split(separator: " ").lazy.compactMap { Int($0) }.first
    let many = count.map { max(1, min(largestCount, $0)) } ?? 1
    let kinds: [EventDraft.Kind] = [.track, .screen, .page, .identify, .group, .alias]
    var acts = kinds.map { DeliverySimulationAct.event(SimulatedEvent($0, count: many)) }
    acts += [
      .flush, .background, .foreground, .reset, .start, .terminate, .kill, .clearFaults, .leap(.seconds(600)),
      .leap(.seconds(8 * 3600)), .leap(.seconds(8 * 86_400)),
    ]
    acts += [6.0, 60, 600, 0].map { .generate(perMinute: $0) }
    return acts.map { ($0.words, $0) }
  }

  /// The first of the changes that words and a number describe, such as `without offline`; `nil` for none.
  ///
  /// - Parameter client: The client at the moment at which the other branch begins.
  package static func change(_ words: String, of client: ClientState) -> DeliverySimulationAct? {
    changes(of: client, words).first { $0.act != nil && ActionList.Entry("", $0.title).matches(words) }?.act
  }

  /// Possible differences in another branch of a client.
  static func changes(
    of client: ClientState, _ query: String
  ) -> [(title: String, act: DeliverySimulationAct?)] {
    var changes: [(String, DeliverySimulationAct?)] = [
      ("nothing; later manual acts are left out", nil)
    ]
    let active = client.faults.filter(\.on).compactMap { EndpointFault(rawValue: $0.fault) }
    for fault in active {
      changes.append(("without \(fault.words)", .fault(EndpointFaultSetting(fault, isOn: false))))
    }
    let typed = query.split(separator: " ").compactMap { Int($0) }
    for constant in DeliveryTuning.allCases {
      let value = constant.value(in: client.constants)
      // Typed values come first; a listed value may be typed, too.
      let values = typed + constant.alternatives.filter { !typed.contains($0) }
      for other in values where constant.range.contains(other) && other != value {
        changes.append(
          (
            "\(constant.name) \(constant.text(value)) -> \(constant.text(other))",
            .configure(constant.setting(other, in: client.constants))
          ))
      }
    }
    let acts: [DeliverySimulationAct] = [.flush, .background, .foreground, .kill, .start, .terminate, .reset]
    for act in acts { changes.append((act.words, act)) }
    for fault in EndpointFault.allCases where !active.contains(fault) {
      let amount = fault.text(fault.usualAmount)
      changes.append(
        ("with \(fault.words)\(amount.isEmpty ? "" : " \(amount)")", .fault(EndpointFaultSetting(fault))))
    }
    return changes
  }
}
