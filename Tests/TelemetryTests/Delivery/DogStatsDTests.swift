import Foundation
import MisterMetricsCore
import TestSupport
import Testing

@testable import TelemetryCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite("Events in the words of DogStatsD")
struct DogStatsDTests {
  private static let event = TrackingEvent(
    name: "metrics_received", attributes: ["first_draw_avg": 412.3, "hang_time_avg": 250],
    applicationVersion: "1.2")

  private func lines(
    _ event: TrackingEvent = Self.event, _ contents: DogStatsDTracking.Contents = [.gauges, .event],
    tags: [String] = []
  ) -> [String] {
    DogStatsDLines(contents: contents, tags: tags).lines(of: event).lines
  }

  @Test("an event and a gauge for each attribute")
  func forms() {
    let event = #"_e{16,41}:metrics_received|first_draw_avg: 412.3\nhang_time_avg: 250|#env:x,version:1.2"#
    let gauges = [
      "metrics_received.first_draw_avg:412.3|g|#env:x,version:1.2",
      "metrics_received.hang_time_avg:250|g|#env:x,version:1.2",
    ]
    #expect(lines(tags: ["env:x"]) == [event] + gauges)
    #expect(lines(Self.event, .gauges, tags: ["env:x"]) == gauges)
    #expect(lines(Self.event, .event, tags: ["env:x"]) == [event])
    #expect(lines(Self.event, []) == [])
  }

  @Test("the lengths of an event are bytes of UTF-8")
  func lengths() throws {
    let event = TrackingEvent(name: "Grüße|\n", attributes: ["é": 1], applicationVersion: "1")
    let line = try #require(lines(event, .event).first)
    #expect(line == "_e{11,5}:Grüße|\u{FFFD}|é: 1|#version:1")
  }

  @Test(
    "names keep letters, digits, _ and . of ASCII",
    arguments: [
      ("metrics_received.first_draw_avg", "metrics_received.first_draw_avg"),
      ("a b|c:d#e,f\n", "a_b_c_d_e_f_"),
      ("9.lives", "lives"), ("_x", "x"), ("Größe", "Gr__e"), ("", nil), ("123", nil),
      (String(repeating: "n", count: 300), String(repeating: "n", count: 200)),
    ] as [(String, String?)])
  func names(given: String, name: String?) {
    #expect(DogStatsDLines.name(given) == name)
  }

  @Test(
    "tags keep what Datadog keeps",
    arguments: [
      ("version:1.2", "version:1.2"), ("version:1.2 (34)|g\n,x#", "version:1.2__34__g__x_"),
      ("1st", "st"), ("env:größe/a-b", "env:größe/a-b"), ("||", nil), ("", nil),
      ("a\u{1B}[2J", "a__2J"), (String(repeating: "t", count: 300), String(repeating: "t", count: 200)),
    ] as [(String, String?)])
  func tags(given: String, tag: String?) {
    #expect(DogStatsDLines.tag(given) == tag)
  }

  @Test("numbers that are none, names without a letter and lines too long are left out and counted")
  func omitted() {
    let odd = TrackingEvent(
      name: "1", attributes: ["2": 1, "a": .nan, "b": .infinity], applicationVersion: "a:b")
    let result = DogStatsDLines(contents: [.gauges, .event], tags: []).lines(of: odd)
    #expect(result.lines == ["_e{1,4}:1|2: 1|#version:a_b"] && result.omitted == 1)
    let tags = (0..<20).map { "t\($0):" + String(repeating: "x", count: 150) }
    let long = DogStatsDLines(contents: [.gauges, .event], tags: tags).lines(of: Self.event)
    #expect(long.lines.isEmpty && long.omitted == 3)
  }

  @Test("a datagram has as many lines as fit into 1,432 bytes")
  func datagrams() {
    let lines = (0..<100).map { "metrics_received.attribute_\($0):\($0)|g|#version:1.2" }
    let datagrams = DogStatsDLines.datagrams(of: lines)
    #expect(datagrams.count > 1 && datagrams.allSatisfy { $0.count <= 1432 })
    let sent: [String] = datagrams.flatMap { datagram -> [String] in
      String(decoding: datagram, as: UTF8.self).split(separator: "\n").map(String.init)
    }
    #expect(sent == lines)
    let exact = [String(repeating: "a", count: 1000), String(repeating: "b", count: 431), "c"]
    #expect(DogStatsDLines.datagrams(of: exact).map(\.count) == [1432, 1])
    #expect(DogStatsDLines.datagrams(of: []).isEmpty)
  }

