import Foundation
import TestSupport
import Testing

@testable import History

/// Texts of files that leave the program by `export`, read by readers that are not ours.
///
/// The reference parser of OpenMetrics (`prometheus_client`, which `make test` installs) and, where it is there,
/// `line_protocol_parser` for InfluxDB's lines. `TEXTS=10000000` tries that many; the seeds are fixed.
@Suite("Exports that other readers read", .serialized)
struct OtherReaderTests {
  /// The output of `script` for a file, by the Python of the system.
  private static func output(of script: String, _ file: String = "-") throws -> String? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", script, file]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : nil
  }

  private static func has(_ module: String) -> Bool { (try? output(of: "import \(module)")) != nil }

  private static func fields(_ texts: some Sequence<String>) -> String { texts.map { $0 + "\0" }.joined() }

  @Test(
    "OpenMetrics: every value and name is read as it was recorded",
    .enabled(if: has("prometheus_client"), "python3-prometheus-client is not installed"))
  func openMetrics() throws {
    let folder = try TemporaryFolder()
    let script = """
      import sys
      from prometheus_client.openmetrics.parser import text_string_to_metric_families as read
      samples = [s for f in read(open(sys.argv[1], encoding='utf-8', newline='').read()) for s in f.samples]
      for s in sorted(samples, key=lambda s: float(s.timestamp)):
          for label in ('bucket', 'name', 'value'):
              sys.stdout.buffer.write(s.labels.get(label, '').encode() + b'\\0')
      """
    try OddText.forEachBatch(seed: 5) { texts in
      // Each text is a value, and the name of the next one; a bucket with a blank has them all in labels.
      let lines = texts.enumerated().map { place, text in
        ExportRun.line(
          ExportRun.quoted(text), place == 0 ? "first" : texts[place - 1], bucket: "a b", type: "String",
          time: Double(place))
      }
      let file = try folder.write(try ExportRun.export(lines.joined(), as: .openmetrics), to: "metrics.txt")
      let meant = texts.enumerated().flatMap { ["a b", $0 == 0 ? "first" : texts[$0 - 1], $1] }
      #expect(try Self.output(of: script, file) == Self.fields(meant))
    }
  }

  @Test(
    "OpenMetrics: payloads with whatever bins are read",
    .enabled(if: has("prometheus_client"), "python3-prometheus-client is not installed"))
  func payloads() throws {
    let folder = try TemporaryFolder()
    let script = """
      import sys
      from prometheus_client.openmetrics.parser import text_string_to_metric_families as read
      print(len(list(read(open(sys.argv[1], encoding='utf-8', newline='').read()))))
      """
    var generator = SeededGenerator(seed: 6)
    let bounds: [Double] = [-1e300, -30, -1, -0.0, 0, 5, 9, 820, 1e9, 1e308]
    for _ in 0..<20 {
      let lines = (0..<30).map { place in
        let bins = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
          let start = bounds.randomElement(using: &generator) ?? 0
          let end = bounds.randomElement(using: &generator) ?? 0
          return #"{"count":\#(Int.random(in: 0...9, using: &generator)),"end":\#(end),"start":\#(start)}"#
        }
        let unit = Bool.random(using: &generator) ? "ms" : "bars"
        let rest = #""multipleVersions":false,"simulated":false,"source":"d#\#(place)","unit":"\#(unit)""#
        return ExportRun.line(
          #"{"appVersion":"1","begin":"x","bins":[\#(bins.joined(separator: ","))],\#(rest)}"#, "m\(place)",
          bucket: "payload", type: "PayloadHistogram", time: Double(place))
      }
      let text = try ExportRun.export(lines.joined(), as: .openmetrics)
      let file = try folder.write(text, to: "metrics.txt")
      #expect(try Self.output(of: script, file) == "30\n", Comment(rawValue: text))
    }
  }

  @Test(
    "Line protocol: every value is read as it was recorded, every name without what lines cannot hold",
    .enabled(if: has("line_protocol_parser"), "line_protocol_parser of PyPI is not installed"))
  func lines() throws {
    let folder = try TemporaryFolder()
    let script = """
      import sys
      from line_protocol_parser import parse_line
      for line in open(sys.argv[1], encoding='utf-8', newline='').read().split('\\0')[:-1]:
          read = parse_line(line)
          for text in (read['measurement'], read['tags']['name'], read['fields']['value_text']):
              sys.stdout.buffer.write(text.encode() + b'\\0')
      """
    try OddText.forEachBatch(seed: 7) { texts in
      let lines = try texts.enumerated().map { place, text in
        let line = ExportRun.line(
          ExportRun.quoted(text), texts[max(0, place - 1)], bucket: text, type: "String", time: Double(place))
        return String(try ExportRun.export(line, as: .influx).dropLast())
      }
      let file = try folder.write(Self.fields(lines), to: "lines.txt")
      let meant = texts.enumerated().flatMap { place, text in
        [Self.word(text, ", ", isFirst: true), Self.word(texts[max(0, place - 1)], ",= "), text]
      }
      #expect(try Self.output(of: script, file) == Self.fields(meant))
    }
  }

  /// A name as `docs` promise it: controls, and backslashes at its end or before a sign that is escaped, become `_`.
  private static func word(_ text: String, _ escaped: String, isFirst: Bool = false) -> String {
    let scalars = Array(text.unicodeScalars)
    var word = String.UnicodeScalarView()
    for (place, scalar) in scalars.enumerated() {
      let next = place + 1 < scalars.count ? scalars[place + 1] : nil
      let isLost = scalar == "\\" && (next.map { escaped.unicodeScalars.contains($0) } ?? true)
      let isComment = isFirst && place == 0 && scalar == "#"
      word.append(isLost || isComment || scalar.value < 0x20 || scalar.value == 0x7F ? "_" : scalar)
    }
    return word.isEmpty ? "_" : String(word)
  }
}
