import Foundation
import Platform
import TestSupport
import Testing

@testable import DeliveryCore

/// Answers that no proper server gives, through real sockets.
@Suite("Posting to a hostile server")
struct HostileServerTests {
  private func post(
    to port: UInt16, by transport: any DeliveryTransport = SystemTransport.make(),
    timeout: Duration = .seconds(30), body: String = #"{"batch":[]}"#
  ) async throws -> (outcome: PostOutcome, answer: DeliveryAnswer?) {
    try await transport.outcome(of: .local(port, body: body, timeout: timeout))
  }

  /// Posts once to a server that reads the request, sends a text and closes.
  private func outcome(of answer: String, timeout: Duration = .seconds(30)) async throws -> PostOutcome {
    let server = try HostileServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.send(answer)
    }
    return try await post(to: server.port, timeout: timeout).outcome
  }

  @Test("The status line decides, whatever comes after it, or nothing")
  func statusDecides() async throws {
    for answer in [
      "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.0 202 Accepted\r\n\r\nhalf a bo",
      "HTTP/1.1 202 Accepted\r\nContent-Length: 100\r\n\r\nhalf a bo",
      "HTTP/1.1 202 Accepted\r\nContent-Length: 100\r\n\r\n",
      "HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel",
      "HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nhello",
      "HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFFFFFFFF\r\nhello",
      "HTTP/1.1 202 Accepted\r\nContent-Len",
      "HTTP/1.1 202 Accepted\r\n",
      "HTTP/1.1 202\r\n\r\n",
      "HTTP/1.1 202 Accepted\nContent-Length: 0\n\n",
      "HTTP/1.1 202 Accepted\r\nContent-Length: many\r\n\r\n",
      "HTTP/1.1 202 Accepted\r\nContent-Length: -5\r\n\r\n",
      "HTTP/1.1 202 Accepted\r\nContent-Length: 99999999999999999999999\r\n\r\n",
      "HTTP/1.1 202 Accepted\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
      "HTTP/1.1 202 Accepted\r\nContent-Encoding: gzip\r\n\r\nno gzip",
      "HTTP/1.1 202 Accepted\r\nX: a\0b\r\n\r\n",
      "HTTP/1.1 202 Accepted\r\n\0\0\0\0\r\n\r\n",
      "HTTP/1.1 202 Accepted\r\nno colon\r\n: no name\r\n folded\r\n\r\n",
      "HTTP/1.1 202 Accepted\r\nHTTP/1.1 500 Trick\r\n\r\n",
      "HTTP/1.1 202 Accepted\r\nLocation: http://127.0.0.1:1/\r\nRefresh: 0\r\n\r\n",
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 202 Accepted\r\n\r\n",
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\nHTTP/1.1 202 Accepted\r\n\r\n",
    ] {
      #expect(try await outcome(of: answer) == .status(202), "\(answer.debugDescription)")
    }
  }

  @Test("What is no HTTP is an invalid answer")
  func noHTTP() async throws {
    for answer in [
      "SSH-2.0-OpenSSH_9.2p1\r\n", "<html>hello</html>\r\n\r\n", "HTTP/1.1 abc Hello\r\n\r\n",
      "HTTP/1.1 99 Too Small\r\n\r\n", "HTTP/1.1 2020 Too Long\r\n\r\n", "HTTP/1.1 -20 Negative\r\n\r\n",
      "HTTP/1.1\r\n\r\n", "HTTP/7.5 202 Accepted\r\n\r\n", "\r\n\r\n\r\n", "\0\0\0\0\0\0\0\0\r\n\r\n",
      "HTTP/1.1 \0 202 Accepted\r\n\r\n", "HTTP/1.1 202\0 Accepted\r\n\r\n", "{}",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\nwhatever",
    ] {
      #expect(try await outcome(of: answer) == .failed(.invalidAnswer), "\(answer.debugDescription)")
    }
  }

  @Test("A connection that ends before the status line is a lost connection")
  func noStatusLine() async throws {
    for answer in [
      "", "HTTP/1.1 20", "HTTP/1.1 100 Continue\r\n\r\n", "H",
    ] {
      #expect(try await outcome(of: answer) == .failed(.unreachable), "\(answer.debugDescription)")
    }
  }

  @Test("A connection that is reset is a lost connection, unless the status line came before")
  func reset() async throws {
    let server = try HostileServer { connection in
      connection.resetAtEnd()
      guard connection.readRequest() != nil else { return }
    }
    #expect(try await post(to: server.port).outcome == .failed(.unreachable))
    let refusing = try ClosedPort()
    let closing = try HostileServer { connection in connection.resetAtEnd() }
    #expect(
      try await post(to: closing.port, body: String(repeating: "x", count: 1 << 20)).outcome
        == .failed(.unreachable))
    #expect(try await post(to: refusing.port).outcome == .failed(.unreachable))
  }

  @Test("An answer without an end counts by its status line, and little of it is read")
  func endless() async throws {
    let ok = "HTTP/1.1 202 Accepted\r\n"
    for (beginning, rest, outcome) in [
      (ok + "Content-Length: 1073741824\r\n\r\n", "0123456789abcdef", PostOutcome.status(202)),
      (ok + "\r\n", "\0", .status(202)),
      (ok + "Transfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n", .status(202)),
      (ok, "X-Header: value\r\n", .status(202)),
      (ok + "X-Header: ", "x", .status(202)),
      (ok + "Transfer-Encoding: chunked\r\n\r\n0\r\n", "X-Trailer: value\r\n", .status(202)),
      ("", "HTTP/1.1 100 Continue\r\n\r\n", .failed(.invalidAnswer)),
      ("HTTP/1.1 103 Early Hints\r\n", "Link: <a>\r\n", .failed(.invalidAnswer)),
      ("HTTP/1.1 202 ", "x", .failed(.invalidAnswer)), ("", "x", .failed(.invalidAnswer)),
      ("", "\r\n", .failed(.invalidAnswer)), ("", "HTTP/", .failed(.invalidAnswer)),
    ] {
      let sent = Locked<Int?>(nil)
      let server = try HostileServer { connection in
        guard connection.readRequest() != nil, connection.send(beginning) else { return }
        let count = connection.flood(rest, upTo: 1 << 30)
        sent.withLock { $0 = count }
        connection.waitForEnd()
      }
      #expect(try await post(to: server.port).outcome == outcome, "\(beginning.debugDescription)")
      // The transport has closed the connection; what the system took by then lies in buffers of the two sockets.
      while sent.withLock({ $0 }) == nil { await Task.yield() }
      #expect(sent.withLock { $0 ?? .max } < 16 << 20, "\(beginning.debugDescription)")
    }
  }

  @Test("A slow drip ends at the deadline; by then the status line has decided, or there was no answer")
  func drip() async throws {
    for (beginning, drip, outcome) in [
      ("HTTP/1.1 202 Accepted\r\n\r\n", "body", PostOutcome.status(202)),
      ("HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n", .status(202)),
      ("HTTP/1.1 202 Accepted\r\n", "X-Header: value\r\n", .status(202)),
      ("HTTP/1.1 2", "0", .failed(.timedOut)), ("", "HTTP/1.1 100 Continue\r\n\r\n", .failed(.timedOut)),
    ] {
      let server = try HostileServer { connection in
        guard connection.readRequest() != nil, connection.send(beginning) else { return }
        connection.drip(drip)
      }
      let start = ContinuousClock.now
      #expect(
        try await post(to: server.port, timeout: .milliseconds(300)).outcome == outcome,
        "\(drip.debugDescription)")
      let taken = ContinuousClock.now - start
      #expect(taken >= .milliseconds(290) && taken < .seconds(10), "\(drip.debugDescription): \(taken)")
    }
  }

  @Test("A server that never answers, never reads or never accepts is given up at the deadline")
  func silence() async throws {
    let silent = try HostileServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.waitForEnd()
    }
    let answered = try HostileServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.send("HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 5\r\n\r\n")
      connection.waitForEnd()
    }
    let held = DispatchSemaphore(value: 0)
    let deaf = try HostileServer { _ in held.wait() }
    defer { held.signal() }
    let full = try FullPort()
    let brief = Duration.milliseconds(200)
    let long = String(repeating: "x", count: 8 << 20)
    #expect(try await post(to: silent.port, timeout: brief).outcome == .failed(.timedOut))
    #expect(try await post(to: deaf.port, timeout: brief, body: long).outcome == .failed(.timedOut))
    #expect(try await post(to: full.port, timeout: brief).outcome == .failed(.timedOut))
    #expect(
      try await post(to: answered.port, timeout: brief).answer == DeliveryAnswer(status: 503, retryAfter: "7")
    )
    // Not even time to begin.
    #expect(try await post(to: silent.port, timeout: .zero).outcome == .failed(.timedOut))
    #expect(try await post(to: silent.port, timeout: .seconds(-1)).outcome == .failed(.timedOut))
  }

  @Test("Of headers the first Retry-After counts, however its name is written, and that of the last head")
  func retryAfter() async throws {
    for (head, expected) in [
      ("Retry-After: 120", "120"), ("retry-after:\t 120 \t", "120"), ("RETRY-AFTER:120", "120"),
      ("Retry-After: 1\r\nRetry-After: 2", "1"), ("Retry-After:", ""), ("X-Retry-After: 5", nil),
      ("Retry-After : 5", nil), ("Retry-After", nil), ("Retry-After: \u{FFFD}", "\u{FFFD}"),
      ("Retry-After: " + String(repeating: "9", count: 60_000), String(repeating: "9", count: 60_000)),
    ] as [(String, String?)] {
      let server = try HostileServer { connection in
        guard connection.readRequest() != nil else { return }
        connection.send("HTTP/1.1 103 Early Hints\r\nRetry-After: 77\r\n\r\n")
        connection.send("HTTP/1.1 503 Busy\r\n\(head)\r\nConnection: close\r\n\r\n")
      }
      let answer = try await post(to: server.port).answer
      #expect(
        answer == DeliveryAnswer(status: 503, retryAfter: expected), "\(head.prefix(60).debugDescription)")
    }
  }

  @Test("The beginning of the body is told, as text")
  func detail() async throws {
    for (body, expected) in [
      ("", nil), ("{\"error\":\"no such key\"}", "{\"error\":\"no such key\"}"), ("a\0b", "a\0b"),
      (String(repeating: "x", count: 3000), String(repeating: "x", count: 2048)),
      ("x" + String(repeating: "ä", count: 3000), "x" + String(repeating: "ä", count: 1023)),
    ] as [(String, String?)] {
      let server = try HostileServer { connection in
        guard connection.readRequest() != nil else { return }
        connection.send("HTTP/1.1 400 Bad\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
      }
      #expect(try await post(to: server.port).answer == DeliveryAnswer(status: 400, detail: expected))
    }
  }

  @Test("An early answer counts although the request is not read, and redirects are not followed")
  func earlyAnswer() async throws {
    let server = try HostileServer { connection in
      _ = connection.read()
      connection.send("HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
      // The bytes still on their way are read, or the answer would be lost with the connection.
      connection.waitForEnd()
    }
    #expect(
      try await post(to: server.port, body: String(repeating: "x", count: 4 << 20)).outcome == .status(413))
    for status in [301, 302, 303, 307, 308] {
      let server = try HostileServer { connection in
        guard connection.readRequest() != nil else { return }
        connection.send("HTTP/1.1 \(status) Elsewhere\r\nLocation: /v1/other\r\nConnection: close\r\n\r\n")
      }
      #expect(try await post(to: server.port).outcome == .status(status))
      #expect(server.connections == 1)
    }
  }

  @Test("A kept connection that the server closes meanwhile costs no answer")
  func staleConnection() async throws {
    let server = try HostileServer { connection in
      // The second request on the first connection is not answered.
      for _ in 0..<(connection.number == 1 ? 1 : 2) where connection.readRequest() != nil {
        connection.send("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n")
      }
      if connection.number == 1 { _ = connection.read() }
    }
    let transport = SystemTransport.make()
    for _ in 0..<3 { #expect(try await post(to: server.port, by: transport).outcome == .status(202)) }
    #expect(server.connections == 2)
  }
}
