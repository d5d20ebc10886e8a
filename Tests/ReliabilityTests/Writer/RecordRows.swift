import Foundation
import MisterMetricsCore
import TestSupport
import Testing

/// W12: huge and strange records.
extension FaultMatrix {
  @Test func `W12: every record is one line that gives the same record, or is refused with a reason`()
    async throws
  {
    try await Self.row("W12") { run in
      var worst = StrangeRecords(seed: run.seed)
      // The largest takes half a minute without optimisation: whole in full runs, a quarter of it otherwise.
      let largest = run.pace.scale < 1 ? 24 : 26
      try worst.checkKnown(upTo: largest, into: &run.tally)
      while run.goesOn() {
        var records = StrangeRecords(seed: run.seed)
        try records.checkRandom(into: &run.tally)
      }
      run.note = "1 B to \(1 << (largest - 20)) MiB; \(Self.refusals)"
    }
  }

  private static let refusals = "refused: NaN, infinity, a time stamp that is no number"
}

/// Records that have broken an encoder somewhere.
private struct StrangeRecords {
  private struct Wide: MetricValue, Equatable {
    var fields: [String: Double]
  }

  private struct Nested: MetricValue, Equatable {
    var texts: [String?]
    var child: [Nested]
  }

  private var generator: SeededGenerator
  private let decoder = LineDecoder()

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  /// Records and what must come of them.
  ///
  /// - Parameter largest: The power of two of the largest text's size.
  mutating func checkKnown(upTo largest: Int, into tally: inout MatrixRun.Tally) throws {
    let texts = [
      "", "\u{0}", "a\nb\r\nc", "\u{1}\u{1F}\u{7F}\u{85}\u{2028}", "\"\\/", "\u{FFFD}\u{FFFF}\u{10FFFF}",
      "é\u{301}",
      String(decoding: [0xC3, 0x28, 0xFF, 0xED, 0xA0, 0x80], as: UTF8.self),
    ]
    for text in texts {
      try check(text, name: text, bucket: text, into: &tally)
      try check(text, name: "n", bucket: nil, into: &tally)
    }
    for exponent in [0, 1, 10, 16, 20, largest] {
      try check(String(repeating: "m", count: 1 << exponent), name: "large", bucket: nil, into: &tally)
    }
    try check([Int.min, .max, 0, -1], name: "limits", bucket: nil, into: &tally)
    try check(Int64.min, name: "limit", bucket: nil, into: &tally)
    try check(UInt64.max, name: "limit", bucket: nil, into: &tally)
    let doubles = [
      0, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .pi, .init(bitPattern: 12_345), .ulpOfOne,
    ]
    for double in doubles { try check(double, name: "double", bucket: nil, into: &tally) }
    let fields = (0..<10_000).map { ("field \($0)", Double($0) / 3) }
    try check(Wide(fields: Dictionary(uniqueKeysWithValues: fields)), name: "wide", bucket: nil, into: &tally)
    let many = (0..<10_000).map { Nested(texts: ["\($0)", nil], child: []) }
    try check(Nested(texts: [], child: many), name: "nested", bucket: nil, into: &tally)
    try check(Int?.none, name: "none", bucket: nil, into: &tally)
    for number in [Double.nan, .infinity, -.infinity, .signalingNaN] {
      refuse(number, into: &tally)
      refuse([1, number], into: &tally)
    }
    refuse("x", at: .nan, into: &tally)
    refuse("x", at: .infinity, into: &tally)
  }

  /// One record of a random kind.
  mutating func checkRandom(into tally: inout MatrixRun.Tally) throws {
    let (name, bucket) = (text(), Bool.random(using: &generator) ? text() : nil)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: try check(text(), name: name, bucket: bucket, into: &tally)
    case 1:
      try check(
        Int(truncatingIfNeeded: UInt64.random(in: 0...(.max), using: &generator)), name: name, bucket: bucket,
        into: &tally)
    case 2:
      let double = Double(bitPattern: UInt64.random(in: 0...(.max), using: &generator))
      if double.isFinite {
        try check(double, name: name, bucket: bucket, into: &tally)
      } else {
        refuse(double, into: &tally)
      }
    case 3: try check(Bool.random(using: &generator), name: name, bucket: bucket, into: &tally)
    case 4: try check(nested(depth: 3), name: name, bucket: bucket, into: &tally)
    default:
      let fields = (0..<5).map { (text() + "\($0)", Double($0)) }
      try check(
        Wide(fields: Dictionary(fields, uniquingKeysWith: { first, _ in first })), name: name, bucket: bucket,
        into: &tally)
    }
  }

  private mutating func nested(depth: Int) -> Nested {
    let children = depth == 0 ? 0 : Int.random(in: 0...2, using: &generator)
    let texts = (0..<2).map { _ in Bool.random(using: &generator) ? text() : nil }
    return Nested(texts: texts, child: (0..<children).map { _ in nested(depth: depth - 1) })
  }

  private mutating func text() -> String {
    var scalars = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...12, using: &generator) {
      let limits: [UInt32] = [0x20, 0x7F, 0x100, 0x3000, 0x11_0000]
      let limit = limits[Int.random(in: 0..<5, using: &generator)]
      if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &generator)) {
        scalars.append(scalar)
      }
    }
    return String(scalars)
  }

  private mutating func check<T: MetricValue & Equatable>(
    _ value: T, name: String, bucket: String?, into tally: inout MatrixRun.Tally
  ) throws {
    let time = Date(timeIntervalSinceReferenceDate: Double.random(in: -1e12...1e12, using: &generator))
    let metric = Metric<T>(name: name, in: bucket.map { Bucket($0) })
    let entry = try MetricEntry(timestamp: time, metric: metric, encoding: value)
    var line: [UInt8] = []
    try LineEncoder.append(entry, to: &line)
    tally.expected += 1
    // One newline, at the end; counting by hand takes seconds for the largest.
    tally.bad += Data(line).firstRange(of: [UInt8(ascii: "\n")])?.lowerBound == line.count - 1 ? 0 : 1
    let found = line.withUnsafeBytes { decoder.entry(UnsafeRawBufferPointer(rebasing: $0.dropLast())) }
    let isSame = try found == entry && found?.decode(T.self) == value
    tally.got += isSame ? 1 : 0
    tally.lost += isSame ? 0 : 1
  }

  private func refuse<T: MetricValue>(
    _ value: T, at time: Double = 0, into tally: inout MatrixRun.Tally
  ) {
    var line: [UInt8] = []
    tally.expected += 1
    do {
      let entry = try MetricEntry(
        timestamp: Date(timeIntervalSinceReferenceDate: time), metric: Metric<T>(name: "refused"),
        encoding: value)
      try LineEncoder.append(entry, to: &line)
      tally.bad += 1
    } catch {
      tally.bad += error.code == .unencodableValue && line.isEmpty ? 0 : 1
      tally.got += 1
    }
  }
}
