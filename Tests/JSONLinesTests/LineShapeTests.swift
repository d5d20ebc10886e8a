import Foundation
import Platform
import TestSupport
import Testing

@testable import JSONLines

/// A way to write records as lines.
struct LineEncoder {
  var members = [0, 1, 2]
  var metric = [0, 1, 2]
  /// White space before and after a colon, after a comma, inside braces.
  var space = ("", "", "", "")
  /// Members before and after the others.
  var extra = ("", "")
  var end = "\n"

  static let spaces = [("", "", "", ""), ("", " ", " ", ""), (" ", " ", " ", " "), ("\t", "  ", "\t", "")]
  static let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]

  private func object(_ members: [(String, String?)]) -> String {
    let texts = members.compactMap { name, value in value.map { "\"\(name)\"\(space.0):\(space.1)\($0)" } }
    return "{" + space.3 + texts.joined(separator: "," + space.2) + space.3 + "}"
  }

  /// - Parameter value: Base64.
  func line(_ name: String, bucket: String?, time: String, value: String) -> String {
    let parts = [
      ("bucket", bucket.map { "\"\($0)\"" }), ("name", "\"\(name)\""), ("valueTypeString", "\"Double\""),
    ]
    let all: [(String, String?)] = [
      ("metric", object(metric.map { parts[$0] })), ("timestamp", time), ("value", "\"\(value)\""),
    ]
    let members = self.members.map { all[$0] }
    var text = object(members)
    text.insert(contentsOf: extra.0, at: text.index(after: text.startIndex))
    text.insert(contentsOf: extra.1, at: text.index(before: text.endIndex))
    return text + end
  }

  /// Every kind of value, of three metrics, three times.
  func lines(time: (Int) -> String = { "81691848\($0 % 10).\($0 * 7 + 1)" }) -> [String] {
    (0..<3 * SampleScannerTests.values.count).flatMap { index in
      let json = SampleScannerTests.values[index % SampleScannerTests.values.count].json
      let value = Data(json.utf8).base64EncodedString()
      return [
        line("launch_ms", bucket: "a{}\\/b", time: time(index), value: value),
        line("frame time \\\"}", bucket: nil, time: time(index), value: value.replacing("/", with: "\\/")),
        line("größe", bucket: "app", time: time(index), value: value),
      ]
    }
  }
}

/// The outcome of reading lines.
private struct Outcome: Equatable {
  struct Read: Equatable {
    let metric: MetricIdentity
    let time: UInt64
    let value: UInt64
    let kind: SampleKind
    let payload: [UInt8]
  }

  var samples: [Read] = []
  var offsets: [UInt64] = []
  /// Without the excerpts, which are longer for the first of a scanner.
  var rejections: [String] = []

  /// Reads lines with one scanner, or each with another, which then knows no shape.
  init(_ lines: [[UInt8]], together: Bool = true) {
    var scanner = SampleScanner()
    var offset: UInt64 = 0
    for (number, line) in (together ? [Array(lines.joined())] : lines).enumerated() {
      if !together { scanner = SampleScanner(offset: offset, line: number + 1) }
      var batch = SampleBatch()
      line.withUnsafeBytes { scanner.scan($0, into: &batch) }
      samples += batch.samples.map {
        Read(
          metric: scanner.catalogue[$0.metric], time: $0.time.seconds.bitPattern, value: $0.value.bitPattern,
          kind: $0.kind, payload: Array(batch.payload(of: $0)))
      }
      offsets += batch.samples.map(\.offset)
      rejections += scanner.rejections.recent.map { "\($0.line)@\($0.offset) \($0.reason)" }
      offset += UInt64(line.count)
    }
  }

  init(_ lines: [String], together: Bool = true) {
    self.init(lines.map { Array($0.utf8) }, together: together)
  }
}

@Suite("Shapes of lines")
struct LineShapeTests {
  private let canonical = Outcome(LineEncoder().lines()).samples

