import Foundation
import MisterMetricsCore
import TestSupport
import Testing

@Suite("A line of the file")
struct LineEncoderTests {
  static let texts = [
    "", "startup_time_ms", "\u{0}\u{1}\u{8}\t\n\u{b}\u{c}\r\u{1f}\u{7f}", #""quoted" \ and /slashed/"#,
    "é 🚀 \u{2028}\u{202e}",
    "e\u{301}\u{200d}👩‍👩‍👧‍👦", String(repeating: "long ", count: 1000),
  ]

  static let times: [Double] = [
    0, -0.0, 1, -1, 816918481.13163, 816918481, 0.1, 1e-7, 1e15, 1e16, 123456789012345680, -978307200,
    .greatestFiniteMagnitude, .leastNormalMagnitude,
  ]

  @Test("is what Foundation writes, for every text in every place", arguments: texts)
  func everyText(_ text: String) throws {
    for bucket in [nil, Bucket(text)] {
      try expectFoundation(Metric<String>(name: text, in: bucket), text, at: 816918481.13163)
    }
  }

  @Test("is what Foundation writes, for every time", arguments: times)
  func everyTime(_ seconds: Double) throws {
    try expectFoundation(Samples.startup, 428.5, at: seconds)
  }

  @Test("is what Foundation writes, for values of every type")
  func values() throws {
    for number in Self.times { try expectFoundation(Samples.startup, number, at: 1) }
    for number in [Int.min, -1, 0, 42, Int.max] { try expectFoundation(Samples.count, number, at: 1) }
    for flag in [true, false] { try expectFoundation(Metric<Bool>(name: "flag"), flag, at: 1) }
    try expectFoundation(Metric<Double?>(name: "maybe"), nil, at: 1)
    try expectFoundation(Metric<Double?>(name: "maybe"), 1.5, at: 1)
    try expectFoundation(Metric<[Int]>(name: "list"), [1, 2, 3], at: 1)
    try expectFoundation(Metric<Float>(name: "float"), 0.1, at: 1)
    let breakdown = Samples.Breakdown(totalMs: 1, steps: ["a/b", "\u{1}"], parent: nil)
    try expectFoundation(Metric<Samples.Breakdown>(name: "breakdown"), breakdown, at: 1)
  }

  @Test("is what Foundation writes, for 5,000 random entries")
  func random() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<5_000 {
      let scalars = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        Unicode.Scalar(UInt32.random(in: 0..<0xD800, using: &generator)) ?? "?"
      }
      var name = ""
      name.unicodeScalars.append(contentsOf: scalars)
      let value = Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &generator))
      let seconds = Double.random(in: -1e9...1e9, using: &generator)
      guard value.isFinite else { continue }
      try expectFoundation(Metric<Double>(name: name, in: Bucket("random")), value, at: seconds)
    }
  }

  @Test(
    "is refused for a value or a time that JSON cannot express",
    arguments: [Double.nan, .infinity, -.infinity])
  func refusal(_ number: Double) throws {
    var bytes: [UInt8] = []
    #expect(throws: MetricError.self) { try MetricEntry(metric: Samples.startup, encoding: number) }
    #expect(throws: MetricError.self) {
      try LineEncoder.append(MetricEntry(metric: Samples.startup, value: number), to: &bytes)
    }
    let timeless = try MetricEntry(
      timestamp: Date(timeIntervalSinceReferenceDate: number), metric: Samples.startup, encoding: 1)
    #expect(throws: MetricError.self) { try LineEncoder.append(timeless, to: &bytes) }
    #expect(bytes.isEmpty)
  }

  private func expectFoundation<T>(_ metric: Metric<T>, _ value: T, at seconds: Double) throws {
    let entry = try MetricEntry(
      timestamp: Date(timeIntervalSinceReferenceDate: seconds), metric: metric, encoding: value)
    #expect(entry.value == (try foundationValue(value)))
    var line: [UInt8] = []
    try LineEncoder.append(entry, to: &line)
    #expect(
      String(decoding: line, as: UTF8.self)
        == String(decoding: try Samples.foundationLine(entry), as: UTF8.self))
    #expect(try JSONDecoder().decode(MetricEntry.self, from: Data(line.dropLast())) == entry)
  }

  private func foundationValue<T: MetricValue>(_ value: T) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try encoder.encode(value)
  }
}
