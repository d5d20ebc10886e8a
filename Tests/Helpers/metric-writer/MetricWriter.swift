import Foundation
import MisterMetrics

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A process for the kill tests: records numbers until it is killed and confirms each one after it was acknowledged.
///
/// Usage: `metric-writer STORE ACKNOWLEDGEMENTS NAME PAYLOAD-SIZE`. The acknowledgement file gets the bare number as
/// eight bytes: a write so small is never torn.
@main
enum MetricWriter {
  /// What every process records.
  struct Sample: MetricValue {
    let writer: String
    let number: Int
    let payload: String
  }

  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 5, let size = Int(arguments[4]) else {
      FileHandle.standardError.write(
        Data("usage: metric-writer STORE ACKNOWLEDGEMENTS NAME PAYLOAD-SIZE\n".utf8))
      exit(2)
    }
    let store = try MetricFileStore(file: URL(fileURLWithPath: arguments[1]))
    let acknowledgements = open(arguments[2], O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    let metric = Metric<Sample>(name: arguments[3], in: Bucket("kill"))
    var number = 0
    while true {
      let payload = String(repeating: "x", count: number % 7 == 0 ? size * 8 : size)
      try await store.record(metric, value: Sample(writer: arguments[3], number: number, payload: payload))
      withUnsafeBytes(of: number) { _ = write(acknowledgements, $0.baseAddress, $0.count) }
      number += 1
    }
  }
}
