import Foundation
import Platform
import TestSupport
import Testing

@testable import DeliveryCore

/// No answer at all, and the client's own life meanwhile.
@Suite("Outages between a client and nginx")
struct OutageSocketTests {
  @Test("No connection: kept, tried again after the floor, and delivered once somebody listens")
  func noConnection() async throws {
    let port = try { try ClosedPort().port }()
    let rig = try await SocketRig(host: "http://127.0.0.1:\(port)/good")
    rig.track(1...5)
    await rig.flush()
    try await rig.expectKept(5, retryIn: .seconds(1))
    try await rig.retry(in: .seconds(1))
    try await rig.expectKept(5, retryIn: .seconds(2))
    #expect(rig.transport.outcomes == [.failed(.unreachable), .failed(.unreachable)])
    let server = try IngestionServer([.init(name: "good", takes: true)], port: port)
    try await rig.retry(in: .seconds(2))
    await rig.expectDelivered()
    #expect(try server.names("good") == names(1...5))
  }

  @Test("A connection that nginx closes without a word, and a gateway without anything behind it")
  func closed() async throws {
    let closed = try ClosedPort()
    let server = try IngestionServer(
      [
        .init(name: "closes", refusal: "return 444"),
        .init(name: "gateway", refusal: "rewrite ^ /behind last"),
      ],
      more: "location = /behind { proxy_pass http://127.0.0.1:\(closed.port); }")
    for (name, outcome) in [("closes", PostOutcome.failed(.unreachable)), ("gateway", .status(502))] {
      let rig = try await SocketRig(host: server.host(name))
      rig.track(1...5)
      await rig.flush()
      try await rig.expectKept(5, retryIn: .seconds(1), "\(name)")
      try server.take(name)
      try await rig.retry(in: .seconds(1))
      await rig.expectDelivered("\(name)")
      #expect(rig.transport.outcomes == [outcome, .status(202)])
      #expect(try server.names(name) == names(1...5))
    }
  }

  @Test("The deadline of the exchange passes: kept, and tried again after the floor")
  func timeout() async throws {
    let silent = try HostileServer { $0.waitForEnd() }
    let server = try IngestionServer(
      [.init(name: "slow", refusal: "rewrite ^ /behind last")],
      more: "location = /behind { proxy_pass http://127.0.0.1:\(silent.port); }")
    let rig = try await SocketRig(host: server.host("slow"), timeout: .milliseconds(200))
    rig.track(1...5)
    await rig.flush()
    try await rig.expectKept(5, retryIn: .seconds(1))
    #expect(rig.transport.outcomes == [.failed(.timedOut)])
    try server.take("slow")
    try await rig.retry(in: .seconds(1))
    await rig.expectDelivered()
    #expect(try server.names("slow") == names(1...5))
  }

  @Test("A post that does not return is given up a second after its deadline, and counts as not answered")
  func givenUp() async throws {
    let silent = try HostileServer { $0.waitForEnd() }
    let rig = try await SocketRig(host: "http://127.0.0.1:\(silent.port)", timeout: .seconds(3600))
    rig.track(1...5)
    async let flush: Void = rig.flush()
    try #require(await rig.until { silent.connections == 1 })
    #expect(await rig.info()["flushInFlight"] == true)
    try await rig.expectWake(in: .seconds(9))
    rig.clock.advance(by: .seconds(9))
    await flush
    try await rig.expectKept(5, retryIn: .seconds(1))
    #expect(await rig.until { rig.transport.outcomes == [.failed(.cancelled)] })
  }

  @Test("An answer that comes after a reset changes nothing")
  func olderEpoch() async throws {
    let held = DispatchSemaphore(value: 0)
    let asked = Locked(false)
    let slow = try HostileServer { connection in
      guard connection.readRequest() != nil else { return }
      asked.withLock { $0 = true }
      held.wait()
      connection.send("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n")
    }
    let server = try IngestionServer([.init(name: "good", takes: true)])
    let rig = try await SocketRig(host: "http://127.0.0.1:\(slow.port)")
    rig.track(1...5)
    async let flush: Void = rig.flush()
    try #require(await rig.until { asked.withLock { $0 } })
    await rig.reset()
    await rig.initialize(host: server.host("good"))
    rig.track(6...9)
    held.signal()
    await flush
    await rig.flush()
    await rig.expectDelivered()
    #expect(rig.errors.withLock { $0.isEmpty })
    #expect(try server.names("good") == names(6...9))
  }

  @Test(
    "Offline nothing is posted and all is kept on disk; another client over the same files delivers it in order"
  )
  func restart() async throws {
    let server = try IngestionServer([.init(name: "good", takes: true)])
    let folder = try TemporaryFolder()
    do {
      let rig = try await SocketRig(host: server.host("good"), folder: folder)
      await rig.goOffline()
      rig.track(1...220)
      await rig.enterBackground()
      #expect(await rig.info()["hasDiskData"] == true)
      #expect(rig.transport.posts.isEmpty)
    }
    // The first client lets go of the folder when the last of its tasks is over.
    let opened = await Self.opens(folder)
    try #require(opened)
    let rig = try await SocketRig(host: server.host("good"), folder: folder)
    await rig.flush()
    await rig.expectDelivered()
    #expect(rig.transport.posts.map(\.names.count) == [100, 100, 20])
    #expect(try server.names("good") == names(1...220))
  }

  private static func opens(_ folder: TemporaryFolder) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < deadline {
      if (try? SegmentedEventStorage(folder: folder.path("disk-queue"))) != nil { return true }
      try? await Task.sleep(for: .milliseconds(1))
    }
    return false
  }
}
