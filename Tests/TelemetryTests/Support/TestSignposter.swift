import MisterMetricsCore
import Platform
import Telemetry

/// A signposter whose clock stands until it is moved and whose records are kept.
final class TestSignposter: Sendable {
  private let time = Locked(Duration.zero)
  private let kept = Locked<[SignpostRecord]>([])
  let category: String

  init(category: String = "Test") {
    self.category = category
  }

  /// The signposter under test; each call makes one of its own over the same clock and records.
  func make(snapshots: Bool = false) -> Signposter {
    Signposter(
      category: category, snapshots: snapshots, now: { self.time.withLock { $0 } },
      sink: { record in self.kept.withLock { $0.append(record) } })
  }

  func advance(by duration: Duration) {
    time.withLock { $0 += duration }
  }

  var records: [SignpostRecord] { kept.withLock { $0 } }

  /// The records as one word each: `name duration`, with the message in brackets.
  var story: [String] {
    records.map { record in
      switch record.value {
      case .interval(let interval):
        "\(record.name) \(interval.durationMs)" + (interval.message.map { " (\($0))" } ?? "")
      case .event(let event):
        "\(record.name) x\(event.count)" + (event.message.map { " (\($0))" } ?? "")
      }
    }
  }

  var intervals: [SignpostInterval] {
    records.compactMap { if case .interval(let interval) = $0.value { interval } else { nil } }
  }
}

struct Refusal: Error, CustomStringConvertible {
  let description = "refused"
}