  @Test("whatever the texts are, each line is what the protocol says")
  func hostile() throws {
    let pieces = [
      "a", "9", ".", "_", "|", "#", ":", ",", "@", "\n", "\r", "\0", "\\n", "{", "}", "ü", "名", "\u{202E}",
      "\u{1B}[2J",
      "e\u{301}", String(repeating: "x", count: 400),
    ]
    var generator = SeededGenerator(seed: 11)
    func text() -> String {
      (0..<Int.random(in: 0...6, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? ""
      }
      .joined()
    }
    for _ in 0..<300 {
      let attributes = Dictionary(
        (0..<4).map { _ in (text(), Double.random(in: -1e3...1e3, using: &generator)) }
      ) { $1 }
      let event = TrackingEvent(name: text(), attributes: attributes, applicationVersion: text())
      let result = DogStatsDLines(contents: [.gauges, .event], tags: [text(), text()]).lines(of: event)
      #expect(result.lines.count + result.omitted == attributes.count + 1)
      for line in result.lines {
        #expect(!line.utf8.contains { $0 < 0x20 || $0 == 0x7F } && line.utf8.count <= 1432)
        #expect(Self.isGauge(line) || Self.isEvent(line), "\(line)")
      }
    }
  }

  private static func isGauge(_ line: String) -> Bool {
    line.wholeMatch(of: /[A-Za-z][A-Za-z0-9_.]*:-?[0-9.]+(e[-+]?[0-9]+)?\|g(\|#[^|#]+)?/) != nil
  }

  /// Takes as many bytes as the line says, as an agent does.
  private static func isEvent(_ line: String) -> Bool {
    guard let head = line.prefixMatch(of: /_e\{([0-9]+),([0-9]+)\}:/), let title = Int(head.1),
      let text = Int(head.2)
    else { return false }
    let rest = Array(line[head.range.upperBound...].utf8)
    guard rest.count >= title + 1 + text, rest[title] == UInt8(ascii: "|") else { return false }
    let tags = String(decoding: rest[(title + 1 + text)...], as: UTF8.self)
    return tags.isEmpty || tags.wholeMatch(of: /\|#[^|#]+/) != nil
  }

  @Test("a listener on loopback gets the averages of payloads", arguments: [AF_INET, AF_INET6])
  func loopback(family: Int32) async throws {
    guard let listener = UDPListener(family: family) else {
      // A machine without IPv6.
      return #expect(family == AF_INET6)
    }
    let host = family == AF_INET ? "127.0.0.1" : "::1"
    let service = DogStatsDTracking(host: host, port: listener.port, tags: ["env:test"])
    var payload = MetricPayload()
    payload.latestApplicationVersion = "1.2"
    payload.applicationLaunchMetrics = MetricPayload.ApplicationLaunchMetric()
    payload.applicationLaunchMetrics?.histogrammedTimeToFirstDraw = TimeHistogram((410, 419, 1))
    TrackingSubscriber(applicationVersion: "1.2", service: service).didReceive([payload])
    let received = listener.receive()
    #expect(
      received == """
        _e{16,19}:metrics_received|first_draw_avg: 419|#env:test,version:1.2
        metrics_received.first_draw_avg:419|g|#env:test,version:1.2
        """)
    await service.flush()
    #expect(service.counts == counts(sent: 1))
  }

  @Test("a host's name is looked up, and its addresses are tried until one has a listener")
  func name() async throws {
    let listener = try #require(UDPListener())
    let service = DogStatsDTracking(host: "localhost", port: listener.port, contents: .gauges)
    for _ in 0..<5 { service.track(Self.event) }
    let received = (0..<5).map { _ in listener.receive() }
    #expect(received.allSatisfy { $0 == lines(Self.event, .gauges).joined(separator: "\n") })
    await service.flush()
    #expect(service.counts.sent == 5)
  }

  @Test("a port that nobody listens at and a host that there is not are failures, and no more")
  func nobody() async throws {
    let port = try #require(UDPListener()?.port)
    let refused = DogStatsDTracking(host: "127.0.0.1", port: port)
    let unknown = DogStatsDTracking(host: String(repeating: "x", count: 300))
    let nonsense = DogStatsDTracking(host: "127.0.0.1\0.example.com", port: 0)
    for service in [refused, unknown, nonsense] {
      service.track(Self.event)
      await service.flush()
      service.track(Self.event)
      await service.flush()
      #expect(service.counts == counts(failed: 2))
    }
  }

  private func counts(sent: Int = 0, failed: Int = 0) -> DogStatsDTracking.Counts {
    var counts = DogStatsDTracking.Counts()
    (counts.sent, counts.failed) = (sent, failed)
    return counts
  }
}
