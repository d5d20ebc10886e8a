import Foundation
import HTTPClient
import TestSupport
import Testing

@testable import DeliveryCore

/// Posts to a server that no one here wrote.
@Suite("Posting to nginx")
struct NginxTests {
  private static let detail = #"{"error":"no"}"#

  /// The answers that count by their status alone: all of the table of answers, and some that it does not name.
  private static let statuses = [
    200, 201, 202, 400, 401, 403, 404, 405, 408, 409, 410, 413, 414, 418, 422, 425, 429, 451, 500, 501, 502,
    503, 504,
    507, 599,
  ]

  /// Values of Retry-After, and their meaning at 1994-11-06 08:49:37 UTC.
  private static let waits: [(text: String, delay: Duration?)] = [
    ("2", .seconds(2)), ("0", .zero), ("-1", .zero), ("3600", .seconds(3600)),
    ("99999999999999999999", .seconds(3600)), ("soon", nil), ("Sun, 06 Nov 1994 08:49:40 GMT", .seconds(3)),
    ("Sunday, 06-Nov-94 08:49:40 GMT", .seconds(3)), ("Sun Nov  6 08:49:40 1994", .seconds(3)),
    ("Sun, 06 Nov 1994 08:49:30 GMT", .zero), ("Sat, 06 Nov 2004 08:49:37 GMT", .seconds(3600)),
  ]

  private let transport = SystemTransport.make()

  @Test("Each status of the table of answers arrives, with the beginning of its body")
  func statuses() async throws {
    let locations = Self.statuses.map { "location = /\($0)/v1/batch { return \($0) '\(Self.detail)'; }" }
    let server = try NginxServer(
      locations: locations.joined(separator: "\n") + "location = /204/v1/batch { return 204; }")
    for status in Self.statuses {
      let answer = try await transport.post(.local(server.port, path: "/\(status)/v1/batch"))
      #expect(answer == DeliveryAnswer(status: status, detail: Self.detail))
    }
    let nothing = try await transport.post(.local(server.port, path: "/204/v1/batch"))
    #expect(nothing == DeliveryAnswer(status: 204))
  }

  @Test("Retry-After arrives in each of its forms, for 429 and 503")
  func retryAfter() async throws {
    let now = Date(timeIntervalSince1970: 784_111_777)
    let locations = Self.waits.enumerated().flatMap { index, wait in
      [429, 503].map { status in
        """
        location = /\(status)/\(index) {
          add_header Retry-After '\(wait.text)' always;
          return \(status) '\(Self.detail)';
        }
        """
      }
    }
    let server = try NginxServer(locations: locations.joined(separator: "\n"))
    for (index, wait) in Self.waits.enumerated() {
      for status in [429, 503] {
        let answer = try await transport.post(.local(server.port, path: "/\(status)/\(index)"))
        #expect(answer == DeliveryAnswer(status: status, retryAfter: wait.text, detail: Self.detail))
        #expect(RetryAfter.delay(answer.retryAfter, now: now) == wait.delay, "\(wait.text)")
      }
    }
  }

  @Test("What nginx itself refuses, forwards elsewhere or cannot forward has the status it says")
  func ownAnswers() async throws {
    let closed = try ClosedPort()
    let redirects = [301, 302, 303, 307, 308].map {
      "location = /\($0) { return \($0) http://127.0.0.1:PORT/moved; }"
    }
    let server = try NginxServer(
      locations: """
        client_max_body_size 64k;
        location = /moved { return 200 followed; }
        location = /gone { proxy_pass http://127.0.0.1:\(closed.port); }
        location = /large { proxy_pass http://127.0.0.1:PORT/moved; }
        location = /closed { return 444; }
        location = /nginx.conf { root FOLDER; }
        \(redirects.joined(separator: "\n"))
        """)
    let long = String(repeating: "x", count: 4 << 20)
    for (path, body, outcome) in [
      ("/gone", "", PostOutcome.status(502)), ("/large", long, .status(413)), ("/large", "{}", .status(200)),
      ("/closed", "", .failed(.unreachable)), ("/nothing", "", .status(404)),
      ("/nginx.conf", "", .status(405)),
    ] + [301, 302, 303, 307, 308].map({ ("/\($0)", "{}", .status($0)) }) {
      #expect(
        await transport.outcome(of: try .local(server.port, path: path, body: body)).outcome == outcome,
        "\(path)")
    }
  }

  @Test("A batch arrives byte for byte with its headers, over one connection")
  func request() async throws {
    // nginx reads the whole body into a file before it forwards the request, to itself.
    let server = try NginxServer(
      locations: """
        client_max_body_size 64m;
        location = /v1/batch {
          client_body_in_file_only on;
          proxy_pass http://127.0.0.1:PORT/told;
          proxy_pass_request_body off;
          proxy_set_header Content-Length '';
          proxy_set_header X-File $request_body_file;
          proxy_set_header X-Connection $connection;
          proxy_set_header X-Line '$request_method $request_uri $content_length [$http_expect]';
        }
        location = /told {
          return 200 '$http_x_file|$http_x_connection|$http_x_line|$content_type|$http_trace|$http_content_encoding';
        }
        """)
    let batch = Data(
      #"{"batch":[\#(Array(repeating: #"{"type":"track"}"#, count: 100).joined(separator: ","))]}"#.utf8)
    var connections: Set<String> = []
    for body in [batch, try BodyCompression.gzip(batch), Data(0...255), Data(repeating: 0, count: 20 << 20)] {
      let request = DeliveryRequest(
        url: try DeliveryRequest.local(server.port).url,
        headers: [
          .init("Content-Type", "application/json"), .init("Trace", "true"),
          .init("Content-Encoding", "gzip"),
        ],
        body: body)
      let told = try await transport.post(request).detail?.components(separatedBy: "|") ?? []
      try #require(told.count == 6)
      #expect(try Data(contentsOf: URL(fileURLWithPath: told[0])) == body)
      #expect(told[2...] == ["POST /v1/batch \(body.count) []", "application/json", "true", "gzip"])
      connections.insert(told[1])
    }
    #expect(connections.count == 1)
  }

  @Test("Over TLS a batch arrives where the certificate is trusted and fits, and nowhere else")
  func encrypted() async throws {
    let folder = try TemporaryFolder()
    let maker = try ChildProcess(
      "openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
        "-subj",
        "/CN=mistertop", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder.path("key"), "-out",
        folder.path("certificate"),
      ])
    try #require(maker.wait() == .exited(0))
    let server = try NginxServer(
      locations: "location / { return 202 '$https $ssl_session_reused'; }",
      server: "ssl_certificate \(folder.path("certificate")); ssl_certificate_key \(folder.path("key"));",
      parameters: "ssl")
    func request(_ host: String) throws -> DeliveryRequest {
      let url = try #require(URL(string: "https://\(host):\(server.port)/v1/batch"))
      return DeliveryRequest(url: url, headers: [], body: Data("{}".utf8))
    }
    #expect(await transport.outcome(of: try request("127.0.0.1")).outcome == .failed(.unreachable))
    #if os(Linux)
      let trusting = CurlTransport(authorities: folder.path("certificate"))
      for _ in 0..<2 { #expect(try await trusting.post(request("127.0.0.1")).status == 202) }
      #expect(await trusting.outcome(of: try request("localhost")).outcome == .failed(.unreachable))
    #endif
    // Neither speaks what the other expects.
    #expect(await transport.outcome(of: try .local(server.port)).outcome == .status(400))
  }
}
