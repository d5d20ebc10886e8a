import Foundation
import MisterMetrics

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A process for tests that need one: it can be killed, and it can end.
///
/// - `metric-writer record STORE ACKNOWLEDGEMENTS NAME PAYLOAD-SIZE` records numbers until it is killed and confirms each
///   one once it was acknowledged, as eight bytes in the acknowledgement file: a write so small is never torn.
/// - `metric-writer exit STORE COUNT` records so many numbers without waiting and ends.
/// - `metric-writer defaults SUITE NUMBER` records a number into the `UserDefaults` of that name and ends.
/// - `metric-writer optimize STORE SECONDS` removes what is older than the time (seconds since 2001), again and again.
@main
enum MetricWriter {
  /// What every writing process records.
  struct Sample: MetricValue {
    let writer: String
    let number: Int
    let payload: String
  }

  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count >= 3, let action = arguments.first else { return usage() }
    let rest = Array(arguments.dropFirst(2))
    if action == "defaults" { return try recordIntoDefaults(suite: arguments[2], number: rest[0]) }
    let store = try MetricFileStore(file: URL(fileURLWithPath: arguments[2]))
    switch action {
    case "record" where rest.count == 3:
      try await record(store, acknowledgements: rest[0], name: rest[1], size: rest[2])
    case "exit": recordAndEnd(store, count: rest[0])
    case "optimize": try await optimize(store, cutoff: rest[0])
    default: usage()
    }
  }

  private static func record(
    _ store: MetricFileStore, acknowledgements: String, name: String, size: String
  ) async throws {
    let acknowledgements = open(acknowledgements, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    let metric = Metric<Sample>(name: name, in: Bucket("kill"))
    let payload = String(repeating: "x", count: Int(size) ?? 0)
    var number = 0
    while true {
      try await store.record(metric, value: Sample(writer: name, number: number, payload: payload))
      withUnsafeBytes(of: number) { _ = write(acknowledgements, $0.baseAddress, $0.count) }
      number += 1
    }
  }

  @MainActor
  private static func recordAndEnd(_ store: MetricFileStore, count: String) {
    MetricManager.installGlobal(store)
    let metric = Metric<Int>(name: "number")
    for number in 0..<(Int(count) ?? 0) { metric.record(number) }
  }

  @MainActor
  private static func recordIntoDefaults(suite: String, number: String) throws {
    guard let defaults = UserDefaults(suiteName: suite) else { return usage() }
    let store = try MetricUserDefaultsStore(userDefaults: defaults, userDefaultKey: "metrics")
    Metric<Int>(name: "number").record(Int(number) ?? 0, in: store.erased)
    // The store has to live until the process ends.
    MetricManager.installGlobal(store)
  }

  private static func optimize(_ store: MetricFileStore, cutoff: String) async throws {
    let cutoff = Date(timeIntervalSinceReferenceDate: Double(cutoff) ?? 0)
    while true { try await store.optimize(removingBefore: cutoff) }
  }

  private static func usage() {
    FileHandle.standardError.write(Data("usage: metric-writer record|exit|optimize STORE …\n".utf8))
    exit(2)
  }
}
