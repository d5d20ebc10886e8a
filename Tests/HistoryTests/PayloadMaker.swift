import Foundation
import Platform
import TestSupport

@testable import History

/// Makes files with payloads and knows what is in them.
struct PayloadMaker {
  /// True for figures that leave what they share with their payload to its document.
  var isSlim = false
  /// The content of each line, by payload.
  private(set) var payloads: [String: PayloadArchive.Payload] = [:]
  private(set) var lines: [String] = []
  private(set) var figures: [PayloadArchive.Figure] = []

  var text: String { lines.map { $0 + "\n" }.joined() }

  private static func line(_ json: String, _ name: String, _ type: String, _ time: Double) -> String {
    let value = Data(json.utf8).base64EncodedString()
    return
      #"{"metric":{"bucket":"payload","name":"\#(name)","valueTypeString":"\#(type)"},"timestamp":\#(time),"value":"\#(value)"}"#
  }

  static func payload(
    _ source: String, _ version: String, at time: Double = 0, isMixed: Bool = false, isSimulated: Bool = false
  ) -> PayloadArchive.Payload {
    var payload = PayloadArchive.Payload()
    (payload.source, payload.version, payload.time) = (source, version, Timestamp(time))
    (payload.begin, payload.end) = ("2026-03-0\(Int(time) % 9 + 1)", "2026-03-0\(Int(time) % 9 + 2)")
    (payload.isMixed, payload.isSimulated) = (isMixed, isSimulated)
    return payload
  }

  /// The members of figures besides unit and value.
  private func figureContext(_ payload: PayloadArchive.Payload) -> String {
    guard isSlim, let hash = payload.source.lastIndex(of: "#") else { return Self.context(payload) }
    return "\"source\":\"\(payload.source[hash...].prefix(17))\""
  }

  private static func context(_ payload: PayloadArchive.Payload) -> String {
    let texts = [
      ("appVersion", payload.version), ("begin", payload.begin), ("end", payload.end),
      ("source", payload.source),
    ]
    return texts.map { "\"\($0.0)\":\"\($0.1)\"" }.joined(separator: ",")
      + ",\"multipleVersions\":\(payload.isMixed),\"simulated\":\(payload.isSimulated)"
  }

  /// A figure of a payload; the same payload may be given again and again.
  mutating func add(
    _ value: PayloadArchive.Value, _ name: String, _ unit: String = "ms", of payload: PayloadArchive.Payload
  ) {
    let figure = PayloadArchive.Figure(name: name, unit: unit)
    let number = figures.firstIndex(of: figure) ?? figures.count
    if number == figures.count { figures.append(figure) }
    let (type, json): (String, String)
    switch value {
    case .number(let number): (type, json) = ("PayloadScalar", "\"value\":\(number)")
    case .bins(let bins):
      let all = bins.map { #"{"count":\#($0.count),"end":\#($0.end),"start":\#($0.start)}"# }
      (type, json) = ("PayloadHistogram", "\"bins\":[\(all.joined(separator: ","))]")
    }
    add("{\(figureContext(payload)),\"unit\":\"\(unit)\",\(json)}", name, type, at: payload.time.seconds)
    payloads[payload.source + payload.version, default: payload].values.append((number, value))
  }

  mutating func add(document fields: String, of payload: PayloadArchive.Payload) {
    add("{\(Self.context(payload)),\(fields)}", "payload", "PayloadDocument", at: payload.time.seconds)
  }

  /// A line of any type of the bucket.
  mutating func add(_ json: String, _ name: String, _ type: String, at time: Double = 0) {
    lines.append(Self.line(json, name, type, time))
  }

  /// Many payloads of random figures, one after the other.
  mutating func fill(_ count: Int, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for number in 0..<count {
      let payload = Self.payload(
        "day-\(number).json#\(number)", ["1.9", "1.10", ""][number % 3], at: Double(number / 4),
        isMixed: number % 7 == 0, isSimulated: number % 11 == 0)
      for figure in 0..<Int.random(in: 1...8, using: &generator) {
        if figure % 3 == 0 {
          let bins = (0..<Int.random(in: 0...6, using: &generator)).map { place -> PayloadArchive.Bin in
            let start = Double(place * 10)
            return PayloadArchive.Bin(
              start: start, end: start + 9, count: Int.random(in: 0...900, using: &generator))
          }
          add(.bins(bins), "launch\(figure)", of: payload)
        } else {
          add(.number(Double.random(in: 0...1e6, using: &generator)), "disk\(figure)", "kB", of: payload)
        }
      }
    }
  }

  /// The expected archive of the files.
  var archive: PayloadArchive {
    var archive = PayloadArchive()
    archive.figures = figures
    archive.payloads = payloads.values.sorted {
      ($0.time, $0.source, $0.version) < ($1.time, $1.source, $1.version)
    }
    return archive
  }
}
