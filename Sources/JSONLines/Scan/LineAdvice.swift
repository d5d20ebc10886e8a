import Codecs

/// A description of a line that is no sample: its members, and the mapping by which it might be one.
package struct LineAdvice: Sendable, Equatable {
  /// The names of the members that the excerpt shows, in their order; empty where the line is not a JSON object.
  package let members: [String]
  /// A mapping that finds a time in the line; `nil` where none would.
  package let mapping: LineMapping?

  /// How a line of MisterMetrics looks.
  package static let expected =
    #"{"metric":{"name":"launch","valueTypeString":"Int"},"timestamp":816918481.5,"value":"MA=="}"#

  /// - Parameter excerpt: The beginning of the line; members that are cut off are not seen.
  package init(excerpt: [UInt8]) {
    var lines = LineMembers()
    (members, mapping) = excerpt.withUnsafeBytes { bytes in
      let line = bytes.withoutByteOrderMark
      // Lines read before the excerpt ends count all the same.
      _ = lines.read(line)
      let names = lines.members.map { String(decoding: $0.key(in: line), as: UTF8.self) }
      return (names, Self.mapping(lines.members, names, line))
    }
  }

  /// Names that programs give to the member with the event.
  private static let usualNames: Set = [
    "what", "action", "operation", "op", "type", "kind", "title", "text", "route", "path",
  ]

  /// Characters that end a name in the text of a mapping, or are escaped in one.
  private static let separators = Set(",=:\"\\".unicodeScalars)

  private static func mapping(
    _ members: [LineMember], _ names: [String], _ line: UnsafeRawBufferPointer
  ) -> LineMapping? {
    var reader = ForeignReader()
    // Scalars: a comma with a combining mark is another `Character`. A name that is not valid UTF-8 cannot be typed.
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
    // Of several numbers each becomes a field.
    if numbers.count == 1 { mapping.value = MemberPath(names[numbers[0]]) }
    return mapping
  }
}

extension ForeignReader {
  /// From 2001 to 2100: a number of another time is more likely no time at all.
  private static let plausible = 0.0..<3_124_224_000

  /// True if a member looks like the time of a line.
  fileprivate mutating func isTime(_ member: LineMember, _ line: UnsafeRawBufferPointer) -> Bool {
    time(member, in: line, .automatic).map { Self.plausible.contains($0) } ?? false
  }
}
