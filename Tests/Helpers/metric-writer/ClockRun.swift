import Foundation
import MisterMetricsCore
import TestSupport

/// Records without waiting and watches the file, by a clock that no one sets.
struct ClockRun {
  let store: String

  /// Writes the results as `key=value` words: the latest record in milliseconds, the worst time stamp in milliseconds,
  /// records in the wrong order, and records missing.
  @MainActor
  func report(to path: String) throws {
    let file = URL(fileURLWithPath: store)
    let store = try MetricFileStore(file: file)
    MetricManager.installGlobal(store)
    var (worstDelay, worstStamp, disorder, missing) = (0.0, 0.0, 0, 0)
    for round in 0..<4 {
      let calls = record(round: round)
      let start = AckTable.now()
      while lineCount(file) < 5 * (round + 1), AckTable.now() - start < 10_000_000_000 { usleep(500) }
      worstDelay = max(worstDelay, Double(AckTable.now() - start) / 1e6)
      let entries = try entries(of: file).suffix(5)
      missing += 5 - entries.count
      for (index, pair) in zip(entries, calls).enumerated() {
        let (entry, call) = pair
        if entry.metric.name != "\(round).\(index)" { disorder += 1 }
        let stamp = entry.timestamp
        let off = max(call.before.timeIntervalSince(stamp), stamp.timeIntervalSince(call.after), 0)
        worstStamp = max(worstStamp, off * 1_000)
      }
    }
    let text =
      "delay=\(worstDelay) stamp=\(worstStamp) disorder=\(disorder) missing=\(missing) year="
      + "\(Calendar(identifier: .gregorian).component(.year, from: Date()))"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  private func record(round: Int) -> [(before: Date, after: Date)] {
    (0..<5).map { index in
      let before = Date()
      Metric<Int>(name: "\(round).\(index)").record(index)
      return (before, Date())
    }
  }

  private func lineCount(_ file: URL) -> Int {
    (try? Data(contentsOf: file))?.count { $0 == UInt8(ascii: "\n") } ?? 0
  }

  private func entries(of file: URL) throws -> [MetricEntry] {
    let decoder = JSONDecoder()
    return try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map {
      try decoder.decode(MetricEntry.self, from: $0)
    }
  }
}
