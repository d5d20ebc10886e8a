import Foundation
import Platform
import Testing

@testable import Delivery

/// Answers that no proper server gives, through real sockets.
@Suite("Posting to a hostile server")
struct HostileServerTests {
  /// An answer, as far as a test compares it, or the kind of failure.
  enum Outcome: Hashable {
    case status(Int)
    case failed(TransportFailure.Code)
  }

  private func post(
    to port: UInt16, by transport: any DeliveryTransport = SystemTransport.make(),
    timeout: Duration = .seconds(30), body: String = #"{"batch":[]}"#
  ) async -> (outcome: Outcome, answer: DeliveryAnswer?) {
    guard let url = URL(string: "http://127.0.0.1:\(port)/v1/batch") else {
      return (.failed(.unavailable), nil)
    }
    let request = DeliveryRequest(
      url: url, headers: [.init("Content-Type", "application/json")], body: Data(body.utf8), timeout: timeout)
    do throws(TransportFailure) {
      let answer = try await transport.post(request)
      return (.status(answer.status), answer)
    } catch {
      return (.failed(error.code), nil)
    }
  }

  /// Posts once to a server that reads the request, sends a text and closes.
  private func outcome(of answer: String, timeout: Duration = .seconds(30)) async throws -> Outcome {
    let server = try HostileServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.send(answer)
    }
    return await post(to: server.port, timeout: timeout).outcome
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
    #expect(await post(to: server.port).outcome == .failed(.unreachable))
    let closing = try HostileServer { connection in connection.resetAtEnd() }
    #expect(
      await post(to: closing.port, body: String(repeating: "x", count: 1 << 20)).outcome
        == .failed(.unreachable))
    #expect(try await post(to: Loopback.freePort()).outcome == .failed(.unreachable))
  }
}
