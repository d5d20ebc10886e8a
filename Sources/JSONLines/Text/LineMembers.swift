import Codecs

/// Parses log lines in a single pass.
///
/// Lines of one program have the same names in the same order, so the roles of the last line's names are cached and
/// each name is usually compared once. The result for a line depends on that line alone.
struct LineMembers: Sendable {
  private(set) var members: [LineMember] = []
  /// True if the object is nested in another program's line, which may use the same names as MisterMetrics.
  var isInner = false
  private var layout: [(words: MemberRole.Words, role: MemberRole)] = []
  private var shapes = ObjectShapes()
  /// True if the last line, or an object in it, may repeat a member.
  private(set) var mayRepeat = false

  /// Reads a line; `false` if it is not a JSON object, or is left to the MisterMetrics readers.
  mutating func read(_ line: UnsafeRawBufferPointer) -> Bool {
    members.removeAll(keepingCapacity: true)
    mayRepeat = false
    let known = shapes.known
    return known.withUnsafeBufferPointer { known in
      guard var lexer = LineLexer(line, shapes: isInner ? nil : known.baseAddress),
        let start = lexer.skipSpace(0),
        lexer.byte(start) == UInt8(ascii: "{"), let end = readMembers(line, &lexer, start &+ 1)
      else { return false }
      mayRepeat = lexer.hasNewShape
      return lexer.skipSpace(end) == nil && lexer.isUTF8 && !lexer.hasOverflow
    }
  }

  /// The line that was read without repeated members; `nil` if there are none.
  mutating func withoutRepeated(_ line: UnsafeRawBufferPointer) -> [UInt8]? {
    mayRepeat ? RepeatedMembers.removed(from: line, learning: &shapes) : nil
  }

  /// Reads members up to the end of the object; returns that position.
  private mutating func readMembers(
    _ line: UnsafeRawBufferPointer, _ lexer: inout LineLexer, _ start: Int
  ) -> Int? {
    var position = start
    var shape = ObjectShape()
    while true {
      guard let quote = lexer.skipSpace(position) else { return nil }
      if lexer.byte(quote) == UInt8(ascii: "}"), members.isEmpty { return quote &+ 1 }
      guard lexer.byte(quote) == UInt8(ascii: "\""), let key = lexer.text(quote &+ 1),
        let colon = lexer.skipSpace(key.end &+ 1), lexer.byte(colon) == UInt8(ascii: ":"),
        let value = lexer.skipSpace(colon &+ 1)
      else { return nil }
      let start = lexer.base + (quote &+ 1)
      let words = MemberRole.Words(
        start, count: key.end &- quote &- 1, readable: lexer.count &- quote &- 1)
      shape.add(words, start)
      let role = key.hasEscapes ? escapedRole(line, quote) : role(words)
      // MisterMetrics lines may have extra members.
      if role == .metric, !isInner, lexer.byte(value) == UInt8(ascii: "{") { return nil }
      position = value
      let name = Int32(truncatingIfNeeded: quote &+ 1)..<Int32(truncatingIfNeeded: key.end)
      guard let member = member(line, &lexer, name, role, &position), let next = lexer.skipSpace(position)
      else {
        return nil
      }
      members.append(member)
      position = next &+ 1
      if lexer.byte(next) == UInt8(ascii: "}") {
        lexer.note(shape)
        return position
      }
      guard lexer.byte(next) == UInt8(ascii: ",") else { return nil }
    }
  }

  /// Reads a value.
  @inline(__always)
  private mutating func member(
    _ line: UnsafeRawBufferPointer, _ lexer: inout LineLexer, _ key: Range<Int32>, _ role: MemberRole,
    _ position: inout Int
  ) -> LineMember? {
    let start = position
    func made(_ kind: LineMember.Kind, _ from: Int, _ end: Int, _ hasEscapes: Bool = false) -> LineMember {
      LineMember(
        key: key, value: Int32(truncatingIfNeeded: from)..<Int32(truncatingIfNeeded: end), kind: kind,
        role: role, hasEscapes: hasEscapes)
    }
    switch lexer.byte(start) {
    case UInt8(ascii: "\""):
      guard let text = lexer.text(start &+ 1) else { return nil }
      position = text.end &+ 1
      return made(.text, start &+ 1, text.end, text.hasEscapes)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      guard let end = lexer.numberEnd(start) else { return nil }
      position = end
      return made(.number, start, end)
    case let first:
      lexer.hasQuotedNumber = false
      guard let end = lexer.valueEnd(start) else { return nil }
      position = end
      let kind: LineMember.Kind =
        switch first {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "n"): .null
        default: .bool
        }
      var member = made(kind, start, position)
      member.mayHoldAmounts = kind == .object && lexer.hasQuotedNumber
      return member
    }
  }

  // MARK: Names

  @inline(__always)
  private mutating func role(_ words: MemberRole.Words) -> MemberRole {
    let place = members.count
    // A longer name than fits the words has no role, so another one with the same words has none either.
    if place < layout.count, layout[place].words == words { return layout[place].role }
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

  @inline(never)
  private func escapedRole(_ line: UnsafeRawBufferPointer, _ quote: Int) -> MemberRole {
    var tokenizer = JSONTokenizer(line, at: quote)
    return (tokenizer.string()?.unescaped ?? []).withUnsafeBytes { name in
      name.baseAddress.map { MemberRole(.init($0, count: name.count, readable: name.count)) } ?? .none
    }
  }
}
