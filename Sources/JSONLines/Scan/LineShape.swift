import Codecs

/// The layout of a MisterMetrics line: the order of its members, and the bytes between their values.
///
/// A line has three variable parts: the metric's object, the digits of the time, and the Base64 of the value. The bytes
/// that touch the metric's object are part of its head, which ``HeadTable`` compares; the other two pieces are constant.
///
/// A shape is learned from lines that the tolerant reader accepted. A line of the same pieces, with a known head and
/// parts that are valid by themselves, is therefore valid too, and needs no parsing.
struct LineShape: Sendable {
  /// The order of the variable parts.
  struct Order: Equatable, Sendable {
    private let code: UInt32

    /// The order in which `MetricEntry` is written.
    static let canonical = Order(metric: 0, isTimeFirst: true)

    /// - Parameter metric: Place of the metric: 0, 1 or 2.
    @inline(__always)
    init(metric: Int, isTimeFirst: Bool) {
      code = UInt32(truncatingIfNeeded: metric &* 2) | (isTimeFirst ? 1 : 0)
    }

    @inline(__always)
    var metric: Int { Int(truncatingIfNeeded: code &>> 1) }
    @inline(__always)
    var isTimeFirst: Bool { code & 1 == 1 }
  }

  let order: Order
  /// The pieces that do not touch the metric.
  let first: Piece
  let second: Piece
  /// Number of bytes of a head before and after the metric's object.
  let before: Int
  let after: Int
  /// The first byte after the time.
  let timeEnd: UInt8
  /// The first eight bytes of a line.
  let lineStart: UInt64
  fileprivate let fingerprint: UInt64

  /// `nil` if a piece is too long.
  fileprivate init?(_ parts: LineParts, fingerprint: UInt64) {
    guard let first = Piece(parts, parts.first), let second = Piece(parts, parts.second) else { return nil }
    (order, self.first, self.second) = (parts.order, first, second)
    before = parts.metric.lowerBound - parts.head.lowerBound
    after = parts.head.upperBound - parts.metric.upperBound
    timeEnd = parts[parts.time.upperBound]
    lineStart = parts.line.loadUnaligned(as: UInt64.self)
    self.fingerprint = fingerprint
  }

  /// Up to 32 constant bytes.
  struct Piece: Sendable {
    /// Maximum number of bytes; as many are readable, however few there are.
    static let limit = 32

    let count: Int
    private var words = SIMD4<UInt64>()
    private var masks = SIMD4<UInt64>()

    fileprivate init?(_ parts: LineParts, _ range: Range<Int>) {
      count = range.count
      guard count <= Self.limit else { return nil }
      for (place, position) in range.enumerated() {
        let shift = UInt64(place % 8 * 8)
        words[place / 8] |= UInt64(parts[position]) << shift
        masks[place / 8] |= 0xFF << shift
      }
    }

    /// True if the piece is at a place.
    @inline(__always)
    func matches(_ place: UnsafeRawPointer) -> Bool {
      var difference = difference(place, 0) | difference(place, 1)
      if count > 16 { difference |= self.difference(place, 2) | self.difference(place, 3) }
      return difference == 0
    }

    @inline(__always)
    private func difference(_ place: UnsafeRawPointer, _ index: Int) -> UInt64 {
      let word = place.loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self)
      return (UInt64(littleEndian: word) ^ words[index]) & masks[index]
    }
  }
}

/// The shapes of a file's lines.
///
/// A shape is learned when it occurs again soon, so that lines of which each has another do not displace the others.
struct LineShapes: Sendable {
  private static let capacity = 8

