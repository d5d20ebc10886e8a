#if os(Linux)
  import Platform
  import TestSupport
  import Testing

  @testable import ClickHouse

  @Suite("Statements over HTTP")
  struct ServerLinkTests {
    private static func link(
      _ port: UInt16, user: String = "", _ environment: [String: String] = ["CLICKHOUSE_PASSWORD": "secret"]
    ) throws -> HTTPServerLink {
      try HTTPServerLink(
        try ServerAddress("clickhouse://\(user)127.0.0.1:\(port)/shop"), environment: environment,
        authorities: nil, stop: WakeSignal())
    }

    private static func answer(_ body: String, status: String = "200 OK") -> String {
      "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    @Test func `The password is in a header, and nowhere else`() throws {
      let requests = Locked<[String]>([])
      let server = try HostileServer { connection in
        while let request = connection.readRequest() {
          requests.withLock {
            $0.append(request.head + "\n\n" + String(decoding: request.body, as: UTF8.self))
          }
          connection.send(Self.answer("1\n"))
        }
      }
      let link = try Self.link(server.port, user: "writer@")
      #expect(
        link.run("SELECT 1", settings: [("query_id", "a b&c")], rows: []) == .success(Array("1\n".utf8)))
      let request = try #require(requests.withLock { $0.first })
      #expect(request.hasPrefix("POST /?wait_end_of_query=1&query_id=a%20b%26c HTTP/1.1\r\n"))
      #expect(request.contains("X-ClickHouse-User: writer\r\nX-ClickHouse-Key: secret"))
      #expect(request.hasSuffix("\n\nSELECT 1"))
      #expect(request.split(separator: "secret").count == 2)
    }

    @Test func `A connection that closes makes libcurl send no insert again`() throws {
      let inserts = Locked(0)
      let server = try HostileServer { connection in
        while let request = connection.readRequest() {
          guard request.head.contains("INSERT") else {
            connection.send(Self.answer("1\n"))
            continue
          }
          inserts.withLock { $0 += 1 }
          return
        }
      }
      let link = try Self.link(server.port)
      #expect(link.run("SELECT 1", settings: [], rows: []) == .success(Array("1\n".utf8)))
      let result = link.run("INSERT INTO t FORMAT RowBinary", settings: [], rows: [1, 2, 3])
      #expect(throws: ServerFailure.self) { try result.get() }
      #expect(inserts.withLock { $0 } == 1)
    }

    @Test(arguments: [
      "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10000\r\n",
      "HTTP/1.1 200 OK\r\nX: ",
      "HTTP/1.1 500 E\r\n\r\nCode: 60, ", "nonsense ",
    ])
    func `An answer without an end is a failure, and is not read on`(beginning: String) throws {
      let sent = Locked(0)
      let server = try HostileServer { connection in
        _ = connection.readRequest()
        connection.send(beginning)
        let count = connection.flood("0123456789", upTo: 1 << 30)
        sent.withLock { $0 = count }
      }
      let result = try Self.link(server.port).run("SELECT 1", settings: [], rows: [])
      #expect(throws: ServerFailure.self) { try result.get() }
      #expect(sent.withLock { $0 } < 64 << 20)
    }

    @Test(arguments: [
      ("301 Moved", "Location: http://127.0.0.1:PORT/\r\n", ""), ("200 OK", "Content-Length: 5\r\n", "1\n"),
    ])
    func `A redirect is not followed, and half an answer is none`(
      status: String, header: String, body: String
    ) throws {
      let port = Locked<UInt16>(0)
      let server = try HostileServer { connection in
        _ = connection.readRequest()
        let header = header.replacing("PORT", with: "\(port.withLock { $0 })")
        connection.send("HTTP/1.1 \(status)\r\n\(header)\r\n\(body)")
      }
      port.withLock { $0 = server.port }
      let result = try Self.link(server.port).run("SELECT 1", settings: [], rows: [])
      #expect(throws: ServerFailure.self) { try result.get() }
      #expect(server.connections == 1)
    }
  }
#endif
