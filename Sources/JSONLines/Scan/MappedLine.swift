import Codecs

/// The members of a line that a mapping refers to.
struct MappedLine {
  let time: LineMember?
  let name: LineMember?
  let value: LineMember?
  private let keepsTexts: Bool

  init(_ mapping: LineMapping, _ members: [LineMember], _ line: UnsafeRawBufferPointer) {
    time = mapping.time.flatMap { Self.member(at: $0, members, line) }
    name = mapping.name.flatMap { Self.member(at: $0, members, line) }.flatMap { $0.kind == .text ? $0 : nil }
    value = mapping.value.flatMap { Self.member(at: $0, members, line) }
    keepsTexts = mapping.keepsTexts
  }

  /// Finds a member by its whole name, or else by its path through nested objects.
  private static func member(
    at path: MemberPath, _ members: [LineMember], _ line: UnsafeRawBufferPointer
  ) -> LineMember? {
    if let member = members.first(where: { $0.key(in: line).elementsEqual(path.whole) }) { return member }
    guard path.parts.count > 1,
      var found = members.first(where: { $0.key(in: line).elementsEqual(path.parts[0]) })
    else { return nil }
    for part in path.parts.dropFirst() {
      guard let inner = found.members(in: line)?.first(where: { $0.key(in: line).elementsEqual(part) }) else {
        return nil
      }
      found = inner
    }
    return found
  }

  /// Appends the sample's payload; returns its kind and number.
  ///
  /// - Throws: `LineFault` if the value does not fit a double.
  func write(
    _ members: [LineMember], _ line: UnsafeRawBufferPointer, to payload: inout [UInt8]
  ) throws(LineFault) -> (SampleKind, Double) {
    guard payload.count <= 1 << 31 else { return (.null, 0) }
    guard let value else {
      FieldWriter(line: line, keepsTexts: keepsTexts, omitted: [time, name].compactMap { $0?.key })
        .append(members, to: &payload)
      return (.object, 0)
    }
    var json = Array(value.value(in: line))
    var number: [UInt8] = []
    if value.kind == .text, !keepsTexts, !value.hasEscapes,
      QuotedNumber.append(value.value(in: line), to: &number)
    {
      json = number
    } else if value.kind == .text {
      json = [UInt8(ascii: "\"")] + json + [UInt8(ascii: "\"")]
    }
    let read = try ValueText(json: json)
    payload.append(contentsOf: read.payload)
    return (read.kind, read.number)
  }
}
