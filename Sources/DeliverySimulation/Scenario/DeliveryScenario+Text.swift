import Codecs
import DeliveryCore
import SimulationKit

extension DeliveryScenario {
  /// The scenario as JSON5, as people would write it; ``init(json5:)`` reads it back to the same value.
  ///
  /// Only what a file cannot say is lost: parts of milliseconds, and a length without an end, which the reader misses.
  package var json5: String {
    let head = ScenarioHead(
      name: name, title: title, story: story, seed: seed, start: start, duration: duration)
    var lines = head.lines(
      "A scenario of the delivery client; `mistertop simulate --delivery FILE` plays it.",
      engine: "delivery")
    if let text = options.json5 { lines.append("  options: \(text),") }
    lines += ScenarioText.list("acts", acts.map { $0.json5($0.act.members) })
    if expectedFrom != .zero { lines.append("  expectedFrom: \(ScenarioText.seconds(expectedFrom)),") }
    lines += ScenarioText.list("expected", expected.map(JSON5Text.quoted))
    return (lines + ["}"]).map { $0 + "\n" }.joined()
  }
}

extension DeliveryConstants {
  /// The constants that are not the defaults; `nil` when there are none.
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
  /// The members of the act, in the words of the reader.
  fileprivate var members: [String] {
    switch self {
    case .fault(EndpointFaultSetting(.offline)): Self.members("offline")
    case .fault(EndpointFaultSetting(.offline, isOn: false)): Self.members("online")
    case .fault(let setting): Self.members("fault", setting.members)
    case .clearFaults: Self.members("clearFaults")
    case .event(let event): Self.members(event.kind.rawValue, event.members)
    case .generate(let perMinute):
      Self.members("generate", ["perMinute: \(Decimals.text(perMinute))"])
    case .flush: Self.members("flush")
    case .background: Self.members("background")
    case .foreground: Self.members("foreground")
    case .reset: Self.members("reset")
    case .start: Self.members("start")
    case .terminate: Self.members("terminate")
    case .kill: Self.members("kill")
    case .leap(let duration): Self.members("leap", ["seconds: \(ScenarioText.seconds(duration))"])
    case .configure(let constants):
      Self.members("configure", constants.json5.map { ["options: \($0)"] } ?? [])
    }
  }

  private static func members(_ verb: String, _ others: [String] = []) -> [String] {
    ["do: \(JSON5Text.quoted(verb))"] + others
  }
}

extension SimulatedEvent {
  fileprivate var members: [String] {
    (name.map { ["name: \(JSON5Text.quoted($0))"] } ?? []) + (count == 1 ? [] : ["count: \(count)"])
  }
}
