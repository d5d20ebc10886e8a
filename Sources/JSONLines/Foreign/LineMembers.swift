import Codecs

/// Takes the lines of logs apart in one pass.
///
/// Lines of one program have the same names in the same order: what the names of the last line meant is kept, so that a
/// name is mostly compared once. What a line gives depends on it alone.
struct LineMembers: Sendable {
  private(set) var members: [LineMember] = []
  private var layout: [(words: MemberRole.Words, role: MemberRole)] = []
  private var hasWideText = false

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  /// Reads a line; `false` where it is no JSON object, or one that is left to the readers of MisterMetrics.
  mutating func read(_ line: UnsafeRawBufferPointer) -> Bool {
    members.removeAll(keepingCapacity: true)
    hasWideText = false
    guard let base = line.baseAddress, let start = Self.skipSpace(base, 0, line.count),
      base.load(fromByteOffset: start, as: UInt8.self) == UInt8(ascii: "{")
    else { return false }
    var position = start &+ 1
    guard readMembers(line, base, &position), Self.skipSpace(base, position, line.count) == nil else {
      return false
    }
    return !hasWideText || String(validating: line, as: UTF8.self) != nil
  }

  private mutating func readMembers(
    _ line: UnsafeRawBufferPointer, _ base: UnsafeRawPointer, _ position: inout Int
  ) -> Bool {
    let count = line.count
    func byte(_ place: Int) -> UInt8 { base.load(fromByteOffset: place, as: UInt8.self) }
    while true {
      guard let quote = Self.skipSpace(base, position, count) else { return false }
      if byte(quote) == UInt8(ascii: "}"), members.isEmpty {
        position = quote &+ 1
        return true
      }
      guard byte(quote) == UInt8(ascii: "\""), let key = text(base, quote &+ 1, count),
        let colon = Self.skipSpace(base, key.end &+ 1, count), byte(colon) == UInt8(ascii: ":"),
        let value = Self.skipSpace(base, colon &+ 1, count)
      else { return false }
      let role =
        key.hasEscapes
        ? escapedRole(line, quote) : role(base + (quote &+ 1), key.end &- quote &- 1, count &- quote &- 1)
      // Lines of MisterMetrics may have members of their own beside theirs.
      if role == .metric, byte(value) == UInt8(ascii: "{") { return false }
      position = value
      guard
        let member = member(
          line, base, Int32(truncatingIfNeeded: quote &+ 1)..<Int32(truncatingIfNeeded: key.end), role,
          &position),
        let next = Self.skipSpace(base, position, count)
      else { return false }
      members.append(member)
      position = next &+ 1
      if byte(next) == UInt8(ascii: "}") { return true }
      guard byte(next) == UInt8(ascii: ",") else { return false }
    }
  }

