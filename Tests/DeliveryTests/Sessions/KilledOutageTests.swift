import DeliverySimulation
import Foundation
import Testing

/// The kept session goes as it went then; `mistertop simulate KilledOutage.json5` plays the same scenario.
@Suite("Session KilledOutage")
struct KilledOutageTests {
  @Test func `The decisions are those that were written down`() throws {
    let session = try DeliveryScenario(json5: Data(Self.json5.utf8))
    for difference in try session.differences() { Issue.record("\(difference)") }
  }

  private static let json5 = #"""
    // A scenario of the delivery client; `mistertop simulate --delivery FILE` plays it.
    {
      engine: "delivery",
      name: "KilledOutage",
      title: "Killed in an outage",
      story: "Somebody makes the endpoint answer 503 until the breaker opens, sends the app to the background and kills it. \
    The next process begins from the disk and delivers everything.",
      seed: 1,
      start: "2026-05-09T06:13:20Z",
      duration: 40,
      acts: [
        { at: 0, do: "generate", perMinute: 40 },
        { at: 15, do: "fault", fault: "serverError", amount: 503, byHand: true },
        { at: 15.001, do: "flush", byHand: true },
        { at: 22, do: "background", byHand: true },
        { at: 22.001, do: "kill", byHand: true },
        { at: 22.002, do: "fault", fault: "serverError", on: false, byHand: true },
        { at: 25, do: "start", byHand: true },
      ],
      expectedFrom: 15,
      expected: [
        "     15.000  fault     serverError 503",
        "     15.001  person    flush",
        "     15.081  batch 2   2 events from disk: 503",
        "     15.081  breaker   closed, failure 1",
        "     16.161  batch 3   4 events from disk, attempt 2: 503",
        "     16.161  breaker   closed, failure 2",
        "     18.241  batch 4   7 events from disk, attempt 3: 503",
        "     18.241  breaker   open for 11.378 s",
        "     22.000  person    enterBackground",
        "     22.001  person    kill",
        "     22.002  fault     serverError off",
        "     25.000  client    idle -> initializing",
        "     25.000  client    initializing -> ready",
        "     25.000  breaker   closed",
        "     25.000  person    start",
        "     25.080  batch 1   9 events from disk: 200",
        "     25.080  disk      9 -> 0",
        "     25.160  batch 2   1 event from memory: 200",
        "     25.160  disk      1 -> 0",
        "     35.080  batch 3   6 events from disk: 200",
        "     35.080  disk      6 -> 0",
        "     40.000  endpoint  21 events, 4 still wait",
      ],
    }

    """#
}
