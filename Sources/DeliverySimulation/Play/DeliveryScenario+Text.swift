import Codecs
import DeliveryCore
import SimulationKit

extension DeliveryConstants {
  /// The constants that differ from the defaults; `nil` if none does.
  var json5: String? {
    let standard = Self()
    var parts: [String] = []
    func add(_ name: String, _ path: KeyPath<Self, Int>) {
      if self[keyPath: path] != standard[keyPath: path] { parts.append("\(name): \(self[keyPath: path])") }
    }
    add("flushIntervalSeconds", \.flushIntervalSeconds)
    add("maxQueueEvents", \.maxQueueEvents)
    add("maxDiskEvents", \.maxDiskEvents)
    add("diskFlushEvents", \.diskFlushEvents)
    add("batchSize", \.batchSize)
    add("breakerFailures", \.breakerFailures)
    add("breakerSeconds", \.breakerSeconds)
    if trackLifecycleEvents { parts.append("trackLifecycleEvents: true") }
    return parts.isEmpty ? nil : "{ " + parts.joined(separator: ", ") + " }"
  }
}

extension DeliverySimulationAct {
  /// The members of the act in scenario syntax.
  var members: (verb: DeliveryWorld.Verb, others: [String]) {
    switch self {
    case .fault(EndpointFaultSetting(.offline)): (.offline, [])
    case .fault(EndpointFaultSetting(.offline, isOn: false)): (.online, [])
    case .fault(let setting): (.fault, setting.members)
    case .clearFaults: (.clearFaults, [])
    case .event(let event): (event.verb, event.members)
    case .generate(let perMinute):
      (.generate, ["perMinute: \(Decimals.text(perMinute))"])
    case .flush: (.flush, [])
    case .sendRefusedAgain: (.sendRefusedAgain, [])
    case .background: (.background, [])
    case .foreground: (.foreground, [])
    case .reset: (.reset, [])
    case .start: (.start, [])
    case .terminate: (.terminate, [])
    case .kill: (.kill, [])
    case .leap(let duration): (.leap, ["seconds: \(ScenarioText.seconds(duration))"])
    case .configure(let constants):
      (.configure, constants.json5.map { ["options: \($0)"] } ?? [])
    }
  }
}

extension SimulatedEvent {
  fileprivate var verb: DeliveryWorld.Verb {
    switch kind {
    case .track: .track
    case .identify: .identify
    case .group: .group
    case .screen: .screen
    case .page: .page
    case .alias: .alias
    }
  }

  fileprivate var members: [String] {
    (name.map { ["name: \(JSON5Text.quoted($0))"] } ?? []) + (count == 1 ? [] : ["count: \(count)"])
  }
}
