import Codecs
import Foundation

@testable import JSONLines

/// Checks of the decoders of numbers and Base64, which work on words with their own arithmetic.
enum NumberChecks {
  /// A number reads as `strtod` reads it, or is left to others.
  static func number(_ input: UnsafeRawBufferPointer) -> String? {
    let text = Array(input)
    var tokenizer = JSONTokenizer(input)
    let isNumber = tokenizer.number() != nil && tokenizer.isAtEnd
    let usual = PlainNumber.usual(input)
    guard isNumber else {
      return usual.map { "\(String(decoding: text, as: UTF8.self)) is no number, but read as \($0)" }
    }
    let expected = strtod(String(decoding: text, as: UTF8.self), nil)
    if let usual, usual.bitPattern != expected.bitPattern { return "\(usual), not \(expected)" }
    guard let double = PlainNumber.double(input), double.bitPattern == expected.bitPattern else {
      return "\(String(describing: PlainNumber.double(input))), not \(expected)"
    }
    return inLines(text, expected)
  }

  /// As time and as value the number reads the same in a line that the hot path takes.
  private static func inLines(_ text: [UInt8], _ expected: Double) -> String? {
    let start = Array("{\"metric\":{\"name\":\"n\",\"valueTypeString\":\"T\"},\"timestamp\":".utf8)
    let line = start + text + ",\"value\":\"".utf8 + Data(text).base64EncodedData() + "\"}".utf8
    let readings = line.withUnsafeBytes(DecoderChecks.decodings)
    for reading in readings {
      let isRead = reading.map { $0.time == expected.bitPattern && $0.value == expected.bitPattern }
      guard isRead ?? !expected.isFinite else {
        return "\(readings.map { String(describing: $0) }), not \(expected)"
      }
    }
    return nil
  }

  /// The Base64 that Foundation reads is read to the same bytes, and is written as Foundation writes it.
  static func base64(_ input: UnsafeRawBufferPointer) -> String? {
    let expected = StrictBase64.decode(Data(input)).map(Array.init)
    var output: [UInt8] = [7]
    let isRead = Base64.decode(input, into: &output)
    guard output.first == 7, isRead || output.count == 1 else { return "what was there before is gone" }
    let ours = isRead ? Array(output.dropFirst()) : nil
    guard ours == expected else {
      return "\(String(describing: ours)), Foundation: \(String(describing: expected))"
    }
    var written: [UInt8] = []
    Base64.append(escaping: input, to: &written)
    let usual = Data(input).base64EncodedString().replacingOccurrences(of: "/", with: "\\/")
    return written == Array(usual.utf8) ? nil : "written as \(written), by Foundation as \(usual)"
  }
}
