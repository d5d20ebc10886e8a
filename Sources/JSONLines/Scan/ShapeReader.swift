import Essentials
import Platform

/// Reads lines of known shapes, whose heads are known.
struct ShapeReader {
  let base: UnsafeRawPointer
  /// Number of valid bytes.
  let count: Int
  /// Number of readable bytes from `base` on; those past `count` are meaningless.
  let readable: Int
  let shapes: UnsafeBufferPointer<LineShape>
  let heads: HeadTable.Pointers
  let numbers: NumberGroups

  /// Bytes read at most for a time stamp, a number and the constant pieces, whatever they are.
  private static let tail = 32 + NumberGroups.room + 2 * LineShape.Piece.limit
  /// Readable bytes after a line, with which it is read here.
  static let room = tail + HeadTable.minimumCount

  /// `dHJ1ZQ==`, `ZmFsc2U=` and `bnVsbA==` (true, false, null) in memory order.
  private static let yes: UInt64 = 0x3D3D_515A_314A_4864
  private static let no: UInt64 = 0x3D55_3263_7346_6D5A
  private static let null: UInt64 = 0x3D3D_4162_7356_6E62

  /// A line as far as it is read.
  private struct Line {
    /// The next byte.
    var place: UnsafeRawPointer
    var stamps: StampReader
    var metric = MetricID(rawValue: -1)
    var time = 0.0
    var value = 0.0
    var kind = SampleKind.number
    /// The Base64 of a value of another kind.
    var text: UnsafeRawBufferPointer?
  }

  /// Reads lines, and stops at the first whose value is not a number, a Boolean or `null`.
  @inline(__always)
  func read(
    _ run: inout ShapeRun, into out: UnsafeMutablePointer<Sample>, capacity: Int, offset: UInt64
  ) -> ShapeRun.Stop {
    // The shapes that the next line does not have.
    var tried: UInt64 = 0
    while let place = nextShape(run.position, tried) {
      let (shape, start) = (shapes[place], run.position)
      // The compiler makes a loop without further branches for the usual order.
      let stop =
        shape.order == .canonical
        ? read(&run, shape, .canonical, out, capacity, offset)
        : read(&run, shape, shape.order, out, capacity, offset)
      guard case .other = stop else { return stop }
      tried = (run.position > start ? 0 : tried) | 1 &<< UInt64(truncatingIfNeeded: place)
    }
    return .other
  }

  /// A shape of lines that start like the one at a position.
  @inline(__always)
  private func nextShape(_ position: Int, _ tried: UInt64) -> Int? {
    guard position < count, position &+ 8 <= readable else { return nil }
    let start = base.loadUnaligned(fromByteOffset: position, as: UInt64.self)
    return shapes.indices.first {
      shapes[$0].lineStart == start && tried &>> UInt64(truncatingIfNeeded: $0) & 1 == 0
    }
  }

  @inline(__always)
  private func read(
    _ run: inout ShapeRun, _ shape: LineShape, _ order: LineShape.Order,
    _ out: UnsafeMutablePointer<Sample>, _ capacity: Int, _ offset: UInt64
  ) -> ShapeRun.Stop {
    var line = Line(place: base, stamps: run.stamps)
    line.stamps.end = shape.timeEnd
    defer { run.stamps = line.stamps }
    while run.count < capacity {
      line.place = base + run.position
      line.text = nil
      guard run.position < count, isRead(&line, shape, order), line.place - base <= count else {
        return .other
      }
      let start = offset &+ UInt64(truncatingIfNeeded: run.position)
      let next = line.place - base
      if let text = line.text {
        return .value(.init(metric: line.metric, time: line.time, offset: start, text: text, next: next))
      }
      run.lines &+= 1
      run.position = next
      out[run.count] = Sample(
        time: Timestamp(line.time), value: line.value, offset: start, payloadStart: 0, payloadCount: 0,
        metric: line.metric, kind: line.kind)
      run.count &+= 1
    }
    return .full
  }

  /// Reads a line from its start to its end; false if it does not fit the shape.
  @inline(__always)
  private func isRead(_ line: inout Line, _ shape: LineShape, _ order: LineShape.Order) -> Bool {
    guard order.metric == 0 ? head(&line, shape, order) : hasRoom(line) && piece(&line, shape.first),
      order.isTimeFirst ? time(&line, shape) : value(&line),
      order.metric == 1
        ? head(&line, shape, order) : piece(&line, order.metric == 0 ? shape.first : shape.second),
      order.isTimeFirst ? value(&line) : time(&line, shape)
    else { return false }
    return order.metric == 2 ? head(&line, shape, order) : piece(&line, shape.second)
  }

  @inline(__always)
  private func hasRoom(_ line: Line) -> Bool { readable &- (line.place - base) >= Self.room }

