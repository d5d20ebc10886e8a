import Foundation
import TestSupport
import Testing

@testable import DeliveryCore

@Suite("The transport of this system")
struct SystemTransportTests {
  private let transport = SystemTransport.make()

  /// A server that accepts everything, over kept connections.
  private static func accepting() throws -> HostileServer {
    try HostileServer { connection in
      while connection.readRequest() != nil {
        guard connection.send("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n") else { return }
      }
    }
  }

  @Test("A request is sent as it was described, and waits for no interim answer")
  func request() async throws {
    let (requests, continuation) = AsyncStream.makeStream(of: (head: String, body: [UInt8]).self)
    let server = try HostileServer { connection in
      guard let request = connection.readRequest() else { return }
      continuation.yield(request)
      connection.send("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n")
    }
    var arrived = requests.makeAsyncIterator()
    for body in ["", #"{"batch":[]}"#, "a\0b\r\n\r\n", String(repeating: "ä", count: 2 << 20)] {
      let request = try DeliveryRequest.local(
        server.port, body: body,
        headers: [
          .init("Content-Type", "application/json"), .init("Trace", "true"), .init("X-Empty", ""),
          .init("X-Odd", "a\r\nX-Injected: b\0"),
        ])
      #expect(await SystemTransport.make().outcome(of: request).outcome == .status(202))
      let found = try #require(await arrived.next())
      #expect(found.body == Array(body.utf8))
      let lines = found.head.components(separatedBy: "\r\n")
      #expect(lines[0] == "POST /v1/batch HTTP/1.1")
      #expect(
        lines.dropFirst().filter { !$0.hasPrefix("Accept") && !$0.hasPrefix("User-Agent") }.sorted() == [
          "Content-Length: \(body.utf8.count)", "Content-Type: application/json",
          "Host: 127.0.0.1:\(server.port)", "Trace: true", "X-Empty:", "X-Odd: aX-Injected: b",
        ])
    }
  }

  @Test("After a failure of any kind the next post goes on")
  func recovery() async throws {
    let server = try Self.accepting()
    let good = try DeliveryRequest.local(server.port)
    let closed = try ClosedPort()
    let bad: [(String, TransportFailure.Code)] = [
      ("http://127.0.0.1:\(closed.port)/", .unreachable), ("http://127.0.0.1:0/", .unreachable),
      ("ftp://127.0.0.1:\(server.port)/", .unavailable), ("file:///etc/passwd", .unavailable),
      ("http://127.0.0.1:99999/", .unavailable), ("relative", .unavailable),
    ]
    for (text, code) in bad {
      let url = try #require(URL(string: text))
      let request = DeliveryRequest(url: url, headers: [], body: Data(), timeout: .seconds(30))
      #expect(await transport.outcome(of: request).outcome == .failed(code), "\(text)")
      #expect(await transport.outcome(of: good).outcome == .status(202), "after \(text)")
    }
    #expect(server.connections == 1)
  }

  @Test("A name that is not found is no endless wait")
  func unknownName() async throws {
    let url = try #require(URL(string: "http://mistertop.invalid/v1/batch"))
    let request = DeliveryRequest(url: url, headers: [], body: Data(), timeout: .seconds(1))
    let start = ContinuousClock.now
    let outcome = await transport.outcome(of: request).outcome
    // Where no server of names answers, the deadline does.
    #expect(outcome == .failed(.unreachable) || outcome == .failed(.timedOut))
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test("Cancelling the task ends the exchange, also in the middle of an answer")
  func cancellation() async throws {
    for beginning in ["", "HTTP/1.1 202 Accepted\r\nContent-Length: 100\r\n\r\nhalf"] {
      let (requests, continuation) = AsyncStream.makeStream(of: Void.self)
      let server = try HostileServer { connection in
        guard connection.readRequest() != nil, connection.send(beginning) else { return }
        continuation.yield()
        connection.waitForEnd()
        continuation.finish()
      }
      let request = try DeliveryRequest.local(server.port, timeout: .seconds(3600))
      let task = Task { [transport] in await transport.outcome(of: request).outcome }
      var arrived = requests.makeAsyncIterator()
      await arrived.next()
      let start = ContinuousClock.now
      task.cancel()
      #expect(await task.value == .failed(.cancelled))
      #expect(ContinuousClock.now - start < .seconds(20))
      // The server learns of it.
      #expect(await arrived.next() == nil)
    }
  }

  @Test("A task that is cancelled before does not connect at all")
  func cancelledBefore() async throws {
    let server = try Self.accepting()
    let request = try DeliveryRequest.local(server.port)
    let task = Task { [transport] in
      while !Task.isCancelled { await Task.yield() }
      return await transport.outcome(of: request).outcome
    }
    task.cancel()
    #expect(await task.value == .failed(.cancelled))
    #expect(server.connections == 0)
    #expect(await transport.outcome(of: request).outcome == .status(202))
  }

  @Test("Posts that wait leave the threads of the tasks alone")
  func manyAtOnce() async throws {
    let server = try HostileServer { $0.waitForEnd() }
    let request = try DeliveryRequest.local(server.port, timeout: .seconds(3600))
    // More than there are threads for tasks.
    let count = 4 * ProcessInfo.processInfo.activeProcessorCount + 4
    let outcomes = await withTaskGroup(of: PostOutcome.self) { group in
      for _ in 0..<count { group.addTask { await SystemTransport.make().outcome(of: request).outcome } }
      // Not by yielding: on a machine of few cores that keeps the server's own threads from their turn.
      while server.connections < count { try? await Task.sleep(for: .milliseconds(2)) }
      group.cancelAll()
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes == Array(repeating: .failed(.cancelled), count: count))
  }

  @Test("Posts at the same time wait for each other, and the connection is kept")
  func oneAfterTheOther() async throws {
    let server = try Self.accepting()
    let request = try DeliveryRequest.local(server.port)
    let outcomes = await withTaskGroup(of: PostOutcome.self) { group in
      for _ in 0..<50 { group.addTask { [transport] in await transport.outcome(of: request).outcome } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes == Array(repeating: .status(202), count: 50))
    #expect(server.connections == 1)
  }

  #if os(Linux)
    @Test("Without libcurl it says so, each time")
    func missingLibrary() async throws {
      let request = try DeliveryRequest.local(1)
      // The second one is a library, but not that one.
      for name in ["libmistertop-missing.so.4", "libc.so.6"] {
        let transport = CurlTransport(libraries: [name])
        for _ in 0..<2 {
          await #expect(throws: TransportFailure(.unavailable, "libcurl is not installed (\(name))")) {
            try await transport.post(request)
          }
        }
      }
      let server = try Self.accepting()
      let second = CurlTransport(libraries: ["libmistertop-missing.so.4", "libcurl.so.4"])
      #expect(await second.outcome(of: try .local(server.port)).outcome == .status(202))
    }
  #endif
}
