import Foundation
import Platform
import TestSupport
import Testing

@testable import DeliveryCore

/// Each row of the table of answers: a whole client with its files, and an endpoint that no one here wrote.
@Suite("The table of answers, between a client and nginx")
struct AnswerSocketTests {
  @Test("2xx: the batches are gone, and arrived once and in order", arguments: [false, true])
  func delivered(fromDisk: Bool) async throws {
    let statuses = [200, 201, 202, 204]
    let server = try IngestionServer(
      statuses.map { .init(name: "s\($0)", taking: $0, takes: true) })
    for status in statuses {
      let rig = try await SocketRig(host: server.host("s\(status)"))
      await rig.goOffline()
      rig.track(1...250)
      if fromDisk { await rig.flush() }
      #expect(await rig.info()["hasDiskData"] == .bool(fromDisk))
      try await rig.goOnline()
      await rig.expectDelivered("\(status)")
      #expect(rig.transport.posts.map(\.names.count) == [100, 100, 50])
      #expect(rig.transport.outcomes == [.status(status), .status(status), .status(status)])
      #expect(try server.names("s\(status)") == names(1...250))
    }
  }

  @Test(
    "5xx, 408, redirects and the unknown: kept in order, tried again after 1 s, then 2 s, then by the breaker"
  )
  func retried() async throws {
    let statuses = [500, 502, 503, 504, 507, 599, 408, 301, 302, 303, 307, 308, 304]
    let server = try IngestionServer(
      statuses.map { status in
        let isRedirect = [301, 302, 303, 307, 308].contains(status)
        // Without a text nginx says nothing at all instead of 408.
        let what = isRedirect ? "http://127.0.0.1:PORT/elsewhere" : "late"
        return .init(name: "s\(status)", refusal: "return \(status) \(what)")
      } + [.init(name: "elsewhere", takes: true)])
    for status in statuses {
      let rig = try await SocketRig(host: server.host("s\(status)"))
      rig.track(1...7)
      await rig.flush()
      try await rig.expectKept(7, retryIn: .seconds(1), "\(status)")
      rig.track(8...9)
      try await rig.retry(in: .seconds(1))
      try await rig.expectKept(9, retryIn: .seconds(2), "\(status)")
      try await rig.retry(in: .seconds(2))
      // The third failure opens the breaker, whose cooldown is longer than the floor.
      let info = await rig.info()
      #expect(info["circuitState"] == "open")
      guard case .integer(let milliseconds)? = info["circuitRemainingMs"] else {
        Issue.record("no remaining time")
        return
      }
      #expect(8000...12_000 ~= milliseconds)
      #expect(rig.transport.outcomes == [.status(status), .status(status), .status(status)])
      try server.take("s\(status)")
      _ = await rig.until { rig.clock.nextWake != nil }
      let wait = try #require(rig.clock.nextWake) - rig.clock.now
      #expect(abs(wait / .milliseconds(1) - Double(milliseconds)) <= 1)
      try await rig.retry(in: wait)
      await rig.expectDelivered("\(status)")
      #expect(try server.names("s\(status)") == names(1...9))
      #expect(rig.transport.posts.map(\.names.count) == [7, 9, 9, 9])
    }
    #expect(try server.bodies("elsewhere").isEmpty)
  }

  /// The meaning of Retry-After on the clock of the rig, and the wait after a first 503 and a first 429.
  private static let waits: [(text: String?, wait: Double)] = [
    (nil, 1), ("2", 2), (" 7 ", 7), ("0", 1), ("-5", 1), ("1.5", 1), ("soon", 1), ("", 1), ("3600", 3600),
    ("3601", 3600), ("99999999999999999999", 3600), ("Mon, 21 Sep 2026 14:13:30 GMT", 10),
    ("Monday, 21-Sep-26 14:13:30 GMT", 10), ("Mon Sep 21 14:13:30 2026", 10),
    ("Mon, 21 Sep 2026 14:13:10 GMT", 1), ("Mon, 21 Sep 2036 14:13:20 GMT", 3600),
    ("Mon, 21 Sep 2026 14:13:30 CET", 1),
  ]

  @Test(
    "429 and 503 with Retry-After in each of its forms: kept, and tried again when it says, an hour at most")
  func retryAfter() async throws {
    let rows = Self.waits.enumerated().flatMap { index, row in
      [429, 503].map { (name: "r\($0)x\(index)", status: $0, row: row) }
    }
    let server = try IngestionServer(
      rows.map { .init(name: $0.name, refusal: "return \($0.status)", retryAfter: $0.row.text) })
    for (name, status, row) in rows {
      let rig = try await SocketRig(host: server.host(name))
      rig.track(1...3)
      await rig.flush()
      let comment = Comment("\(status), Retry-After: \(row.text ?? "none")")
      try await rig.expectKept(3, retryIn: .seconds(row.wait), comment)
      try server.take(name)
      try await rig.retry(in: .seconds(row.wait))
      await rig.expectDelivered(comment)
      #expect(rig.transport.outcomes == [.status(status), .status(202)])
      #expect(try server.names(name) == names(1...3))
    }
  }

