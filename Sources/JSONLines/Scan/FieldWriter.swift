import Codecs

/// Writes the members of a line as the fields of a struct, with quoted amounts as numbers at any depth.
struct FieldWriter {
  let line: UnsafeRawBufferPointer
  /// True to keep numbers and durations in quotes as texts.
  let keepsTexts: Bool
  /// The names of the members that are left out, as positions in the line.
  var omitted: [Range<Int32>] = []

  /// Appends an object of these members.
  func append(_ members: [LineMember], depth: Int = 0, to json: inout [UInt8]) {
    json.append(UInt8(ascii: "{"))
    var isFirst = true
    for member in members where !omitted.contains(member.key) {
      if !isFirst { json.append(UInt8(ascii: ",")) }
      isFirst = false
      append(member, depth: depth, to: &json)
    }
    json.append(UInt8(ascii: "}"))
  }

  /// Appends a member; objects deeper than the fields of structs stay as they are.
  func append(_ member: LineMember, depth: Int = 0, to json: inout [UInt8]) {
    if depth < StructFields.depthLimit, isChanged(member), let inner = member.members(in: line) {
      json.append(contentsOf: member.head(in: line))
      return append(inner, depth: depth + 1, to: &json)
    }
    if !keepsTexts, QuotedNumber.mayBeAmount(member, line) {
      let start = json.count
      json.append(contentsOf: member.head(in: line))
      if QuotedNumber.appendAmount(member, line, to: &json) { return }
      json.removeLast(json.count - start)
    }
    json.append(contentsOf: UnsafeRawBufferPointer(rebasing: line[member.written]))
  }

  /// True if an object is not written as it is.
  private func isChanged(_ member: LineMember) -> Bool {
    member.kind == .object
      && (member.mayHoldAmounts && !keepsTexts || omitted.contains { member.value.contains($0.lowerBound) })
  }
}

extension LineMember {
  /// The members of an object, with positions in the line; `nil` if it is not a valid one.
  func members(in line: UnsafeRawBufferPointer) -> [LineMember]? {
    var inner = LineMembers()
    inner.isInner = true
    guard kind == .object, inner.read(value(in: line)) else { return nil }
    return inner.members.map { $0.moved(by: Int(value.lowerBound)) }
  }

  /// The name and what follows it up to the value.
  fileprivate func head(in line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let start = Int(value.lowerBound) - (kind == .text ? 1 : 0)
    return UnsafeRawBufferPointer(rebasing: line[Int(key.lowerBound) - 1..<start])
  }
}
