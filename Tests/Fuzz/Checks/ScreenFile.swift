import Aggregation
import DeliveryCore
import DeliverySimulation
import Foundation
import MisterMetricsCore
import Platform
import Scenarios
import Sync
import SyncSimulation

/// Random files of metrics: all kinds of values at all kinds of times, under names that no one should choose.
struct ScreenFile {
  private(set) var random: SplitMix64
  private var lines: [UInt8] = []

  /// The bytes of a file.
  static func make(seed: UInt64) -> [UInt8] {
    var file = ScreenFile(random: SplitMix64(seed: seed))
    file.fill()
    return file.lines
  }

  private init(random: SplitMix64) {
    self.random = random
  }

  private mutating func fill() {
    if below(8) == 0 { lines += Self.engines[below(Self.engines.count)] }
    // Half of all files have a few lines, and some have none.
    let count = below(2) == 0 ? below(6) : below(240)
    guard count > 0 else { return }
    let metrics = (0...below(5)).map { _ in metric() }
    let start = time()
    let step = pick([0.001, 0.1, 1, 1, 60, 3600, 86_400, -1, 0])
    for number in 0..<count {
      if below(40) == 0 { lines += Array(garbage().utf8) + [0x0A] }
      let metric = metrics[below(metrics.count)]
      let time = below(60) == 0 ? time() : start + step * Double(number)
      let value = metric.next(&self)
      let base64 = Data(value.utf8).base64EncodedString()
      lines += Array(
        #"{"metric":{\#(metric.head)},"timestamp":\#(time),"value":"\#(base64)"}"#.utf8)
      lines.append(0x0A)
    }
    // The last line may be half written.
    if below(10) == 0 { lines.removeLast(min(lines.count, 1 + below(30))) }
  }

  // MARK: Metrics

  /// A metric with values of a kind.
  private struct Metric {
    let head: String
    let kind: Int
    let scale: Double
    let labels: [String]

    func next(_ file: inout ScreenFile) -> String {
      switch file.below(30) == 0 ? file.below(9) : kind {
      case 0: return number(&file)
      case 1: return file.pick(["true", "false"])
      case 2: return file.text()
      case 3: return "null"
      case 4: return "[\(number(&file)),\(file.text())]"
      case 5: return String(UInt64.max - UInt64(file.below(9)))
      default:
        let fields = labels.map {
          #""\#($0)":\#(file.pick(["\"a\"", "\"b\"", "\"2.1\"", "\"2.0\"", "\"\"", file.text()]))"#
        }
        return "{"
          + (fields + [#""ms":\#(number(&file))"#, #""ok":\#(file.pick(["true", "false"]))"#])
          .joined(separator: ",") + "}"
      }
    }

    private func number(_ file: inout ScreenFile) -> String {
      let value = scale * file.random.normal()
      return file.below(25) == 0 ? file.extreme() : value.isFinite ? "\(value)" : "0"
    }
  }

  private mutating func metric() -> Metric {
    let buckets = [
      #""bucket":"app","#, #""bucket":"sync","#, #""bucket":"payload","#, "", #""bucket":"delivery","#,
    ]
    let name =
      below(3) == 0
      ? text() : pick([#""call_ms""#, #""size_bytes""#, #""fps""#, #""state""#, #""a.b_percent""#])
    let labels = ["version", "deviceID", "net", "session"].filter { _ in below(2) == 0 }
    return Metric(
      head: pick(buckets)
        + #""name":\#(name),"valueTypeString":\#(pick([#""Double""#, #""Call""#, text()]))"#,
      kind: below(10), scale: pick([1, 100, 1e-9, 1e12, 1e300, 0]), labels: labels)
  }

  private mutating func extreme() -> String {
    pick([
      "0", "-0", "1e308", "-1e308", "5e-324", "9223372036854775807", "-9223372036854775808",
      "18446744073709551615",
      "1e400", "0.1", "-1", "4294967296", "1e15",
    ])
  }

  private mutating func time() -> Double {
    pick([
      800_000_000, 800_000_000, 800_000_000, 0, -1, -6.3e10, 2.5e11, 1e15, 1e300, -1e300, 9e15,
      816_918_481.25,
    ])
  }

  /// A text of JSON: of letters, of what is wide or hangs on another sign, or of what no one should print.
  mutating func text() -> String {
    let parts = [
      "a", "Zz", " ", "\u{65E5}\u{672C}", "e\u{301}", "\u{1F9D1}\u{200D}\u{1F680}", "\\u001b[31m", "\\u202e",
      "\\n", "\\u0000",
      "\u{202E}", "\u{9B}2J", "\u{FE0F}", "\u{301}", "\u{E000}", "/", ".", "%", "=", "\\\"", "\u{200B}",
      "\u{7F}", "\u{10FFFF}",
      String(repeating: "x", count: 90),
    ]
    return "\"" + (0..<below(5)).map { _ in pick(parts) }.joined() + "\""
  }

  private mutating func garbage() -> String {
    pick([
      "", "{", "no json", "\u{1B}]0;title\u{7}", "{\"metric\":{}}", String(repeating: "[", count: 300),
      "\u{0}\u{0}",
    ])
  }

  mutating func below(_ count: Int) -> Int { Int(random.next() % UInt64(max(1, count))) }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  // MARK: Engines

  /// Records of a sync engine and a delivery client.
  private static let engines: [[UInt8]] = {
    var entries: [[MetricEntry]] = []
    for file in Scenarios.stories.prefix(6) {
      guard let scenario = try? Scenario(json5: Data(file.bytes)),
        let simulation = try? Simulation(scenario)
      else { continue }
      simulation.run(steps: 80)
      entries.append(simulation.takeEntries())
    }
    for file in Scenarios.deliveryStories.prefix(4) {
      guard let scenario = try? DeliveryScenario(json5: Data(file.bytes)) else { continue }
      let simulation = DeliverySimulation(scenario)
      for _ in 0..<80 where !simulation.step() { break }
      entries.append(simulation.takeEntries())
    }
    return entries.map { entries in
      var lines: [UInt8] = []
      for entry in entries { try? LineEncoder.append(entry, to: &lines) }
      return lines
    }
  }()
}
