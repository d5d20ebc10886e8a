import MisterMetricsCore
import Sync
import SyncSimulation
import TelemetryCore

/// A sequence diagram of the messages that were recorded while a scenario ran.
struct SequenceDiagram {
  /// How long a passage may be that is drawn once and repeated.
  private static let longestPassage = 24

  private let lines: [String]
  private let participants: [TraceParticipant]

  /// A diagram of messages and of what was recorded between them.
  init(_ messages: [TraceMessage], _ entries: [MetricEntry]) {
    var lines: [String] = []
    var notes: [String] = []
    var taken = 0
    func flush() {
      // No semicolon: to Mermaid it ends the statement, like a line break.
      if !notes.isEmpty { lines.append("Note over SyncEngine: " + notes.joined(separator: " · ")) }
      notes = []
    }
    func record(upTo count: Int) {
      while taken < min(count, entries.count) {
        // Later entries go into a note of their own.
        if taken > 0, entries[taken].timestamp != entries[taken - 1].timestamp { flush() }
        if let note = Self.note(entries[taken]), notes.last != note { notes.append(note) }
        taken += 1
      }
      flush()
    }
    for message in messages {
      record(upTo: message.entriesBefore)
      let arrow = message.isFailure ? "--x" : message.isAnswer ? "-->>" : "->>"
      lines.append("\(message.from.name)\(arrow)\(message.to.name): \(Self.plain(message.text))")
    }
    record(upTo: .max)
    self.lines = lines
    participants = TraceParticipant.allCases.filter { one in
      messages.contains { $0.from == one || $0.to == one }
    }
  }

  var mermaid: [String] {
    ["sequenceDiagram"]
      + (participants.map { "participant \($0.name)" } + Self.folded(lines)).map { "    " + $0 }
  }

  /// An entry's statement about the engine, in a few words; `nil` if it would only repeat the messages.
  private static func note(_ entry: MetricEntry) -> String? {
    if let transition = value(entry, SyncMetric.transition) {
      if transition.refused { return plain("\(transition.event) refused: \(transition.reason ?? "")") }
      if transition.event == SyncEvent.Kind.backoffElapsed.rawValue {
        return SyncEvent.Kind.backoffElapsed.words
      }
      return transition.from == transition.to ? nil : "state \(transition.to)"
    }
    if let breaker = value(entry, SyncMetric.breaker) {
      guard breaker.consecutive > 0 || breaker.state != "closed" else { return nil }
      return
        "breaker \(breaker.state), \(breaker.consecutive) in a row, next wait × \(Int(breaker.multiplier))"
    }
    if let run = value(entry, SyncMetric.run) {
      return "run \(run.status.rawValue): pushed \(run.pushed), pulled \(run.pulled), failed \(run.failed)"
    }
    if let fault = value(entry, SyncMetric.fault) {
      return "from here on \(fault.fault) \(fault.on ? "on" : "off")"
    }
    guard entry.metric.bucket?.id == SyncSignposts.category else { return nil }
    let isInterval = (try? entry.decode(SignpostInterval.self)) != nil
    return entry.metric.name + (isInterval ? " ends" : "")
  }

  private static func value<Value: MetricValue>(_ entry: MetricEntry, _ metric: Metric<Value>) -> Value? {
    entry.metric == AnyMetric(metric) ? try? entry.decode(Value.self) : nil
  }

  /// Text that Mermaid does not take for its own signs.
  private static func plain(_ text: String) -> String {
    text.replacing(";", with: ",").replacing("#", with: "no. ")
  }

  // MARK: - Repetitions

  /// The lines with each passage that repeats itself drawn once.
  static func folded(_ lines: [String]) -> [String] {
    var result: [String] = []
    var start = 0
    while start < lines.count {
      guard let (length, count) = passage(lines, from: start) else {
        result.append(lines[start])
        start += 1
        continue
      }
      result.append("loop \(count) times")
      result += folded(Array(lines[start..<start + length])).map { "    " + $0 }
      result.append("end")
      start += length * count
    }
    return result
  }

  /// The passage that begins there and, drawn once, saves the most.
  private static func passage(_ lines: [String], from start: Int) -> (length: Int, count: Int)? {
    var best: (length: Int, count: Int)?
    var saved = 1
    for length in 1...longestPassage {
      var count = 1
      while start + length * (count + 1) <= lines.count,
        lines[start..<start + length].elementsEqual(
          lines[start + length * count..<start + length * (count + 1)])
      {
        count += 1
      }
      if length * (count - 1) > saved {
        saved = length * (count - 1)
        best = (length, count)
      }
    }
    return best
  }
}
