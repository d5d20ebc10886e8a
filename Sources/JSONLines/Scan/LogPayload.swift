import Codecs

/// Builds the struct for a log line: its members, without the time and those that only identify the format.
enum LogPayload {
  /// Appends the struct's JSON.
  static func write(
    _ log: LogLine, _ members: [LineMember], _ line: UnsafeRawBufferPointer, keepsTexts: Bool,
    to payload: inout [UInt8]
  ) {
    payload.append(UInt8(ascii: "{"))
    // Consecutive members that stay unchanged are copied in one go.
    var run: Range<Int>?
    var isFirst = true
    func flush() {
      guard let range = run else { return }
      separate()
      payload.append(contentsOf: UnsafeRawBufferPointer(rebasing: line[range]))
      run = nil
    }
    func separate() {
      if !isFirst { payload.append(UInt8(ascii: ",")) }
      isFirst = false
    }
    for (place, member) in members.enumerated() {
      switch Form(place, member, log, line, keepsTexts) {
      case .kept:
        let written = member.written
        run = (run?.lowerBound ?? written.lowerBound)..<written.upperBound
      case .left: flush()
      case .amount:
        flush()
        separate()
        FieldWriter(line: line, keepsTexts: false).append(member, to: &payload)
      case .name:
        flush()
        separate()
        quote(member, member.value(in: line), line, to: &payload)
      case .level:
        flush()
        separate()
        let digits = member.value(in: line)
        guard let name = levelName(digits) else {
          quote(member, digits, line, to: &payload)
          continue
        }
        quote(
          member, UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount), line,
          to: &payload)
      }
    }
    flush()
    payload.append(UInt8(ascii: "}"))
  }

  /// The treatment of a member.
  private enum Form {
    case kept
    /// Left out: the time, the name, or a format marker.
    case left
    /// A number that becomes a string with the same digits.
    case name
    /// A number that stands for a log level.
    case level
    /// A text that is an amount, or an object that may hold one.
    case amount

    init(
      _ place: Int, _ member: LineMember, _ log: LogLine, _ line: UnsafeRawBufferPointer, _ keepsTexts: Bool
    ) {
      guard member.role != .none || place == log.time || place == log.name else {
        let isAmount = member.mayHoldAmounts || QuotedNumber.isAmount(member, line)
        self = !keepsTexts && isAmount ? .amount : .kept
        return
      }
      if place == log.time || place == log.name {
        self = .left
      } else if place == log.level, member.kind == .number {
        self = .level
      } else if member.role == .identity, member.kind == .number {
        self = .name
      } else if member.role == .version, log.format == .pino || log.format == .bunyan {
        self = .left
      } else {
        // A time that is not the line's may be a duration.
        self = member.role.isTime && !keepsTexts && QuotedNumber.isAmount(member, line) ? .amount : .kept
      }
    }
  }

  private static func quote(
    _ member: LineMember, _ text: UnsafeRawBufferPointer, _ line: UnsafeRawBufferPointer,
    to payload: inout [UInt8]
  ) {
    payload.append(UInt8(ascii: "\""))
    payload.append(contentsOf: member.key(in: line))
    JSONWriter.append("\":\"", to: &payload)
    payload.append(contentsOf: text)
    payload.append(UInt8(ascii: "\""))
  }

  /// Level names of pino and bunyan.
  private static func levelName(_ digits: UnsafeRawBufferPointer) -> StaticString? {
    guard digits.count == 2, digits[1] == UInt8(ascii: "0") else { return nil }
    switch digits[0] {
    case UInt8(ascii: "1"): return "trace"
    case UInt8(ascii: "2"): return "debug"
    case UInt8(ascii: "3"): return "info"
    case UInt8(ascii: "4"): return "warn"
    case UInt8(ascii: "5"): return "error"
    case UInt8(ascii: "6"): return "fatal"
    default: return nil
    }
  }
}
