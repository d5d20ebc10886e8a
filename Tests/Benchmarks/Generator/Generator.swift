import Foundation
import TestSupport

/// Writes a MisterMetrics file of any size to standard output, the same for the same seed:
/// `metrics-generator BYTES [SEED]`.
///
/// Four fifths doubles (log-normal), the rest whole numbers, truth values, texts and structs, as an app would record;
/// 40 metrics, some without a bucket, 50 samples a second from the start on.
@main
struct Generator {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 1, let bytes = Double(arguments[1]), bytes >= 0, bytes < 1e15 else {
      FileHandle.standardError.write(Data("usage: metrics-generator BYTES [SEED]\n".utf8))
      exit(2)
    }
    var source = SampleSource(seed: arguments.count > 2 ? UInt64(arguments[2]) ?? 42 : 42)
    var written = 0.0
    while written < bytes {
      var block: [UInt8] = []
      while block.count < 1 << 20, written + Double(block.count) < bytes { source.appendLine(to: &block) }
      try FileHandle.standardOutput.write(contentsOf: Data(block))
      written += Double(block.count)
    }
  }
}

/// Draws one sample after the other.
struct SampleSource {
  private struct Metric {
    let head: [UInt8]
    let kind: Kind
    let median: Double
    let spread: Double
  }

  private enum Kind: CaseIterable { case double, integer, bool, text, structure }

  private static let doubles: [(String?, String, Double, Double)] = [
    ("app", "startup_time_ms", 420, 0.35), ("app", "resume_time_ms", 85, 0.5), ("app", "hang_ms", 310, 0.9),
    ("app", "frame_time_ms", 8.4, 0.3), ("network", "request_ms", 120, 0.7), ("network", "dns_ms", 14, 0.8),
    ("network", "tls_ms", 46, 0.5), ("network", "first_byte_ms", 95, 0.6),
    ("network", "throughput_mbps", 38, 0.7),
    ("database", "query_ms", 3.1, 1), ("database", "commit_ms", 6.5, 0.8), ("database", "flush_ms", 1.7, 0.6),
    ("render", "layout_ms", 2.2, 0.5), ("render", "draw_us", 640, 0.4), ("render", "gpu_wait_ms", 1.1, 0.9),
    ("storage", "read_ms", 0.42, 1.1), ("storage", "write_ms", 0.9, 1.2), ("storage", "fsync_ms", 4.8, 0.9),
    ("auth", "token_refresh_ms", 210, 0.6), ("auth", "keychain_ms", 5.5, 0.4), ("sync", "push_ms", 340, 0.8),
    ("sync", "conflict_rate", 0.00021, 1.3), (nil, "cpu_load", 0.35, 0.6), (nil, "memory_mb", 182, 0.25),
  ]
  private static let integers: [(String?, String, Double, Double)] = [
    ("app", "launch_count", 12, 0.8), ("network", "received_bytes", 48000, 1.5),
    ("network", "retry_count", 1.2, 0.6),
    ("database", "row_count", 40, 1.4), ("storage", "free_bytes", 6.1e10, 0.2),
    ("sync", "queue_count", 9, 0.9),
  ]
  private static let bools: [(String?, String, Double, Double)] = [
    ("auth", "login_ok", 0.97, 0), ("network", "cache_hit", 0.71, 0), ("sync", "merged", 0.9, 0),
    ("ui", "dark", 0.58, 0),
  ]
  private static let texts: [(String?, String, Double, Double)] = [
    ("app", "locale", 0, 0), ("app", "version", 0, 0), ("ui", "screen", 0, 0), ("ui", "query", 0, 0),
  ]
  private static let structures: [(String?, String, Double, Double)] = [
    ("ui", "scroll", 140, 0.6), ("render", "frame", 4, 0.5),
  ]
  private static let words = [
    "de_DE", "3.2.1", "Settings/Privacy", "Café", "weather tomorrow?", "4.0.0-beta.2",
  ]
  private static let typeNames: [Kind: String] = [
    .double: "Double", .integer: "Int", .bool: "Bool", .text: "String", .structure: "FrameTimes",
  ]

  private let metrics: [Kind: [Metric]]
  private var generator: SeededGenerator
  private var time = 786_923_456.123456

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    let tables: [(Kind, [(String?, String, Double, Double)])] = [
      (.double, Self.doubles), (.integer, Self.integers), (.bool, Self.bools), (.text, Self.texts),
      (.structure, Self.structures),
    ]
    metrics = Dictionary(
      uniqueKeysWithValues: tables.map { kind, rows in (kind, rows.map { Self.metric(kind, $0) }) })
  }

  private static func metric(_ kind: Kind, _ row: (String?, String, Double, Double)) -> Metric {
    let bucket = row.0.map { "\"bucket\":\"\($0)\"," } ?? ""
    let type = typeNames[kind] ?? ""
    let head = "{\"metric\":{\(bucket)\"name\":\"\(row.1)\",\"valueTypeString\":\"\(type)\"},\"timestamp\":"
    return Metric(head: Array(head.utf8), kind: kind, median: row.2, spread: row.3)
  }

  /// Appends the next line.
  mutating func appendLine(to output: inout [UInt8]) {
    let dice = Double.random(in: 0..<1, using: &generator)
    let kind: Kind =
      dice < 0.8 ? .double : dice < 0.88 ? .integer : dice < 0.93 ? .bool : dice < 0.98 ? .text : .structure
    guard let metric = metrics[kind]?.randomElement(using: &generator) else { return }
    time -= 0.02 * log(Double.random(in: Double.leastNormalMagnitude..<1, using: &generator))
    output += metric.head
    output += "\(time)".utf8
    output += ",\"value\":\"".utf8
    for byte in Data(value(of: metric).utf8).base64EncodedData() {
      if byte == UInt8(ascii: "/") { output.append(UInt8(ascii: "\\")) }
      output.append(byte)
    }
    output += "\"}\n".utf8
  }

  private mutating func value(of metric: Metric) -> String {
    switch metric.kind {
    case .double: number(metric)
    case .integer: String(Int(amount(metric)))
    case .bool: Double.random(in: 0..<1, using: &generator) < metric.median ? "true" : "false"
    case .text:
      "\"" + (Self.words.randomElement(using: &generator) ?? "").replacingOccurrences(of: "/", with: "\\/")
        + "\""
    case .structure: "{\"cpu\":\(number(metric)),\"gpu\":\(number(metric)),\"wait\":\(number(metric))}"
    }
  }

  private mutating func number(_ metric: Metric) -> String {
    let text = "\(amount(metric))"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// A log-normal amount (Box and Muller).
  private mutating func amount(_ metric: Metric) -> Double {
    let first = Double.random(in: Double.leastNormalMagnitude..<1, using: &generator)
    let second = Double.random(in: 0..<1, using: &generator)
    return metric.median * exp(metric.spread * (-2 * log(first)).squareRoot() * cos(2 * .pi * second))
  }
}
