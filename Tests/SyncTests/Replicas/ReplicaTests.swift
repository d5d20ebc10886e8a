import Foundation
import TestSupport
import Testing

@testable import Sync

/// Histories of two devices and a server with faults, sessions, conflicts, kills and cuts of power, against a naive
/// reference; `REPLICA_HISTORIES=10000` plays as many, `REPLICA_SEED=7` tells one.
@Suite("Two devices and a server")
struct ReplicaTests {
  private static let environment = ProcessInfo.processInfo.environment

  @Test(
    "whatever happens, all replicas are equal at the end, and nothing acknowledged is lost without a word")
  func histories() throws {
    if let seed = Self.environment["REPLICA_SEED"].flatMap({ UInt64($0) }) {
      var history = try RandomHistory(seed: seed)
      let fault = history.play()
      print(history.story.joined(separator: "\n"))
      #expect(fault == nil)
      return
    }
    let count = Self.environment["REPLICA_HISTORIES"].flatMap { UInt64($0) } ?? UInt64(trials(40, long: 200))
    var faults: [String] = []
    for seed in 1...count {
      var history = try RandomHistory(seed: seed)
      if let fault = history.play() { faults.append("seed \(seed): \(fault)") }
    }
    #expect(faults.isEmpty, "\(faults.count) of \(count): \(faults.prefix(30).joined(separator: "\n"))")
  }
}
