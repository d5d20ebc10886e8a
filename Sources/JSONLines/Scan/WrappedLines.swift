import Codecs

/// Takes lines out of what other programs wrote around them.
struct WrappedLines: Sendable {
  /// A line without its surroundings.
  enum Inner {
    case part(Range<Int>)
    /// A line that was escaped, or joined from pieces.
    case copy([UInt8])
    /// A piece that waits for the rest, or a line without content.
    case nothing
  }

  /// Reads the lines inside: their members have another order than those around them.
  var reader = ForeignReader()
  var surroundings = LineSurroundings()
  private var moment = MomentText()
  private(set) var pieces = PartialLines()

  /// The mapping for the lines inside, which also has the zone of times without one.
  var mapping: LineMapping? {
    get { reader.mapping }
    set {
      guard newValue != reader.mapping else { return }
      reader.mapping = newValue
      moment.zone = newValue?.zone
    }
  }

  /// Forgets waiting pieces, because reading continues elsewhere.
  mutating func restart() {
    pieces.removeAll()
    reader.restart()
  }

  /// Takes over the pieces that wait in another reader of the same file.
  mutating func takePieces(of other: WrappedLines) { pieces = other.pieces }

  /// Takes a line out of an object; `nil` if the object surrounds none.
  mutating func peel(_ members: [LineMember], _ line: UnsafeRawBufferPointer) -> Inner? {
    reader.format = nil
    guard let wrapped = WrappedObject(members, in: line) else { return nil }
    if let place = wrapped.time {
      let form = wrapped.kind == .journal ? LineMapping.TimeForm.microseconds : .automatic
      surroundings.time = reader.time(members[place], in: line, form) ?? surroundings.time
    }
    wrapped.describe(members, line, in: &surroundings)
    let inner = wrapped.inner(members, line)
    guard wrapped.kind == .docker else { return .copy(inner) }
    let stream = members.first { $0.isNamed("stream", in: line) }?.value(in: line).last ?? 0
    let isLast = inner.last == 0x0A || inner.count < PartialLines.piece
    guard !isLast || pieces.waits(stream) else {
      // A blank line of the program has no content.
      return inner.contains { $0 > 0x20 } ? .copy(inner) : .nothing
    }
    return pieces.add(inner, stream: stream, isLast: isLast).map(Inner.copy) ?? .nothing
  }

  /// Takes a line out of the text before it, or makes an object of its text; `nil` if it is in no known form.
  mutating func peel(_ line: UnsafeRawBufferPointer) -> Inner? {
    let text = TextLine.object(line)
    reader.format = text?.format
    if let text { return .copy(text.json) }
    switch TextPrefix.peel(line, &moment, &surroundings) {
    case nil: return nil
    case .none?: return .nothing
    case .line(let range)?: return .part(range)
    case .piece(let range, let stream, let isLast)?:
      guard !isLast || pieces.waits(stream) else { return .part(range) }
      return pieces.add(line[range], stream: stream, isLast: isLast).map(Inner.copy) ?? .nothing
    }
  }
}