  /// The shape in which `MetricEntry` is written, of which thousands of files share one copy.
  private static let usual: [LineShape] = {
    let line = Array(#"{"metric":{"name":"n","valueTypeString":"Int"},"timestamp":0.5,"value":"MQ=="}"#.utf8)
    return line.withUnsafeBytes { line in
      let parts = EntryLine(line).flatMap { LineParts($0, of: line, hasReturn: false) }
      return parts.flatMap { LineShape($0, fingerprint: $0.fingerprint) }.map { [$0] } ?? []
    }
  }()

  /// The shapes that lines are compared with, the oldest first.
  private(set) var known = Self.usual
  /// The fingerprints of the last lines that were not compared, each once.
  private var recent = SIMD8<UInt64>()
  private var next = 0

  /// True if a text begins like a line of a known shape.
  @inline(__always)
  func mayFit(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.count >= 8 else { return false }
    let start = text.loadUnaligned(as: UInt64.self)
    return known.contains { $0.lineStart == start }
  }

  /// Notes a line that was accepted; true if its shape is known from now on.
  mutating func note(_ parts: LineParts) -> Bool {
    let fingerprint = parts.fingerprint
    if known.contains(where: { $0.fingerprint == fingerprint }) { return true }
    guard (0..<recent.scalarCount).contains(where: { recent[$0] == fingerprint }) else {
      recent[next] = fingerprint
      next = (next + 1) % recent.scalarCount
      return false
    }
    guard let shape = LineShape(parts, fingerprint: fingerprint) else { return false }
    if known.count == Self.capacity { known.removeFirst() }
    known.append(shape)
    return true
  }
}

/// The positions of the parts of a line.
struct LineParts {
  let line: UnsafeRawBufferPointer
  /// True if a carriage return and a newline end the line, false for a newline alone; both lie elsewhere.
  let hasReturn: Bool
  let order: LineShape.Order
  let metric: Range<Int>
  let time: Range<Int>
  /// The pieces that do not touch the metric, and the metric with those that do.
  let first: Range<Int>
  let second: Range<Int>
  let head: Range<Int>

  /// - Parameter line: The line that the entry was read from.
  init?(_ entry: EntryLine, of line: UnsafeRawBufferPointer, hasReturn: Bool) {
    func range(_ part: UnsafeRawBufferPointer) -> Range<Int>? {
      guard let base = line.baseAddress, let start = part.baseAddress else { return nil }
      return start - base..<start - base + part.count
    }
    guard let metric = range(entry.metric), let time = range(entry.time),
      let value = range(entry.value.written), line.count >= 8
    else { return nil }
    (self.line, self.hasReturn, self.metric, self.time) = (line, hasReturn, metric, time)
    let isTimeFirst = time.lowerBound < value.lowerBound
    let (one, two) = isTimeFirst ? (time, value) : (value, time)
    let end = line.count + (hasReturn ? 2 : 1)
    let pieces = [
      0..<one.lowerBound, one.upperBound..<two.lowerBound, two.upperBound..<end,
    ]
    let place = pieces.firstIndex { $0.contains(metric.lowerBound) } ?? 0
    order = LineShape.Order(metric: place, isTimeFirst: isTimeFirst)
    first = pieces[place == 0 ? 1 : 0]
    second = pieces[place == 2 ? 1 : 2]
    head = pieces[place]
  }

  subscript(position: Int) -> UInt8 {
    position < line.count ? line[position] : position == line.count && hasReturn ? 0x0D : 0x0A
  }

  /// A hash of the constant bytes.
  ///
  /// Two shapes with the same one are no fault: the second is not learned, and its lines are read by the slower readers.
  fileprivate var fingerprint: UInt64 {
    var hash: UInt64 = hasReturn ? 2 : 1
    func add(_ start: Int, _ end: Int) {
      hash = (hash ^ UInt64(end &- start)) &* 0x9E37_79B9_7F4A_7C15
      for position in stride(from: start, to: min(end, line.count), by: 8) {
        hash = (hash ^ word(at: position, count: min(end, line.count) &- position)) &* 0x9E37_79B9_7F4A_7C15
        hash ^= hash &>> 32
      }
    }
    add(first.lowerBound, first.upperBound)
    add(second.lowerBound, second.upperBound)
    add(head.lowerBound, metric.lowerBound)
    add(metric.upperBound, head.upperBound)
    return hash
  }

  /// Up to eight bytes of the line.
  private func word(at position: Int, count: Int) -> UInt64 {
    let start = min(position, line.count &- 8)
    let word = UInt64(littleEndian: line.loadUnaligned(fromByteOffset: start, as: UInt64.self))
    let rest = word &>> UInt64(truncatingIfNeeded: (position &- start) &* 8)
    return count < 8 ? rest & (1 &<< UInt64(truncatingIfNeeded: count &* 8) &- 1) : rest
  }

  /// Appends the head of the metric.
  func appendHead(to head: inout [UInt8]) {
    for position in self.head { head.append(self[position]) }
  }
}
