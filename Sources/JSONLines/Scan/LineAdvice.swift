import Codecs

/// A description of a line that yields no sample: its members, and a mapping that might make it one.
package struct LineAdvice: Sendable, Equatable {
  /// Names of the members visible in the excerpt, in order; empty if the line is not a JSON object.
  package let members: [String]
  /// A mapping that finds a time in the line; `nil` if there is none.
  package let mapping: LineMapping?

  /// The layout of a MisterMetrics line.
  package static let expected =
    #"{"metric":{"name":"launch","valueTypeString":"Int"},"timestamp":816918481.5,"value":"MA=="}"#

  /// - Parameter excerpt: The start of the line; members that are cut off are ignored.
  package init(excerpt: [UInt8]) {
    var lines = LineMembers()
    (members, mapping) = excerpt.withUnsafeBytes { bytes in
      let line = bytes.withoutByteOrderMark
      // The excerpt may end mid-line; the members read before its end are enough.
      _ = lines.read(line)
      let names = lines.members.map { String(decoding: $0.key(in: line), as: UTF8.self) }
      return (names, Self.mapping(lines.members, names, line))
    }
  }

  /// Usual names for the member that names the event.
  private static let usualNames: Set = [
    "what", "action", "operation", "op", "type", "kind", "title", "text", "route", "path",
  ]

  /// Characters that end a name in a mapping's text, or need an escape in JSON.
  private static let separators = Set(",=:\"\\".unicodeScalars)

  private static func mapping(
    _ members: [LineMember], _ names: [String], _ line: UnsafeRawBufferPointer
  ) -> LineMapping? {
    var reader = ForeignReader()
    // Scalars, because a comma with a combining mark is a different `Character`. A name that is not valid UTF-8 cannot
    // be typed.
    let usable = members.indices.filter { place in
      !names[place].isEmpty && names[place].unicodeScalars.allSatisfy { !Self.separators.contains($0) }
        && names[place].utf8.elementsEqual(members[place].key(in: line))
    }
    let time =
      usable.filter { members[$0].role.isTime && reader.isTime(members[$0], line) }
      .min { members[$0].role.rawValue < members[$1].role.rawValue }
      ?? usable.first { reader.isTime(members[$0], line) }
    guard let time, let path = MemberPath(names[time]) else { return nil }
    var mapping = LineMapping(time: path)
    let texts = usable.filter { members[$0].kind == .text && $0 != time }
    let name =
      texts.first { [.msg, .message, .event, .name, .logger].contains(members[$0].role) }
      ?? texts.first { usualNames.contains(names[$0].lowercased()) } ?? texts.first
    mapping.name = name.flatMap { MemberPath(names[$0]) }
    let numbers = usable.filter { members[$0].kind == .number && $0 != time && members[$0].role == .none }
    // Several numbers each become a field.
    if numbers.count == 1 { mapping.value = MemberPath(names[numbers[0]]) }
    return mapping
  }
}

extension ForeignReader {
  /// 2001 to 2100: a number outside this range is probably not a time.
  private static let plausible = 0.0..<3_124_224_000

  /// True if a member looks like the line's time.
  fileprivate mutating func isTime(_ member: LineMember, _ line: UnsafeRawBufferPointer) -> Bool {
    time(member, in: line, .automatic).map { Self.plausible.contains($0) } ?? false
  }
}
