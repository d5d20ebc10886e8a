import Codecs

/// The zone behind a time: `+01:00`, `Z`, `UTC`, `GMT+0100`, `CET`, `[Europe/Berlin]`.
struct WrittenZone {
  /// Offset from UTC in seconds; `nil` for a part that says nothing new.
  private(set) var offset: Int?

  /// Reads one part of a zone.
  ///
  /// - Parameters:
  ///   - isKnown: True if the offset has been read, so that a name only explains it.
  ///   - local: The zone of times without one, whose names are known too.
  init?(_ cursor: inout TextCursor, isKnown: Bool, local: ZoneOffsets?) {
    switch cursor.next {
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      guard !isKnown, let found = Self.offset(&cursor) else { return nil }
      offset = found
    case UInt8(ascii: "["):
      _ = cursor.skip(UInt8(ascii: "["))
      guard let name = Self.name(&cursor), isKnown || Self.read(name, &cursor, local, into: &offset),
        cursor.skip(past: UInt8(ascii: "]"))
      else { return nil }
    default:
      guard let name = Self.name(&cursor) else { return nil }
      // Added by Go's clock to a time of its own process.
      if name == "m", cursor.skip(UInt8(ascii: "=")) {
        cursor.skipAll("+-.0123456789")
        return
      }
      guard isKnown || Self.read(name, &cursor, local, into: &offset) else { return nil }
    }
  }

  /// A name such as `CET` or `Europe/Berlin`.
  private static func name(_ cursor: inout TextCursor) -> String? {
    var name: [UInt8] = []
    repeat {
      if !name.isEmpty { name.append(UInt8(ascii: "/")) }
      name += cursor.word()
      while cursor.next == UInt8(ascii: "_") {
        cursor.skipAll("_")
        name += [UInt8(ascii: "_")] + cursor.word()
      }
    } while cursor.skip(UInt8(ascii: "/"))
    return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
  }

  /// Finds the offset of a name, with what is added to it; `false` if it is unknown.
  private static func read(
    _ name: String, _ cursor: inout TextCursor, _ local: ZoneOffsets?, into offset: inout Int?
  ) -> Bool {
    if name == local?.identifier { return true }
    guard let found = local?.offset(named: name) ?? names[name.uppercased()] else { return false }
    offset = found
    guard found == 0, "+-".utf8.contains(cursor.next) else { return true }
    offset = Self.offset(&cursor)
    return offset != nil
  }

  /// Reads `+01:00`, `+0100`, `+01` or `+01:00:00`.
  private static func offset(_ cursor: inout TextCursor) -> Int? {
    let isWest = cursor.next == UInt8(ascii: "-")
    guard cursor.skip(UInt8(ascii: "+")) || cursor.skip(UInt8(ascii: "-")), let hours = cursor.digits(2),
      hours < 24
    else { return nil }
    var seconds = hours * 3600
    for unit in [60, 1] {
      let hasColon = cursor.skip(UInt8(ascii: ":"))
      guard hasColon || cursor.isAtDigit else { break }
      guard let part = cursor.digits(2), part < 60 else { return nil }
      seconds += part * unit
    }
    guard !cursor.isAtDigit else { return nil }
    return isWest ? -seconds : seconds
  }

  /// Names that mean one offset wherever they are written.
  ///
  /// Not the time zones themselves, which come from the system. Those of North America as RFC 5322 has them, without CST
  /// and CDT: China and Cuba write these too.
  static let names: [String: Int] = {
    let hours: [(String, Int)] = [
      ("Z", 0), ("UTC", 0), ("GMT", 0), ("UT", 0), ("WET", 0), ("WEST", 1), ("CET", 1), ("CEST", 2),
      ("EET", 2),
      ("EEST", 3), ("MSK", 3), ("JST", 9), ("AEST", 10), ("AEDT", 11), ("NZST", 12), ("NZDT", 13),
      ("EST", -5),
      ("EDT", -4), ("MST", -7), ("MDT", -6), ("PST", -8), ("PDT", -7),
    ]
    return Dictionary(uniqueKeysWithValues: hours.map { ($0, $1 * 3600) })
  }()
}
