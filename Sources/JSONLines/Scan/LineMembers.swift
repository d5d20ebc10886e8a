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

  /// Reads a line; `false` if it is not a JSON object, or is left to the MisterMetrics readers.
  mutating func read(_ line: UnsafeRawBufferPointer) -> Bool {
    members.removeAll(keepingCapacity: true)
    guard var lexer = LineLexer(line), let start = lexer.skipSpace(0), lexer.byte(start) == UInt8(ascii: "{"),
      let end = readMembers(line, &lexer, start &+ 1)
    else { return false }
    return lexer.skipSpace(end) == nil && lexer.isUTF8
  }

  /// Reads members up to the end of the object; returns that position.
  private mutating func readMembers(
    _ line: UnsafeRawBufferPointer, _ lexer: inout LineLexer, _ start: Int
  ) -> Int? {
    var position = start
    while true {
      guard let quote = lexer.skipSpace(position) else { return nil }
      if lexer.byte(quote) == UInt8(ascii: "}"), members.isEmpty { return quote &+ 1 }
      guard lexer.byte(quote) == UInt8(ascii: "\""), let key = lexer.text(quote &+ 1),
        let colon = lexer.skipSpace(key.end &+ 1), lexer.byte(colon) == UInt8(ascii: ":"),
        let value = lexer.skipSpace(colon &+ 1)
      else { return nil }
      let count = key.end &- quote &- 1
      let role =
        key.hasEscapes
        ? escapedRole(line, quote) : role(lexer.base + (quote &+ 1), count, lexer.count &- quote &- 1)
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
      if lexer.byte(next) == UInt8(ascii: "}") { return position }
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
      guard let end = lexer.valueEnd(start) else { return nil }
      position = end
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

  /// Of escaped names only `metric` matters, because it identifies MisterMetrics lines.
  @inline(never)
  private func escapedRole(_ line: UnsafeRawBufferPointer, _ quote: Int) -> MemberRole {
    var tokenizer = JSONTokenizer(line, at: quote)
    return tokenizer.string()?.equals("metric") == true ? .metric : .none
  }
}
