import DeliveryCore
import Foundation
import MisterMetricsCore
import TelemetryCore
import Testing

@Suite("What a client shows of itself")
struct DebugTests {
  private let always: Set<String> = [
    "lifecycle", "queueLength", "writeKey", "ingestionHost", "flushIntervalSeconds", "maxQueueEvents",
    "maxDiskEvents",
    "circuitState", "circuitRemainingMs", "flushInFlight", "networkStatus", "tracing", "hasDiskData",
    "dropped",
    "anonymousId",
  ]

  @Test(
    "B-46: Debug information has the specified keys and shows only the last four characters of the write key")
  func keys() {
    let rig = CoreRig()
    #expect(Set(rig.core.debugInfo().keys) == always)
    #expect(rig.core.debugInfo()["writeKey"] == .text("***1234"))
    rig.send(.identify("u"))
    rig.send(.group("g"))
    rig.handle(.setAdvertisingID("4A1E1F40-0000-4000-8000-123456789ABC"))
    #expect(Set(rig.core.debugInfo().keys) == always.union(["userId", "groupId", "advertisingId"]))
    let short = CoreRig(options: InitOptions(writeKey: "abcd", ingestionHost: "https://in.example.com"))
    #expect(short.core.debugInfo()["writeKey"] == .text("***"))
  }

  @Test("B-47: Debug information reflects breaker state, queue length and network status")
  func state() {
    let rig = CoreRig()
    for number in 0..<3 { rig.track("e\(number)") }
    #expect(rig.core.debugInfo()["queueLength"] == .integer(3))
    rig.flush()
    #expect(rig.core.debugInfo()["flushInFlight"] == .bool(true))
    for _ in 0..<3 {
      rig.answer(500)
      rig.advance(by: .seconds(9))
    }
    #expect(rig.core.debugInfo()["circuitState"] != .text("closed"))
    rig.handle(.networkChanged(isOnline: false))
    #expect(rig.core.debugInfo()["networkStatus"] == .text("offline"))
    rig.handle(.networkChanged(isOnline: true))
    #expect(rig.core.debugInfo()["networkStatus"] == .text("returning"))
    rig.advance(by: .seconds(2))
    #expect(rig.core.debugInfo()["networkStatus"] == .text("online"))
    #expect(rig.core.debugInfo()["circuitState"] == .text("closed"))
  }

  @Test("B-48: Debug lines appear only when enabled; warnings and errors always")
  func levels() {
    let rig = CoreRig()
    rig.track("quiet")
    rig.send(.identify(" "))
    #expect(!rig.lines.contains { $0.level == .debug })
    #expect(rig.lines.contains { $0.level == .warning })
    rig.flush()
    rig.answer(401)
    #expect(rig.lines.contains { $0.level == .error })
    #expect(!rig.lines.contains { $0.level == .debug })
    rig.handle(.reset(nil))
    rig.begin()
    rig.handle(.enableDebugLogging)
    rig.track("loud")
    #expect(rig.lines.contains { $0.level == .debug })
    let debugging = CoreRig(
      options: InitOptions(writeKey: "k-123456", ingestionHost: "https://in.example.com", debug: true))
    #expect(debugging.lines.contains { $0.level == .debug })
  }

  @Test("B-132: Debug information counts dropped events by cause")
  func dropped() {
    let rig = CoreRig()
    rig.track("a", "b")
    rig.flush()
    rig.answer(410)
    rig.send(.alias(""))
    rig.track("c")
    rig.flush()
    rig.answer(401)
    rig.track("d")
    #expect(
      rig.core.debugInfo()["dropped"]
        == .object(["refused": .integer(2), "invalidCall": .integer(1), "disabled": .integer(2)]))
  }

  @Test("B-133: No log line contains the full write key, and none a trait")
  func secrets() {
    let rig = CoreRig(
      options: InitOptions(writeKey: "secret-key-1234", ingestionHost: "https://in.example.com", debug: true))
    rig.send(.identify("ada-lovelace-of-london", traits: ["email": "ada@example.com"]))
    rig.flush()
    for status in [500, 429, 413, 400, 401] {
      rig.answer(status)
      rig.advance(by: .seconds(200))
      rig.track("more")
    }
    rig.handle(.reset(nil))
    let text = rig.lines.map(\.text).joined(separator: "\n") + rig.reports.map(\.message).joined()
    #expect(rig.lines.count > 5)
    #expect(!text.contains("secret-key"))
    #expect(!text.contains("ada@example.com"))
    #expect(!text.contains("ada-lovelace"))
  }

  @Test("The records of the bucket delivery hold no write key, id, trait or property")
  func records() async throws {
    let rig = CoreRig(
      { $0.metrics = AnyMetricStore(MetricMemoryStore()) },
      options: InitOptions(writeKey: "secret-key-1234", ingestionHost: "https://in.example.com"))
    rig.track("Bought", "Sold")
    rig.send(.identify("ada-lovelace", traits: ["email": "ada@example.com"]))
    rig.flush()
    rig.answer(503)
    rig.advance(by: .seconds(2))
    rig.answer(200)
    rig.track("Forgotten")
    rig.handle(.reset(nil))
    let entries = rig.core.journal.take()
    let names = Set(entries.map(\.metric.name))
    #expect(names == ["batch", "queue", "breaker", "lifecycle", "drop", "act"])
    let text = entries.map { String(decoding: $0.value, as: UTF8.self) }.joined()
    #expect(!text.contains("secret-key") && !text.contains("ada@example.com"))
  }
}