  @Test(
    "the same records are the same samples in every order of members and white space, read by their shape",
    arguments: LineEncoder.spaces.indices, ["\n", "\r\n"])
  func orders(space: Int, end: String) {
    for members in LineEncoder.orders {
      for metric in LineEncoder.orders {
        let encoder = LineEncoder(
          members: members, metric: metric, space: LineEncoder.spaces[space], end: end)
        let lines = encoder.lines()
        #expect(Outcome(lines).samples == canonical)
        #expect(unshaped(lines) == 0, "\(members) \(metric)")
      }
    }
  }

  /// The number of lines that are not read by their shape once it is known.
  private func unshaped(_ lines: [String]) -> Int {
    var scanner = SampleScanner()
    var batch = SampleBatch()
    let text = Array(lines.joined().utf8)
    text.withUnsafeBytes { scanner.scan($0, into: &batch) }
    let read = (text + [UInt8](repeating: 0, count: FileScan.slack)).withUnsafeBytes { bytes in
      scanner.scanKnownShapes(
        UnsafeRawBufferPointer(rebasing: bytes.dropLast(FileScan.slack)), slack: FileScan.slack, at: 0,
        into: &batch)
    }
    return lines.count - read.lines
  }

  @Test("constant members that are unknown belong to the shape")
  func constantMembers() {
    let lines = LineEncoder(extra: ("\"v\":[1,{}],", ",\"host\":\"web\"")).lines()
    #expect(Outcome(lines).samples == canonical)
    #expect(unshaped(lines) == 0)
  }

  @Test("lines with a member that always differs are read, and do not displace the shapes of others")
  func changingMember() {
    let lines = LineEncoder().lines().enumerated().flatMap { index, line in
      [line, "{\"sequence\":\(index)," + line.dropFirst()]
    }
    let reading = Outcome(lines)
    #expect(reading == Outcome(lines, together: false))
    #expect(reading.samples == canonical.flatMap { [$0, $0] })
    #expect(unshaped(lines.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)) == 0)
  }

  @Test("times are the nearest double however they are written, and the lines keep their shape")
  func times() {
    let texts = [
      "816918481", "816918481.1", "816918481.1234567", "816918481.12345678", "816918481.123456789",
      "8.169184811234567e8", "8.1691848112345670e+08", "81691848112345.67E-5", "0", "0.5", "1E2",
      "1700000000.25",
    ]
    let lines = LineEncoder(members: [2, 1, 0]).lines { texts[$0 % texts.count] }
    let expected = (0..<canonical.count).map { Double(texts[$0 / 3 % texts.count])?.bitPattern }
    #expect(Outcome(lines).samples.map(\.time) == expected)
    #expect(unshaped(lines) == 0)
  }

  @Test("one metric in lines of different orders is one metric")
  func identity() {
    let encoders = LineEncoder.orders.map { LineEncoder(members: $0, metric: $0) }
    var scanner = SampleScanner()
    var batch = SampleBatch()
    let all = encoders.map { $0.lines() }
    let text = (0..<all[0].count).flatMap { index in all.map { $0[index] } }.joined()
    Array(text.utf8).withUnsafeBytes { scanner.scan($0, into: &batch) }
    #expect(batch.samples.count == canonical.count * encoders.count)
    #expect(scanner.catalogue.count == 3)
  }

  @Test("more shapes than are kept, in turns")
  func manyShapes() {
    let encoders = LineEncoder.orders.flatMap { order in
      LineEncoder.spaces.map { LineEncoder(members: order, space: $0) }
    }
    let all = encoders.map { $0.lines() }
    let lines = (0..<2000).map { index in all[(index * index / 40) % all.count][index % all[0].count] }
    #expect(Outcome(lines).samples == (0..<2000).map { canonical[$0 % canonical.count] })
  }

