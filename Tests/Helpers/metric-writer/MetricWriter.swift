import Foundation
import MisterMetrics
import TestSupport

/// A process for tests that need one: it can be killed, it can end in many ways, and faults can be put into it.
///
/// - `metric-writer record STORE TABLE WRITER [key=value…]` records numbers and notes each one's fate in the ``AckTable``.
/// - `metric-writer foreign FILE TABLE WRITER [key=value…]` appends lines of its own with plain `O_APPEND`.
/// - `metric-writer gather STORE TABLE WRITER end=WAY` records without waiting, then ends in one of many ways.
/// - `metric-writer clock STORE REPORT` measures when records without waiting reach the file, whatever the clock says.
/// - `metric-writer optimize STORE SECONDS` removes what is older than the time (seconds since 2001), again and again.
/// - `metric-writer defaults SUITE NUMBER` records a number into the `UserDefaults` of that name and ends.
@main
enum MetricWriter {
  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count >= 3 else { return usage() }
    let (action, store, third) = (words[0], words[1], words[2])
    switch (action, words.count) {
    case ("defaults", 3): try recordIntoDefaults(suite: store, number: third)
    case ("optimize", 3): try await optimize(store, cutoff: third)
    case ("clock", 3): try ClockRun(store: store).report(to: third)
    case ("record", 4...), ("foreign", 4...), ("gather", 4...):
      let run = try WriterRun(
        path: store, table: AckTable(path: third), writer: words[3], options: Options(words.dropFirst(4)))
      switch action {
      case "record": try await run.record()
      case "foreign": run.appendForeign()
      default: try run.gatherAndEnd()
      }
    default: usage()
    }
  }

  @MainActor
  private static func recordIntoDefaults(suite: String, number: String) throws {
    guard let defaults = UserDefaults(suiteName: suite) else { return usage() }
    let store = try MetricUserDefaultsStore(userDefaults: defaults, userDefaultKey: "metrics")
    Metric<Int>(name: "number").record(Int(number) ?? 0, in: store.erased)
    // The store has to live until the process ends.
    MetricManager.installGlobal(store)
  }

  private static func optimize(_ path: String, cutoff: String) async throws {
    let store = try MetricFileStore(file: URL(fileURLWithPath: path))
    let cutoff = Date(timeIntervalSinceReferenceDate: Double(cutoff) ?? 0)
    while true { try await store.optimize(removingBefore: cutoff) }
  }

  private static func usage() {
    FileHandle.standardError.write(
      Data("usage: metric-writer record|foreign|gather|clock|optimize|defaults …\n".utf8))
    exit(2)
  }
}
