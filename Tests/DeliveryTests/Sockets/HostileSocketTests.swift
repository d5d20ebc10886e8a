import Foundation
import Platform
import TestSupport
import Testing

@testable import DeliveryCore

/// Answers no proper server gives, to a whole client: it neither hangs nor grows, and follows the table of answers.
@Suite("A client and a hostile server")
struct HostileSocketTests {
  /// The client's reaction to an answer to three events.
  private enum Verdict {
    case delivered
    case refused
    /// Kept, and tried again after so many seconds.
    case kept(Double)
  }

  private typealias Script = @Sendable (HostileConnection) -> Void

  /// A server that treats requests by a script until it is told to take; it keeps the bodies that it took.
  private final class Server: Sendable {
    let takes = Locked(false)
    let bodies = Locked<[[UInt8]]>([])
    private let server: HostileServer

    init(_ script: @escaping Script) throws {
      server = try HostileServer { [takes, bodies] connection in
        while true {
          // Where it does not take, the script reads what it wants to.
          guard takes.withLock({ $0 }) else { return script(connection) }
          guard let request = connection.readRequest() else { return }
          bodies.withLock { $0.append(request.body) }
          guard connection.send("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n") else { return }
        }
      }
    }

    var host: String { "http://127.0.0.1:\(server.port)" }

    func names() throws -> [String] {
      try bodies.withLock { $0 }.flatMap { try CoreRig.events(in: Data($0)) }
        .map { $0["event"] as? String ?? "?" }
    }
  }

  private func check(_ what: Comment, _ verdict: Verdict, _ script: @escaping Script) async throws {
    let server = try Server(script)
    let rig = try await SocketRig(host: server.host, timeout: .milliseconds(250))
    rig.track(1...3)
    await rig.flush()
    switch verdict {
    case .delivered: await rig.expectDelivered(what)
    case .refused: #expect(await rig.info()["dropped"] == ["refused": 3], what)
    case .kept(let seconds): try await rig.expectKept(3, retryIn: .seconds(seconds), what)
    }
    // Whatever it was, the client goes on.
    server.takes.withLock { $0 = true }
    rig.track(4...4)
    if case .kept(let seconds) = verdict {
      try await rig.retry(in: .seconds(seconds))
      #expect(try server.names() == names(1...4), what)
    } else {
      await rig.flush()
      #expect(try server.names() == ["4"], what)
    }
    #expect(await rig.info()["queueLength"] == 0, what)
  }

  private func check(_ verdict: Verdict, _ answer: String) async throws {
    try await check(Comment("\(answer.prefix(100).debugDescription)"), verdict) { connection in
      guard connection.readRequest() != nil else { return }
      connection.send(answer)
    }
  }

  @Test("Half an answer: the status line decides, and without one the batch is kept")
  func halves() async throws {
    for rest in [
      "\r\n", "\r\nContent-Length: 100\r\n\r\n", "\r\nContent-Length: 100\r\n\r\nhalf",
      "\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel",
    ] {
      try await check(.delivered, "HTTP/1.1 202 Accepted" + rest)
      try await check(.refused, "HTTP/1.1 422 No" + rest)
      try await check(.kept(1), "HTTP/1.1 503 Busy" + rest)
      try await check(.kept(60), "HTTP/1.1 503 Busy\r\nRetry-After: 60" + rest)
    }
    for nothing in ["", "H", "HTTP/1.1 20", "HTTP/1.1 100 Continue\r\n\r\n"] {
      try await check(.kept(1), nothing)
    }
  }

  @Test("What is no HTTP is no answer, whatever it looks like")
  func noHTTP() async throws {
    for answer in [
      "SSH-2.0-OpenSSH_9.2p1\r\n", "<html>200 OK</html>\r\n\r\n", "HTTP/1.1 2020 Long\r\n\r\n",
      "HTTP/1.1 -20 Negative\r\n\r\n", "HTTP/7.5 202 Accepted\r\n\r\n", "\0\0\0\0\r\n\r\n",
      "{\"status\":200}",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
    ] {
      try await check(.kept(1), answer)
    }
  }

