/// Turns a text of any form into lines, piece by piece.
struct TextReading {
  private enum Content {
    /// The form is not known yet.
    case unknown
    case lines
    case utf16(UTF16Decoder)
    case records(RecordShaper)
  }

  private var content = Content.unknown
  /// The beginning of a text of unknown form.
  private var head: [UInt8] = []
  /// Reads the characters of UTF-16, which may have the form of records too.
  private var inner: [TextReading] = []

  /// True if the form is known, and bytes need not be changed.
  var isPlain: Bool { if case .lines = content { head.isEmpty } else { false } }
  /// True if the bytes differ from those of the text.
  var isChanged: Bool {
    switch content {
    case .unknown, .lines: false
    case .utf16, .records: true
    }
  }

  /// Appends the lines of the next bytes; there may be none, until more is known.
  mutating func take(_ bytes: UnsafeRawBufferPointer, into output: inout [UInt8]) {
    switch content {
    case .unknown:
      head.append(contentsOf: bytes)
      decide(isWhole: false, into: &output)
    case .lines: output.append(contentsOf: bytes)
    case .utf16(var decoder):
      var text: [UInt8] = []
      decoder.take(bytes, into: &text)
      content = .utf16(decoder)
      text.withUnsafeBytes { inner[0].take($0, into: &output) }
    case .records(var shaper):
      shaper.take(bytes, into: &output)
      content = .records(shaper)
    }
  }

  private mutating func decide(isWhole: Bool, into output: inout [UInt8]) {
    guard let form = head.withUnsafeBytes({ TextForm.of($0, isWhole: isWhole) }) else { return }
    switch form {
    case .lines: content = .lines
    case .utf16(let isBigEndian):
      content = .utf16(UTF16Decoder(isBigEndian: isBigEndian))
      inner = [TextReading()]
    case .records: content = .records(RecordShaper())
    }
    let bytes = head
    head = []
    bytes.withUnsafeBytes { take($0, into: &output) }
  }

  /// Appends the rest of an incomplete text.
  mutating func finish(into output: inout [UInt8]) {
    if case .unknown = content { decide(isWhole: true, into: &output) }
    switch content {
    case .unknown, .lines: break
    case .utf16(var decoder):
      var text: [UInt8] = []
      decoder.finish(into: &text)
      content = .utf16(decoder)
      text.withUnsafeBytes { inner[0].take($0, into: &output) }
      inner[0].finish(into: &output)
    case .records(var shaper):
      shaper.finish(into: &output)
      content = .records(shaper)
    }
  }
}