  @Test(
    "413: batches are halved until nginx takes them, and grow again; nothing is lost",
    arguments: [false, true])
  func halved(fromDisk: Bool) async throws {
    let limit = 4000
    let server = try IngestionServer([
      .init(name: "small", takes: true, more: "client_max_body_size \(limit);")
    ])
    let rig = try await SocketRig(host: server.host("small"))
    await rig.goOffline()
    rig.track(1...40)
    if fromDisk { await rig.flush() }
    _ = await rig.info()
    try await rig.goOnline()
    await rig.expectDelivered()
    #expect(try server.names("small") == names(1...40))
    let posts = rig.transport.posts
    #expect(posts.first?.names.count == 40)
    for (post, next) in zip(posts, posts.dropFirst()) {
      let isTooLarge = post.request.body.count > limit
      #expect(post.outcome == .status(isTooLarge ? 413 : 202))
      let size = post.names.count
      #expect(isTooLarge ? next.names.count == size / 2 : next.names.count <= size * 2)
    }
    #expect(posts.contains { $0.outcome == .status(413) && $0.names.count < 20 })
  }

  @Test("413 to a single event: it is dropped, and those around it arrive")
  func tooLarge() async throws {
    let server = try IngestionServer([.init(name: "small", takes: true, more: "client_max_body_size 4000;")])
    let rig = try await SocketRig(host: server.host("small"))
    rig.track(1...3)
    rig.track("4", properties: ["text": .text(String(repeating: "x", count: 5000))])
    rig.track(5...9)
    await rig.flush()
    let info = await rig.info()
    #expect(info["queueLength"] == 0)
    #expect(info["dropped"] == ["tooLarge": 1])
    #expect(info["circuitState"] == "closed")
    #expect(try server.names("small") == ["1", "2", "3", "5", "6", "7", "8", "9"])
    #expect(rig.transport.posts.filter { $0.outcome == .status(413) }.last?.names == ["4"])
  }

  @Test("Any other 4xx: the batch is dropped, the next one goes out at once", arguments: [false, true])
  func refused(fromDisk: Bool) async throws {
    let statuses = [402, 405, 406, 409, 410, 415, 418, 431, 451]
    let server = try IngestionServer(statuses.map { .init(name: "s\($0)", refusal: "return \($0)") })
    for status in statuses {
      let rig = try await SocketRig(host: server.host("s\(status)"))
      rig.transport.observe { outcome in
        if outcome == .status(status) { try? server.take("s\(status)") }
      }
      await rig.goOffline()
      rig.track(1...130)
      if fromDisk { await rig.flush() }
      _ = await rig.info()
      try await rig.goOnline()
      let info = await rig.info()
      #expect(info["queueLength"] == 0)
      #expect(info["hasDiskData"] == false)
      #expect(info["dropped"] == ["refused": 100], "\(status)")
      #expect(info["circuitState"] == "closed")
      #expect(rig.transport.outcomes == [.status(status), .status(202)])
      #expect(try server.names("s\(status)") == names(101...130))
    }
  }

  @Test("401, 403 and 404: all is cleared, on disk too, the app is told, and nothing goes out until a reset")
  func disabled() async throws {
    let statuses = [401, 403, 404]
    let server = try IngestionServer(
      statuses.map { .init(name: "s\($0)", refusal: "return \($0)") } + [.init(name: "good", takes: true)])
    for status in statuses {
      let rig = try await SocketRig(host: server.host("s\(status)"))
      await rig.goOffline()
      rig.track(1...150)
      await rig.flush()
      rig.track(151...160)
      #expect(await rig.info()["hasDiskData"] == true)
      try await rig.goOnline()
      rig.track(161...165)
      await rig.flush()
      let info = await rig.info()
      #expect(info["lifecycle"] == "disabled")
      #expect(info["queueLength"] == 0)
      #expect(info["hasDiskData"] == false)
      #expect(info["dropped"] == ["disabled": 165])
      #expect(rig.transport.outcomes == [.status(status)])
      #expect(rig.errors.withLock { $0.map(\.status) } == [status])
      #expect(rig.clock.nextWake == nil)
      let folder = rig.folder.path("disk-queue")
      let files = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(!files.contains { FileManager.default.contents(atPath: "\(folder)/\($0)")?.isMade ?? false })
      await rig.reset()
      await rig.initialize(host: server.host("good"))
      rig.track(201...202)
      await rig.flush()
      #expect(rig.transport.outcomes == [.status(status), .status(202)])
    }
    #expect(try server.names("good") == ["201", "202", "201", "202", "201", "202"])
  }

  @Test("A batch that cannot be encoded is dropped, the next one goes out at once")
  func notEncodable() async throws {
    let server = try IngestionServer([.init(name: "good", takes: true)])
    let rig = try await SocketRig(
      host: server.host("good"),
      encodeBody: { body, _ in
        if String(decoding: body, as: UTF8.self).contains(#""event":"1""#) { throw BodyError() }
        return body
      })
    await rig.goOffline()
    rig.track(1...101)
    _ = await rig.info()
    try await rig.goOnline()
    #expect(await rig.info()["dropped"] == ["notEncodable": 100])
    #expect(try server.names("good") == ["101"])
  }

  @Test("Packed bodies arrive packed, and say so")
  func packed() async throws {
    let server = try IngestionServer([
      .init(
        name: "gzip", takes: true, more: "if ($http_content_encoding != gzip) { return 415; }")
    ])
    let rig = try await SocketRig(host: server.host("gzip")) { $0.compressesBodies = true }
    rig.track(1...15)
    await rig.flush()
    await rig.expectDelivered()
    let body = try #require(try server.bodies("gzip").first)
    #expect(body.prefix(2) == Data([0x1F, 0x8B]))
    #expect(body.count < 3000)
  }
}

extension Data {
  /// True if it holds an event.
  fileprivate var isMade: Bool { String(decoding: self, as: UTF8.self).contains("messageId") }
}