  @inline(__always)
  private func piece(_ line: inout Line, _ piece: LineShape.Piece) -> Bool {
    guard piece.matches(line.place) else { return false }
    line.place += piece.count
    return true
  }

  // MARK: Head

  @inline(__always)
  private func head(_ line: inout Line, _ shape: LineShape, _ order: LineShape.Order) -> Bool {
    let room = readable &- (line.place - base) &- Self.tail
    guard room >= HeadTable.minimumCount, var head = heads.head(of: line.place, order, room: room) else {
      return false
    }
    if head.metric == HeadTable.manyHeads {
      guard let found = searchedHead(line.place, room, shape, order) else { return false }
      head = found
    }
    line.metric = head.metric
    line.place += head.count
    return true
  }

  /// Maximum closing braces in a head that are tried as its end.
  private static let braces = 4
  /// The length of `{"name":"","valueTypeString":""}`, the shortest object of a metric.
  private static let shortestMetric = 32

  /// The head whose prefix several metrics share, found by the brace that ends the metric's object.
  @inline(never)
  private func searchedHead(
    _ head: UnsafeRawPointer, _ room: Int, _ shape: LineShape, _ order: LineShape.Order
  ) -> (metric: MetricID, count: Int)? {
    let limit = min(room, HeadTable.longest)
    var place = shape.before &+ Self.shortestMetric &- 1
    for _ in 0..<Self.braces {
      guard place < limit, let brace = memchr(head + place, 0x7D, limit &- place) else { return nil }
      place = UnsafeRawPointer(brace) - head &+ 1
      let count = place &+ shape.after
      if count <= limit, count >= HeadTable.minimumCount,
        let metric = heads.metric(of: head, order, count: count)
      {
        return (metric, count)
      }
    }
    return nil
  }

  // MARK: Time

  @inline(__always)
  private func time(_ line: inout Line, _ shape: LineShape) -> Bool {
    guard let (time, count) = line.stamps.read(line.place) ?? otherTime(line.place, shape.timeEnd) else {
      return false
    }
    line.time = time
    line.place += count
    return true
  }

  /// A time stamp of unusual form, with its number of characters.
  @inline(never)
  private func otherTime(_ stamp: UnsafeRawPointer, _ end: UInt8) -> (Double, Int)? {
    guard let end = memchr(stamp, Int32(end), DecimalNumber.longest &+ 1) else { return nil }
    let count = UnsafeRawPointer(end) - stamp
    return DecimalNumber.double(stamp, count: count, isNegative: false).map { ($0, count) }
  }

  // MARK: Value

  @inline(__always)
  private func value(_ line: inout Line) -> Bool {
    if let number = numbers.read(line.place),
      line.place.load(fromByteOffset: number.length, as: UInt8.self) == 0x22
    {
      (line.value, line.kind) = (number.value, .number)
      line.place += number.length
      return true
    }
    guard let (kind, value) = Self.word(line.place) else { return otherValue(&line) }
    (line.kind, line.value) = (kind, value)
    line.place += 8
    return true
  }

  /// The kind and number for the Base64 of a Boolean or of `null`.
  @inline(__always)
  private static func word(_ text: UnsafeRawPointer) -> (SampleKind, Double)? {
    switch text.loadUnaligned(as: UInt64.self) {
    case yes: (.bool, 1)
    case no: (.bool, 0)
    case null: (.null, 0)
    default: nil
    }
  }

  /// Any other value up to its quote, which Base64 does not contain.
  @inline(never)
  private func otherValue(_ line: inout Line) -> Bool {
    let start = line.place - base
    // In a half line at the end of the valid bytes, the value may seem to start past them, in leftover bytes.
    guard start < count, let quote = memchr(line.place, 0x22, count &- start) else { return false }
    line.text = UnsafeRawBufferPointer(start: line.place, count: UnsafeRawPointer(quote) - line.place)
    line.place = UnsafeRawPointer(quote)
    return hasRoom(line)
  }
}

/// The progress of a run over lines of known shapes.
struct ShapeRun {
  /// Start of the next line in the chunk.
  var position = 0
  /// Number of lines read.
  var lines = 0
  /// Number of samples ready.
  var count = 0
  var stamps = StampReader()

  /// The reason a run stopped.
  enum Stop {
    /// There is no room for another sample.
    case full
    /// The next line is valid, but its value is a string, an object, an array or an unusual number.
    case value(OtherValue)
    /// The next line has another shape, its head is unknown, or the chunk ends.
    case other
  }

  /// A line that is read except for its value.
  struct OtherValue {
    let metric: MetricID
    let time: Double
    let offset: UInt64
    /// The Base64 in the chunk.
    let text: UnsafeRawBufferPointer
    /// Start of the line that follows.
    let next: Int
  }
}
