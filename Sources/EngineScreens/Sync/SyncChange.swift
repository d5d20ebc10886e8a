import Codecs
import Resilience
import Sync
import SyncSimulation

extension EngineState {
  package func deed(in record: SyncRecord, isDue: Bool) -> EngineDeed? {
    switch record {
    case .configuration(let new):
      isDue || new == configuration ? nil : .once(difference(to: new))
    case .fault(let fault) where fault.byHand: .once(Self.words(fault))
    case .transition(let transition) where transition.byHand: .once(SyncFormatter.event(transition.event))
    case .mutation(let mutation) where mutation.state == .queued && mutation.rewritten != true && !isDue:
      .counted("\(mutation.operation) \(mutation.kind)")
    case .mutation, .fault, .transition, .pending, .breaker, .run, .network, .conflict, .interval, .event,
      .caption, .simulation:
      nil
    }
  }

  /// A description of the constants that a new configuration changes.
  func difference(to new: SyncConfiguration) -> String {
    EngineFormatter.difference(SyncTuning.facts(configuration), SyncTuning.facts(new))
  }

  static func words(_ fault: SyncFault) -> String {
    let name = SimulatedFault(rawValue: fault.fault)?.words ?? fault.fault
    guard fault.on else { return "\(name) off" }
    // A status needs no unit.
    let unit = fault.unit == "status" ? "" : " \(fault.unit)"
    let number = NumberFormat.text(fault.amount, decimals: fault.amount == fault.amount.rounded() ? 0 : 2)
    let amount = fault.amount == 0 ? "" : " \(number)\(unit)"
    let share =
      fault.probability < 1 ? " in \(NumberFormat.text(fault.probability * 100, decimals: 0)) %" : ""
    return "\(name)\(amount)\(share) on"
  }
}
