import Codecs

/// Writes each record of a text as one line: of pretty-printed objects, of arrays, of JSON text sequences.
///
/// Works byte by byte in constant memory. The brackets and commas between records are left out, and so is white space
/// outside of texts. What is not a record stays a line. A record that is cut off ends where the next one begins, which
/// shows at a newline inside a text, at a record separator, or at an object where none can be.
struct RecordShaper {
  private enum State { case between, record, text, escape, other }

  private var state = State.between
  /// The open brackets of the current record; true for arrays.
  private var open: [Bool] = []
  /// The last byte of the record outside of texts that is not white space.
  private var last: UInt8 = 0
  /// True if a record was cut off before any was complete.
  private(set) var isTorn = false
  /// True if a record was complete.
  private(set) var hasRecord = false

  /// Appends the lines of the next bytes.
  mutating func take(_ bytes: UnsafeRawBufferPointer, into output: inout [UInt8]) {
    output.reserveCapacity(output.count + bytes.count)
    for byte in bytes { take(byte, into: &output) }
  }

  /// Ends the last line.
  mutating func finish(into output: inout [UInt8]) {
    if state != .between { end(into: &output) }
  }

  private mutating func take(_ byte: UInt8, into output: inout [UInt8]) {
    switch state {
    case .between: begin(byte, into: &output)
    case .record: takeOutside(byte, into: &output)
    case .escape where byte != 0x0A:
      output.append(byte)
      state = .text
    case .text, .escape:
      guard byte != 0x0A else { return cut(into: &output) }
      output.append(byte)
      if byte == UInt8(ascii: "\\") { state = .escape }
      if byte == UInt8(ascii: "\"") { (state, last) = (.record, byte) }
    case .other:
      if byte == 0x0A { end(into: &output) } else { output.append(byte) }
    }
  }

  private mutating func begin(_ byte: UInt8, into output: inout [UInt8]) {
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"),
      LineRecords.recordSeparator:
      break
    case UInt8(ascii: "{"):
      (state, open, last) = (.record, [false], byte)
      output.append(byte)
    default:
      state = .other
      output.append(byte)
    }
  }

  private mutating func takeOutside(_ byte: UInt8, into output: inout [UInt8]) {
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0D: return
    case LineRecords.recordSeparator: return cut(into: &output)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard isValueExpected, open.count < JSONTokenizer.nestingLimit else {
        cut(into: &output)
        return begin(byte, into: &output)
      }
      open.append(byte == UInt8(ascii: "["))
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      open.removeLast()
    case UInt8(ascii: "\""):
      output.append(byte)
      state = .text
      return
    default: break
    }
    output.append(byte)
    last = byte
    guard open.isEmpty else { return }
    hasRecord = true
    end(into: &output)
  }

  private var isValueExpected: Bool {
    switch last {
    case UInt8(ascii: ":"), UInt8(ascii: "["): true
    case UInt8(ascii: ","): open.last ?? false
    default: false
    }
  }

  private mutating func cut(into output: inout [UInt8]) {
    if !hasRecord { isTorn = true }
    end(into: &output)
  }

  private mutating func end(into output: inout [UInt8]) {
    output.append(UInt8(ascii: "\n"))
    (state, open, last) = (.between, [], 0)
  }
}