  @Test("A wait of a hundred billion years is an hour, and one that makes no sense is none")
  func hugeWaits() async throws {
    for (value, seconds) in [
      ("99999999999999999999", 3600), (String(repeating: "9", count: 50_000), 3600), ("315360000", 3600),
      ("Fri, 31 Dec 9999 23:59:59 GMT", 3600), ("-99999999999999999999", 1), ("1e9", 1), ("0x7F", 1),
      ("Fri, 99 Dec 9999 99:99:99 GMT", 1), ("\u{661}", 1),
    ] {
      for status in [429, 503] {
        try await check(
          .kept(Double(seconds)),
          "HTTP/1.1 \(status) Wait\r\nRetry-After: \(value)\r\nContent-Length: 0\r\n\r\n")
      }
    }
  }

  @Test("Heads and bodies without an end, and answers of a gigabyte, are left after a few KiB")
  func endless() async throws {
    for (beginning, rest, verdict) in [
      ("HTTP/1.1 202 Accepted\r\nContent-Length: 1073741824\r\n\r\n", "x", Verdict.delivered),
      ("HTTP/1.1 202 Accepted\r\n", "X-Header: value\r\n", .delivered),
      ("HTTP/1.1 202 Accepted\r\nX: ", "x", .delivered),
      ("HTTP/1.1 400 Bad\r\n\r\n", "x", .refused), ("HTTP/1.1 503 Busy\r\n\r\n", "x", .kept(1)),
      ("HTTP/1.1 503 Busy\r\nRetry-After: 5\r\n", "X-Header: value\r\n", .kept(5)),
      ("", "HTTP/1.1 100 Continue\r\n\r\n", .kept(1)), ("HTTP/1.1 202 ", "x", .kept(1)), ("", "\0", .kept(1)),
    ] {
      let sent = Locked<Int?>(nil)
      try await check(Comment("\(beginning.debugDescription), \(rest.debugDescription)"), verdict) {
        connection in
        guard connection.readRequest() != nil, connection.send(beginning) else { return }
        let count = connection.flood(rest, upTo: 1 << 30)
        sent.withLock { $0 = count }
      }
      while sent.withLock({ $0 }) == nil { await Task.yield() }
      #expect(sent.withLock { $0 ?? .max } < 16 << 20)
    }
  }

  @Test("A slow drip ends at the deadline: the status line has decided by then, or nothing has")
  func drip() async throws {
    for (beginning, drip, verdict) in [
      ("HTTP/1.1 202 Accepted\r\n\r\n", "body", Verdict.delivered),
      ("HTTP/1.1 503 Busy\r\nRetry-After: 9\r\n", "X-Header: value\r\n", .kept(9)),
      ("HTTP/1.1 2", "0", .kept(1)), ("", "HTTP/1.1 100 Continue\r\n\r\n", .kept(1)),
    ] {
      try await check(Comment("\(beginning.debugDescription)"), verdict) { connection in
        guard connection.readRequest() != nil, connection.send(beginning) else { return }
        connection.drip(drip)
      }
    }
  }

  @Test("Connections that are closed, reset or never read are no answer")
  func connections() async throws {
    try await check("closed at once", .kept(1)) { _ in }
    try await check("closed in the middle of the request", .kept(1)) { connection in _ = connection.read() }
    try await check("reset", .kept(1)) { connection in
      connection.resetAtEnd()
      _ = connection.readRequest()
    }
    try await check("silent", .kept(1)) { connection in connection.waitForEnd() }
    try await check("reset after the status line", .delivered) { connection in
      guard connection.readRequest() != nil else { return }
      connection.send("HTTP/1.1 202 Accepted\r\nContent-Length: 9\r\n\r\n")
      connection.waitForEnd()
    }
  }
}
