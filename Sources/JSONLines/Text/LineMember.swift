import Codecs

/// One member of a line's object, as positions in the line.
struct LineMember {
  /// Kind of a value, by its first byte.
  enum Kind: UInt8 { case text, number, bool, null, object, array }

  /// The name between its quotes.
  let key: Range<Int32>
  /// The value; a string excludes its quotes.
  let value: Range<Int32>
  let kind: Kind
  let role: MemberRole
  let hasEscapes: Bool
  /// True if an object may hold numbers in quotes.
  var mayHoldAmounts = false

  /// The bytes of the name.
  func key(in line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer { Self.slice(key, of: line) }

  /// The bytes of the value; a string excludes its quotes.
  func value(in line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer { Self.slice(value, of: line) }

  /// The member as written, from the opening quote of its name to the end of its value.
  var written: Range<Int> {
    Int(key.lowerBound) - 1..<Int(value.upperBound) + (kind == .text ? 1 : 0)
  }

  /// False for a number or a text that is too small for a time, such as the duration of a request.
  ///
  /// A million seconds, milliseconds or smaller units since 1970 are all in January 1970.
  func mayBeTime(in line: UnsafeRawBufferPointer) -> Bool {
    let text = value(in: line)
    if kind == .text && text.count >= 19 { return true }
    var digits = 0
    while digits < min(7, text.count), text[digits] &- UInt8(ascii: "0") < 10 { digits &+= 1 }
    if digits == 7 { return true }
    // `20261126` and `1/2/2026`, the shortest of dates, have eight characters.
    return PlainNumber.double(text).map { $0 >= 1e6 } ?? (kind == .text && text.count >= 8)
  }

  /// A member of an inner object, with positions shifted by the object's start in the line.
  func moved(by start: Int) -> LineMember {
    func moved(_ range: Range<Int32>) -> Range<Int32> {
      let start = Int32(truncatingIfNeeded: start)
      return range.lowerBound &+ start..<range.upperBound &+ start
    }
    return LineMember(
      key: moved(key), value: moved(value), kind: kind, role: role, hasEscapes: hasEscapes,
      mayHoldAmounts: mayHoldAmounts)
  }

  private static func slice(_ range: Range<Int32>, of line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer
  {
    UnsafeRawBufferPointer(rebasing: line[Int(range.lowerBound)..<Int(range.upperBound)])
  }
}

/// Meanings of member names in logs.
enum MemberRole: UInt8, Sendable {
  case none
  // Times, the preferred one first.
  case time, ts, timestamp, atTimestamp, asctime, datetime, date
  case level, levelname, severity
  case msg, message, event
  case name, logger, loggerName
  case hostname, version
  /// A number that identifies something: a process, a thread, a source line.
  case identity
  /// Members of MisterMetrics lines.
  case metric
  /// Members of OpenTelemetry lines.
  case resources
  /// The member that makes a log line one of CloudWatch's embedded metric format.
  case embedded

  var isTime: Bool { rawValue >= Self.time.rawValue && rawValue <= Self.date.rawValue }

  /// True if the line is in a format that takes precedence over logs.
  var isDecisive: Bool { rawValue >= Self.resources.rawValue }

  /// A name of up to sixteen bytes as two words: names are equal if the words are.
  struct Words: Equatable, Sendable {
    /// Names of up to this many bytes fit the words.
    static let limit = 16

    let count: Int
    let head: UInt64
    let tail: UInt64

    /// - Parameters:
    ///   - key: The name.
    ///   - readable: Number of readable bytes from its start.
    @inline(__always)
    init(_ key: UnsafeRawPointer, count: Int, readable: Int) {
      self.count = count
      guard count <= Self.limit else {
        (head, tail) = (0, 0)
        return
      }
      if count >= 8 {
        head = key.loadUnaligned(as: UInt64.self)
        tail = key.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
      } else if readable >= 8 {
        let mask = (1 as UInt64) &<< UInt64(truncatingIfNeeded: count &* 8) &- 1
        (head, tail) = (UInt64(littleEndian: key.loadUnaligned(as: UInt64.self)) & mask, 0)
      } else {
        var word: UInt64 = 0
        for index in 0..<count {
          word |= UInt64(key.load(fromByteOffset: index, as: UInt8.self)) &<< UInt64(index &* 8)
        }
        (head, tail) = (word, 0)
      }
    }
  }

  private static let table: [(Words, MemberRole)] = {
    let names: KeyValuePairs<StaticString, MemberRole> = [
      "time": .time, "ts": .ts, "timestamp": .timestamp, "@timestamp": .atTimestamp, "asctime": .asctime,
      "datetime": .datetime, "time_iso8601": .datetime, "time_local": .datetime, "date": .date,
      "level": .level, "levelname": .levelname, "severity": .severity,
      "msg": .msg, "message": .message, "event": .event, "name": .name, "logger": .logger,
      "logger_name": .loggerName, "hostname": .hostname, "v": .version, "pid": .identity, "tid": .identity,
      "process": .identity, "thread": .identity, "lineno": .identity, "levelno": .identity,
      "level_value": .identity, "log.level": .severity, "log.logger": .loggerName, "metric": .metric,
      "resourceMetrics": .resources, "resourceLogs": .resources, "resourceSpans": .resources,
      "resource_metrics": .resources, "resource_logs": .resources, "resource_spans": .resources,
      "_aws": .embedded,
    ]
    return names.map { name, role in
      (Words(name.utf8Start, count: name.utf8CodeUnitCount, readable: name.utf8CodeUnitCount), role)
    }
  }()

  /// The role of a member with this name.
  init(_ words: Words) {
    self = words.count > Words.limit ? .none : Self.table.first { $0.0 == words }?.1 ?? .none
  }
}
