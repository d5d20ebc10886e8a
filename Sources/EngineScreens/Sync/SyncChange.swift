import Codecs
import Resilience
import Sync
import SyncSimulation

extension EngineState {
  package func deed(in record: SyncRecord, isDue: Bool) -> EngineDeed? {
    switch record {
    case .configuration(let new):
      isDue || new == configuration ? nil : .once(SyncConstant.difference(configuration, new))
    case .fault(let fault) where fault.byHand: .once(Self.words(fault))
    case .transition(let transition) where transition.byHand: .once(SyncFormatter.event(transition.event))
    case .mutation(let mutation) where mutation.state == .queued && mutation.rewritten != true && !isDue:
      .counted("\(mutation.operation) \(mutation.kind)")
    case .mutation, .fault, .transition, .pending, .breaker, .run, .conflict, .interval, .event, .caption,
      .simulation:
      nil
    }
  }

  static func words(_ fault: SyncFault) -> String {
    let name = SimulatedFault(rawValue: fault.fault)?.words ?? fault.fault
    guard fault.on else { return "\(name) off" }
    // A status says by itself what it is.
    let unit = fault.unit == "status" ? "" : " \(fault.unit)"
    let number = NumberFormat.text(fault.amount, decimals: fault.amount == fault.amount.rounded() ? 0 : 2)
    let amount = fault.amount == 0 ? "" : " \(number)\(unit)"
    let share =
      fault.probability < 1 ? " in \(NumberFormat.text(fault.probability * 100, decimals: 0)) %" : ""
    return "\(name)\(amount)\(share) on"
  }
}

/// The constants of an engine as a person reads them.
enum SyncConstant {
  /// `backoff.maximum 300 s -> 60 s`, for each that is not the same.
  static func difference(_ old: SyncConfiguration, _ new: SyncConfiguration) -> String {
    zip(list(old), list(new)).filter { $0.value != $1.value }
      .map { "\($0.name) \($0.value) -> \($1.value)" }.joined(separator: ", ")
  }

  /// All of them, always in the same order: those that a person can change first.
  static func list(_ configuration: SyncConfiguration) -> [(name: String, value: String)] {
    let backoff = configuration.breaker.backoff
    return SyncTuning.allCases.map { ($0.name, $0.text($0.value(in: configuration))) } + [
      ("page", "\(configuration.changePage)"), ("backoff.factor", SyncTuning.number(backoff.factor)),
      ("backoff.cap", SyncTuning.number(backoff.cap)), ("backoff.jitter", SyncTuning.number(backoff.jitter)),
      ("resync.wait", "\(SyncTuning.number(configuration.resyncWait / .seconds(1))) s"),
      ("history", "\(configuration.historyRows)"),
    ]
  }
}
