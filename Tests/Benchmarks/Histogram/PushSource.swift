import Foundation
import TestSupport

/// Draws pushes of an app, each a struct with a time and what it was under: versions that follow one another over a year.
struct PushSource {
  private static let versions = ["2.3.0", "2.3.1", "2.3.2", "2.4.0", "2.4.1", "2.5.0"]
  private static let devices = ["iPhone15,2", "iPhone16,1", "iPhone17,1", "iPad14,3"]
  private static let networks = ["wifi", "5g", "lte"]
  private static let year = 31_536_000.0

  private var generator = SeededGenerator(seed: 8)
  private let start = 786_923_456.0

  /// Writes a file of so many bytes, the same each time.
  ///
  /// - Throws: the system's reason.
  mutating func write(_ bytes: Int, to path: String) throws {
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let file = FileHandle(forWritingAtPath: path)
    else { throw CocoaError(.fileWriteUnknown) }
    var written = 0
    while written < bytes {
      var block: [UInt8] = []
      while block.count < 1 << 20 {
        appendLine(share: Double(written + block.count) / Double(bytes), to: &block)
      }
      try file.write(contentsOf: block)
      written += block.count
    }
    try file.close()
  }

  /// The next line; `share` of the year is over.
  private mutating func appendLine(share: Double, to output: inout [UInt8]) {
    let time = start + min(1, share) * Self.year + Double.random(in: 0..<60, using: &generator)
    // New versions come in while old ones are still in use.
    let place = min(1, share) * Double(Self.versions.count) + Double.random(in: -1..<0, using: &generator)
    let version = max(0, min(Self.versions.count - 1, Int(place.rounded(.down))))
    let outcome = Double.random(in: 0..<1, using: &generator)
    var milliseconds = 120 * exp(0.4 * normal()) + (outcome > 0.95 ? 250 : 0)
    if version == 4, Double.random(in: 0..<1, using: &generator) < 0.1 { milliseconds += 180 }
    let json =
      "{\"device\":\"\(any(Self.devices))\",\"ms\":\((milliseconds * 1000).rounded() / 1000),"
      + "\"net\":\"\(any(Self.networks))\",\"outcome\":\"\(outcome > 0.99 ? "fail" : outcome > 0.95 ? "retry" : "ok")\","
      + "\"version\":\"\(Self.versions[version])\"}"
    output += #"{"metric":{"bucket":"sync","name":"push","valueTypeString":"Push"},"timestamp":"#.utf8
    output += "\(time)".utf8
    output += #","value":""#.utf8
    for byte in Data(json.utf8).base64EncodedData() {
      if byte == UInt8(ascii: "/") { output.append(UInt8(ascii: "\\")) }
      output.append(byte)
    }
    output += "\"}\n".utf8
  }

  private mutating func any(_ words: [String]) -> String { words.randomElement(using: &generator) ?? "" }

  /// A number of the normal distribution (Box and Muller).
  private mutating func normal() -> Double {
    let first = Double.random(in: Double.leastNormalMagnitude..<1, using: &generator)
    let second = Double.random(in: 0..<1, using: &generator)
    return (-2 * log(first)).squareRoot() * cos(2 * .pi * second)
  }
}
