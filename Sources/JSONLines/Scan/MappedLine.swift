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
      guard found.kind == .object, let inner = member(part, of: found, line) else { return nil }
      found = inner
    }
    return found
  }

  private static func member(
    _ name: [UInt8], of object: LineMember, _ line: UnsafeRawBufferPointer
  ) -> LineMember? {
    var inner = LineMembers()
    inner.isInner = true
    let start = Int(object.value.lowerBound)
    guard inner.read(object.value(in: line)),
      let found = inner.members.first(where: { member in
        line[start + Int(member.key.lowerBound)..<start + Int(member.key.upperBound)].elementsEqual(name)
      })
    else { return nil }
    return found.moved(by: start)
  }

  /// Appends the sample's payload; returns its kind and number.
  ///
  /// - Throws: `LineFault` if the value does not fit a double.
  func write(
    _ members: [LineMember], _ line: UnsafeRawBufferPointer, to payload: inout [UInt8]
  ) throws(LineFault) -> (SampleKind, Double) {
    guard payload.count <= 1 << 31 else { return (.null, 0) }
    guard let value else {
      writeFields(members, line, to: &payload)
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

  private func writeFields(
    _ members: [LineMember], _ line: UnsafeRawBufferPointer, to payload: inout [UInt8]
  ) {
    payload.append(UInt8(ascii: "{"))
    var isFirst = true
    for member in members where member.key != time?.key && member.key != name?.key {
      if !isFirst { payload.append(UInt8(ascii: ",")) }
      isFirst = false
      guard keepsTexts || !QuotedNumber.isAmount(member, line) else {
        QuotedNumber.append(member, line, to: &payload)
        continue
      }
      payload.append(contentsOf: UnsafeRawBufferPointer(rebasing: line[member.written]))
    }
    payload.append(UInt8(ascii: "}"))
  }
}
