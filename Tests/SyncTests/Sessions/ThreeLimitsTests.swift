import Foundation
import SyncSimulation
import Testing

/// The kept session goes as it went then; `mistertop simulate ThreeLimits.json5` plays the same scenario.
@Suite("Session ThreeLimits")
struct ThreeLimitsTests {
  @Test func `The transitions are those that were written down`() throws {
    let session = try Scenario(json5: Data(Self.json5.utf8))
    for difference in try session.differences() { Issue.record("\(difference)") }
  }

  private static let json5 = #"""
    // A scenario of the simulator; `mistertop simulate FILE` plays it.
    {
      name: "ThreeLimits",
      title: "Three limits",
      story: "Somebody makes the server answer 429 and changes three entities: the breaker opens, requests are refused, and \
    after the backoff a probe finds the server well again.",
      seed: 1,
      start: "2026-05-09T06:13:20Z",
      duration: 70,
      settled: true,
      server: [{ kind: "eventType", count: 3 }, { kind: "event", count: 20 }],
      acts: [
        { at: 0, do: "trigger", every: 20, afterChanges: true },
        { at: 10, do: "fault", fault: "rateLimit", scope: "push", byHand: true },
        { at: 10.001, do: "create", kind: "eventType", byHand: true },
        { at: 10.002, do: "create", kind: "geofence", byHand: true },
        { at: 10.003, do: "create", kind: "event", byHand: true },
        { at: 21, do: "fault", fault: "rateLimit", on: false, byHand: true },
        { at: 21.001, do: "sync", byHand: true },
      ],
      expectedFrom: 10,
      expected: [
        "     10.001  idle                    syncRequested",
        "     10.002  idle                    syncRequested           refused: a run is active",
        "     10.003  idle                    syncRequested           refused: a run is active",
        "     10.081  idle -> syncing         probeSucceeded 0/3",
        "     10.161  syncing                 rateLimited 0/3         too many requests (HTTP 429)",
        "     10.241  syncing                 rateLimited 0/3         too many requests (HTTP 429)",
        "     10.321  syncing -> rateLimited  rateLimited             too many requests (HTTP 429)",
        "     20.000  rateLimited             syncRequested           refused: the breaker is open for another 20.4 s",
        "     21.001  rateLimited             syncRequested           refused: the breaker is open for another 19.4 s",
        "     40.000  rateLimited             syncRequested           refused: the breaker is open for another 0.4 s",
        "     40.321  rateLimited             backoffElapsed",
        "     40.321  rateLimited             syncRequested",
        "     40.401  rateLimited -> syncing  probeSucceeded 0/3",
        "     40.481  syncing                 pushAcknowledged 1/3",
        "     40.561  syncing                 pushAcknowledged 2/3",
        "     40.641  syncing                 pushAcknowledged 3/3",
        "     40.641  syncing -> pulling      pushFinished",
        "     40.721  pulling -> idle         pageApplied",
        "     60.000  idle                    syncRequested",
        "     60.080  idle -> syncing         probeSucceeded 0/0",
        "     60.080  syncing -> pulling      pushFinished",
        "     60.160  pulling -> idle         pageApplied",
      ],
    }

    """#
}
