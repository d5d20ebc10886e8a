import DeliveryCore
import Foundation
import TestDelivery
import TestSupport
import Testing

/// Q11: apps that end.
extension FaultMatrix {
  @Test
  func `Q11: an app that ends in any way keeps its events for its next start, or none of a user it forgot`()
    async throws
  {
    try await Self.row("Q11") { run in
      let endings = ["return", "terminate", "SIGTERM", "SIGINT", "SIGKILL", "reset", "reset-return"]
      while run.goesOn(by: endings.count * 6) {
        for ending in endings {
          for endpoint in ["healthy", "down", "silent"] {
            for count in [5, 600] { try Self.end(ending, endpoint, count, into: &run.tally) }
          }
        }
      }
    }
  }

  @Test func `Q11 is red without the keeping of events`() async throws {
    try await Self.control("Q11", without: "the keeping of events") { run in
      while run.goesOn(), run.tally.lost == 0 {
        try Self.end("SIGKILL", "down", 5, "keeps=0", into: &run.tally)
      }
    }
  }

  /// Lets an app end, and its next start deliver.
  private static func end(
    _ ending: String, _ endpoint: String, _ count: Int, _ option: String = "",
    into tally: inout MatrixRun.Tally
  ) throws {
    let bench = try DeliveryBench()
    _ = try bench.start("ends=\(ending)", "endpoint=\(endpoint)", "count=\(count)", option).wait()
    // Events that were delivered in time are not lost, and not forgotten either.
    let before = EndpointRecord(path: bench.folder.path("client.endpoint")).settled
    tally.bad += try bench.start("ends=flush", "first=1000", "count=1").wait() == .exited(0) ? 0 : 1
    let after = EndpointRecord(path: bench.folder.path("client.endpoint")).settled
    tally.expected += 1
    tally.got += after.contains(1000) ? 1 : 0
    if ending.hasPrefix("reset") {
      tally.bad += after.subtracting(before) == [1000] ? 0 : 1
    } else {
      tally.expected += count
      tally.got += after.intersection(0..<count).count
      tally.lost += Set(0..<count).subtracting(after).count
    }
  }
}
