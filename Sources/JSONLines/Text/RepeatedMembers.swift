import Codecs

/// Removes members that a later member of the same object replaces.
///
/// Some loggers repeat members. The last one counts, as for Python, Go, JavaScript and jq.
struct RepeatedMembers {
  private struct Member {
    /// From the opening quote of the name to the end of the value.
    let range: Range<Int>
    /// The name between its quotes.
    let name: Range<Int>
    let hasEscapes: Bool
  }

  private var lexer: LineLexer
  private let json: UnsafeRawBufferPointer
  private var shapes: ObjectShapes
  private var members: [Member] = []
  /// Parts to leave out; one inside another comes before it.
  private var cuts: [Range<Int>] = []

  /// The bytes of valid JSON without repeated members; `nil` if there are none.
  ///
  /// - Parameter shapes: Receives the shapes of objects without repeated members.
  static func removed(from json: UnsafeRawBufferPointer, learning shapes: inout ObjectShapes) -> [UInt8]? {
    guard let lexer = LineLexer(json), let start = lexer.skipSpace(0) else { return nil }
    var search = RepeatedMembers(lexer: lexer, json: json, shapes: shapes)
    guard search.value(start, depth: 0) != nil else { return nil }
    shapes = search.shapes
    return search.cuts.isEmpty ? nil : search.rest
  }

  private init(lexer: LineLexer, json: UnsafeRawBufferPointer, shapes: ObjectShapes) {
    (self.lexer, self.json, self.shapes) = (lexer, json, shapes)
  }

  private var rest: [UInt8] {
    var rest: [UInt8] = []
    rest.reserveCapacity(json.count)
    var position = 0
    for cut in cuts.sorted(by: { $0.lowerBound < $1.lowerBound }) where cut.upperBound > position {
      rest.append(contentsOf: json[position..<max(position, cut.lowerBound)])
      position = cut.upperBound
    }
    rest.append(contentsOf: json[position...])
    return rest
  }

  /// Walks over a value; returns its end.
  private mutating func value(_ start: Int, depth: Int) -> Int? {
    switch lexer.byte(start) {
    case UInt8(ascii: "{"): return object(start, depth: depth)
    case UInt8(ascii: "["): return array(start, depth: depth)
    default: return lexer.valueEnd(start)
    }
  }

  private mutating func array(_ start: Int, depth: Int) -> Int? {
    guard depth < JSONTokenizer.nestingLimit, var position = lexer.skipSpace(start &+ 1) else { return nil }
    if lexer.byte(position) == UInt8(ascii: "]") { return position &+ 1 }
    while true {
      guard let end = value(position, depth: depth &+ 1), let sign = lexer.skipSpace(end) else { return nil }
      if lexer.byte(sign) == UInt8(ascii: "]") { return sign &+ 1 }
      guard let next = lexer.skipSpace(sign &+ 1) else { return nil }
      position = next
    }
  }

  private mutating func object(_ start: Int, depth: Int) -> Int? {
    guard depth < JSONTokenizer.nestingLimit, var position = lexer.skipSpace(start &+ 1) else { return nil }
    if lexer.byte(position) == UInt8(ascii: "}") { return position &+ 1 }
    let first = members.count
    var shape = ObjectShape()
    while true {
      guard let key = lexer.keyEnd(position), let end = value(key.value, depth: depth &+ 1),
        let sign = lexer.skipSpace(end)
      else { return nil }
      let name = position &+ 1..<key.end
      lexer.add(name, to: &shape)
      members.append(Member(range: position..<end, name: name, hasEscapes: key.hasEscapes))
      if lexer.byte(sign) == UInt8(ascii: "}") {
        if !cutRepeated(from: first) { shapes.insert(shape) }
        members.removeLast(members.count &- first)
        return sign &+ 1
      }
      guard let next = lexer.skipSpace(sign &+ 1) else { return nil }
      position = next
    }
  }

  /// Notes the members to leave out of the object whose members start at an index; `false` if there are none.
  private mutating func cutRepeated(from first: Int) -> Bool {
    let before = cuts.count
    var later: Set<[UInt8]> = []
    for place in (first..<members.count).reversed() {
      // A member that is repeated has another one after it, and goes with the comma between them.
      if !isNew(place, first, &later), place &+ 1 < members.count {
        cuts.append(members[place].range.lowerBound..<members[place &+ 1].range.lowerBound)
      }
    }
    return cuts.count > before
  }

  /// Objects of up to this size are compared name by name.
  private static let pairwiseLimit = 16

  /// True if no later member has the name.
  private func isNew(_ place: Int, _ first: Int, _ later: inout Set<[UInt8]>) -> Bool {
    guard members.count &- first > Self.pairwiseLimit || members[first...].contains(where: \.hasEscapes)
    else {
      let name = json[members[place].name]
      return !members[(place &+ 1)...].contains {
        $0.name.count == name.count && json[$0.name].elementsEqual(name)
      }
    }
    return later.insert(name(of: members[place])).inserted
  }

  private func name(of member: Member) -> [UInt8] {
    guard member.hasEscapes else { return Array(json[member.name]) }
    var tokenizer = JSONTokenizer(json, at: member.name.lowerBound &- 1)
    return tokenizer.string()?.unescaped ?? Array(json[member.name])
  }
}
