#if os(Linux)
  import Foundation
  import Platform
  import TestSupport
  import Testing

  @testable import Delivery

  @Suite("What a transport takes of the system")
  struct TransportMemoryTests {
    @Test("Answers of a gigabyte and heads without an end leave the process as it was")
    func hostileAnswers() async throws {
      let server = try HostileServer { connection in
        guard connection.readRequest() != nil else { return }
        connection.send("HTTP/1.1 202 Accepted\r\n")
        switch connection.number % 3 {
        case 0: _ = connection.flood("X-Header: value\r\n", upTo: 1 << 30)
        case 1: _ = connection.flood("x", upTo: 1 << 30)
        default:
          connection.send("Content-Length: 1073741824\r\n\r\n")
          _ = connection.flood("x", upTo: 1 << 30)
        }
      }
      let transport = SystemTransport.make()
      let request = try DeliveryRequest.local(server.port)
      // The first ones load the library and fill the pools of the heap.
      for _ in 0..<9 { #expect(await transport.outcome(of: request).outcome == .status(202)) }
      let before = try residentBytes()
      for _ in 0..<60 { #expect(await transport.outcome(of: request).outcome == .status(202)) }
      #expect(try residentBytes() - before < 8 << 20)
    }

    @Test("A transport that is gone has taken its thread and its connection along")
    func threadsAndDescriptors() async throws {
      let server = try HostileServer { connection in
        guard connection.readRequest() != nil else { return }
        connection.send("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n")
        connection.waitForEnd()
      }
      let request = try DeliveryRequest.local(server.port)
      #expect(await SystemTransport.make().outcome(of: request).outcome == .status(202))
      let before = try entries(of: "task") + entries(of: "fd")
      for _ in 0..<100 { #expect(await SystemTransport.make().outcome(of: request).outcome == .status(202)) }
      let deadline = ContinuousClock.now + .seconds(30)
      while try entries(of: "task") + entries(of: "fd") > before + 10, ContinuousClock.now < deadline {
        await Task.yield()
      }
      #expect(try entries(of: "task") + entries(of: "fd") <= before + 10)
    }

    private func entries(of folder: String) throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/" + folder).count
    }

    private func residentBytes() throws -> Int {
      let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
      return try #require(Int(text.split(separator: " ")[1])) * Int(getpagesize())
    }
  }
#endif