  /// Reads a value.
  @inline(__always)
  private mutating func member(
    _ line: UnsafeRawBufferPointer, _ base: UnsafeRawPointer, _ key: Range<Int32>, _ role: MemberRole,
    _ position: inout Int
  ) -> LineMember? {
    let start = position
    func made(_ kind: LineMember.Kind, _ from: Int, _ end: Int, _ hasEscapes: Bool = false) -> LineMember {
      LineMember(
        key: key, value: Int32(truncatingIfNeeded: from)..<Int32(truncatingIfNeeded: end), kind: kind,
        role: role, hasEscapes: hasEscapes)
    }
    switch base.load(fromByteOffset: start, as: UInt8.self) {
    case UInt8(ascii: "\""):
      guard let text = text(base, start &+ 1, line.count) else { return nil }
      position = text.end &+ 1
      return made(.text, start &+ 1, text.end, text.hasEscapes)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      guard let end = Self.numberEnd(base, start, line.count) else { return nil }
      position = end
      return made(.number, start, end)
    case let first:
      var tokenizer = JSONTokenizer(line, at: start)
      guard tokenizer.skipValue() else { return nil }
      position = tokenizer.position
      let kind: LineMember.Kind =
        switch first {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "n"): .null
        default: .bool
        }
      return made(kind, start, position)
    }
  }

  // MARK: Names

  @inline(__always)
  private mutating func role(_ key: UnsafeRawPointer, _ count: Int, _ readable: Int) -> MemberRole {
    let words = MemberRole.Words(key, count: count, readable: readable)
    let place = members.count
    if place < layout.count, layout[place].words == words, count <= 16 { return layout[place].role }
    return newRole(words, place)
  }

  @inline(never)
  private mutating func newRole(_ words: MemberRole.Words, _ place: Int) -> MemberRole {
    let role = MemberRole(words)
    if place < layout.count {
      layout[place] = (words, role)
    } else if place == layout.count, place < 64 {
      layout.append((words, role))
    }
    return role
  }

  /// Of names with escapes only the one counts by which lines of MisterMetrics are known.
  @inline(never)
  private func escapedRole(_ line: UnsafeRawBufferPointer, _ quote: Int) -> MemberRole {
    var tokenizer = JSONTokenizer(line, at: quote)
    return tokenizer.string()?.equals("metric") == true ? .metric : .none
  }

  // MARK: Scalars

  /// The first place from `start` on that is no white space; `nil` at the end.
  @inline(__always)
  private static func skipSpace(_ base: UnsafeRawPointer, _ start: Int, _ count: Int) -> Int? {
    var position = start
    while position < count, case let byte = base.load(fromByteOffset: position, as: UInt8.self), byte <= 0x20
    {
      guard byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A else { return position }
      position &+= 1
    }
    return position < count ? position : nil
  }

  /// Reads a text from behind its first quote to its last one.
  @inline(__always)
  private mutating func text(_ base: UnsafeRawPointer, _ start: Int, _ count: Int) -> (
    end: Int, hasEscapes: Bool
  )? {
    var position = start
    while position &+ 8 <= count {
      let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      let quote = word ^ Self.ones &* 0x22
      let backslash = word ^ Self.ones &* 0x5C
      let special =
        (((quote &- Self.ones) & ~quote) | ((backslash &- Self.ones) & ~backslash)
          | ((word &- Self.ones &* 0x20) & ~word)) & Self.highs
      // What lies behind the end of the text counts too; the check that follows is only the more careful.
      if word & Self.highs != 0 { hasWideText = true }
      if special != 0 {
        position &+= special.trailingZeroBitCount &>> 3
        break
      }
      position &+= 8
    }
    if position < count, base.load(fromByteOffset: position, as: UInt8.self) == UInt8(ascii: "\"") {
      return (position, false)
    }
    return oddText(base, start, position, count)
  }

  /// Goes on where there is an escape, or where the line ends soon.
  @inline(never)
  private mutating func oddText(
    _ base: UnsafeRawPointer, _ start: Int, _ from: Int, _ count: Int
  ) -> (end: Int, hasEscapes: Bool)? {
    var position = from
    while position < count {
      let byte = base.load(fromByteOffset: position, as: UInt8.self)
      if byte == UInt8(ascii: "\"") { return (position, false) }
      if byte == UInt8(ascii: "\\") {
        var tokenizer = JSONTokenizer(UnsafeRawBufferPointer(start: base, count: count), at: start &- 1)
        guard tokenizer.string() != nil else { return nil }
        return (tokenizer.position &- 1, true)
      }
      guard byte >= 0x20 else { return nil }
      if byte >= 0x80 { hasWideText = true }
      position &+= 1
    }
    return nil
  }

  /// Where a number ends; `nil` if it is none of JSON's.
  @inline(__always)
  private static func numberEnd(_ base: UnsafeRawPointer, _ start: Int, _ count: Int) -> Int? {
    var position = start
    func byte() -> UInt8 { position < count ? base.load(fromByteOffset: position, as: UInt8.self) : 0 }
    func digits() -> Int {
      let from = position
      while byte() &- UInt8(ascii: "0") < 10 { position &+= 1 }
      return position &- from
    }
    if byte() == UInt8(ascii: "-") { position &+= 1 }
    let first = byte()
    let whole = digits()
    guard whole > 0, whole == 1 || first != UInt8(ascii: "0") else { return nil }
    if byte() == UInt8(ascii: ".") {
      position &+= 1
      guard digits() > 0 else { return nil }
    }
    if byte() | 0x20 == UInt8(ascii: "e") {
      position &+= 1
      if byte() == UInt8(ascii: "+") || byte() == UInt8(ascii: "-") { position &+= 1 }
      guard digits() > 0 else { return nil }
    }
    return position
  }
}