  @Test(
    "what differs from a shape in a single place is read as by itself",
    arguments: [
      ("\"value\":\"", "\"value\":\"MQ==\",\"value\":\""), ("\"name\":", "\"name\":\"x\",\"name\":"),
      ("}", "},"), ("\"}", "\"} {}"), ("\":8", "\":08"), ("\":8", "\":-8"), ("\":8", "\":+8"),
      (".", ".e1"), ("\"timestamp\":8", "\"timestamp\":8e400,\"x\":8"), ("==", "="), ("=", "\\u003d"),
      ("\n", "\r\r\n"), ("\n", " \n"), ("{", " {"), ("\"name\"", "\"n\\u0061me\""), ("==\"", "=="),
      ("}\n", ",\"value\":\"MQ=\"}\n"),
      (",\"value\":\"", "}\n"), ("\",\"timestamp\":", "\"}\n"), ("\",\"metric\":", ",\"metric\":"),
      ("\"value\"", "\"Value\""),
      ("\"timestamp\":", "\"timestamp\":\""), ("\"value\":\"", "\"value\":"), ("Double", "Int"),
    ])
  func differences(change: (from: String, to: String)) {
    let known = LineEncoder.orders.flatMap { LineEncoder(members: $0).lines().prefix(9) }
    for members in LineEncoder.orders {
      let lines = LineEncoder(members: members).lines().prefix(30)
      let changed = lines.map { line in
        line.firstRange(of: change.from).map { line.replacingCharacters(in: $0, with: change.to) } ?? line
      }
      let text = (known + zip(lines, changed).flatMap { [$0, $1, $1] }).joined()
      let mixed = text.utf8.split(separator: 0x0A).map { Array($0) + [0x0A] }
      #expect(Outcome(mixed) == Outcome(mixed, together: false))
    }
  }

  @Test("the head of a metric counts only in the order in which it was met")
  func ordersOfHeads() {
    let object = "{\"bucket\":\"app\",\"name\":\"rare_ms\",\"valueTypeString\":\"Double\"}"
    func line(_ members: [Int], _ name: String = "rare_ms") -> String {
      LineEncoder(members: members).line(name, bucket: "app", time: "816918481.5", value: "MQ==")
    }
    for one in LineEncoder.orders {
      for other in LineEncoder.orders {
        let (ends, others) = (line(one).split(separator: object), line(other).split(separator: object))
        let known = [line(one, "launch_ms"), line(other, "launch_ms")].flatMap { [$0, $0, $0] }
        let lines =
          known + [
            line(other), line(other), ends[0] + object + others[1], others[0] + object + ends[1], "MQ==\"}\n",
          ]
        #expect(Outcome(lines) == Outcome(lines, together: false), "\(one) \(other)")
      }
    }
  }

  @Test("lines changed at random are read as by themselves, whatever shapes are known")
  func mutations() {
    var generator = SeededGenerator(seed: 55)
    let pool = LineEncoder.orders.flatMap { order in
      LineEncoder.spaces.prefix(2).flatMap { LineEncoder(members: order, metric: order, space: $0).lines() }
    }.map { Array($0.utf8.dropLast()) }
    let letters = Array("\\\"/,:{}[]0123456789.eE+-=\r\t Aaz\u{e9}\0".utf8)
    for _ in 0..<trials(100, long: 5000) {
      let lines = (0..<150).map { _ in
        var line = pool[Int.random(in: 0..<pool.count, using: &generator)]
        for _ in 0..<max(0, Int.random(in: -3...2, using: &generator)) {
          let place = Int.random(in: 0..<line.count, using: &generator)
          let letter = letters[Int.random(in: 0..<letters.count, using: &generator)]
          let end = min(line.count, place + Int.random(in: 1...20, using: &generator))
          switch Int.random(in: 0..<5, using: &generator) {
          case 0: line[place] = letter
          case 1: line.insert(letter, at: place)
          case 2: line.remove(at: place)
          case 3: line.insert(contentsOf: line[place..<end], at: place)
          default: line.removeSubrange(place..<max(end, place + 1))
          }
          if line.isEmpty { line = [0x20] }
        }
        return line + [0x0A]
      }
      #expect(Outcome(lines) == Outcome(lines, together: false))
    }
  }
}
