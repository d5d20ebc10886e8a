#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// The hot path. Everything here works on raw memory inside one chunk; each shortcut proves the shape it relies on and
// leaves the line to the readers behind it where it cannot.
extension SampleScanner {
  /// How many samples are gathered before they go into the batch.
  private static let gathered = 1024
  /// Words are loaded up to this many bytes past a line's end.
  private static let slack = 32

  /// Reads canonical lines until one is not, or the chunk's end is near.
  ///
  /// - Parameters:
  ///   - chunk: Begins at a line's start.
  ///   - offset: Where the chunk lies in the file, in bytes.
  /// - Returns: How many bytes and lines were read.
  mutating func scanCanonical(
    _ chunk: UnsafeRawBufferPointer, at offset: UInt64, into batch: inout SampleBatch
  ) -> (bytes: Int, lines: Int) {
    guard let base = chunk.baseAddress, chunk.count > Self.slack else { return (0, 0) }
    let limit = chunk.count - Self.slack
    return withUnsafeTemporaryAllocation(of: Sample.self, capacity: Self.gathered) { samples in
      guard let out = samples.baseAddress else { return (0, 0) }
      var run = CanonicalRun()
      while true {
        run.count = 0
        let stop = Self.withReader(base: base, limit: limit, heads) { reader in
          reader.read(&run, into: out, capacity: Self.gathered, offset: offset)
        }
        batch.samples.append(contentsOf: UnsafeMutableBufferPointer(start: out, count: run.count))
        switch stop {
        case .full: continue
        case .value(let value) where append(value, in: chunk, offset, &run, into: &batch): continue
        case .value, .other, nil: return (run.position, run.lines)
        }
      }
    }
  }

  /// Lends a reader with all its tables.
  @inline(__always)
  private static func withReader<Result>(
    base: UnsafeRawPointer, limit: Int, _ heads: HeadTable, _ body: (CanonicalReader) -> Result
  ) -> Result? {
    let room = NumberText.capacity + 2 * DecimalNumber.slack
    return withUnsafeTemporaryAllocation(byteCount: room, alignment: 16) { scratch -> Result? in
      heads.withPointers { heads in
        PowersOfFive.words.withUnsafeBufferPointer { powers in
          DecimalNumber.tens.withUnsafeBufferPointer { tens -> Result? in
            guard let powers = powers.baseAddress, let tens = tens.baseAddress,
              let scratch = scratch.baseAddress
            else { return nil }
            return body(
              CanonicalReader(
                base: base, limit: limit, heads: heads, powers: powers, tens: tens,
                scratch: scratch + DecimalNumber.slack))
          }
        } ?? nil
      } ?? nil
    }
  }

  /// Appends the sample of a line whose value is no plain number; `false` if the line is better read by others.
  private mutating func append(
    _ parts: CanonicalRun.OtherValue, in chunk: UnsafeRawBufferPointer, _ offset: UInt64,
    _ run: inout CanonicalRun, into batch: inout SampleBatch
  ) -> Bool {
    let text = UnsafeRawBufferPointer(rebasing: chunk[parts.range])
    let start = batch.payload.count
    guard start <= 1 << 31, Base64.decode(escaped: text, into: &batch.payload) else { return false }
    guard let (kind, inner) = PlainValue.read(batch.payload, from: start) else {
      batch.payload.removeLast(batch.payload.count - start)
      return false
    }
    batch.samples.append(
      Sample(
        time: parts.time, value: 0, offset: offset &+ UInt64(run.position),
        payloadStart: UInt32(inner.lowerBound), payloadCount: UInt32(inner.count), metric: parts.metric,
        kind: kind))
    run.position = parts.range.upperBound + 3
    run.lines += 1
    return true
  }
}

/// How far a run over canonical lines has come.
struct CanonicalRun {
  /// Where the next line begins in the chunk.
  var position = 0
  /// How many lines were read.
  var lines = 0
  /// How many samples lie ready.
  var count = 0

  /// Why a run stopped.
  enum Stop {
    /// There is no room for another sample.
    case full
    /// The next line is sound, but its value is a text or made of several.
    case value(OtherValue)
    /// The next line is not canonical, its head is not known, or the chunk ends.
    case other
  }

  /// A line that is read but for its value.
  struct OtherValue {
    let metric: MetricID
    let time: Double
    /// Where the Base64 lies in the chunk; the line ends with two more bytes and the newline.
    let range: Range<Int>
  }
}

/// Reads lines of known heads.
struct CanonicalReader {
  let base: UnsafeRawPointer
  let limit: Int
  let heads: HeadTable.Pointers
  let powers: UnsafePointer<UInt64>
  let tens: UnsafePointer<UInt64>
  /// Room for a decoded number with what `DecimalNumber` wants on both sides of it.
  let scratch: UnsafeMutableRawPointer

  /// `dHJ1ZQ==`, `ZmFsc2U=` and `bnVsbA==` (true, false, null) in the order of memory.
  private static let yes: UInt64 = 0x3D3D_515A_314A_4864
  private static let no: UInt64 = 0x3D55_3263_7346_6D5A
  private static let null: UInt64 = 0x3D3D_4162_7356_6E62

  /// Reads lines whose values are numbers, truth values or `null`, until one is something else.
  @inline(__always)
  func read(
    _ run: inout CanonicalRun, into out: UnsafeMutablePointer<Sample>, capacity: Int, offset: UInt64
  ) -> CanonicalRun.Stop {
    var recent = RecentTime()
    while run.position < limit {
      guard run.count < capacity else { return .full }
      let line = base + run.position
      guard let newline = memchr(line, 0x0A, limit &- run.position) else { return .other }
      let length = UnsafeRawPointer(newline) - line
      guard let (metric, parts) = head(line, count: length),
        let time = time(line + parts.headCount, count: parts.timeEnd &- parts.headCount, &recent)
      else { return .other }
      let text = line + parts.valueStart
      let textCount = length &- 2 &- parts.valueStart
      var kind = SampleKind.number
      var value = 0.0
      if let number = number(text, length: textCount) {
        value = number
      } else if textCount == 8, let word = Self.word(text) {
        (kind, value) = word
      } else {
        let start = run.position &+ parts.valueStart
        return .value(.init(metric: metric, time: time, range: start..<start &+ textCount))
      }
      out[run.count] = Sample(
        time: time, value: value, offset: offset &+ UInt64(run.position), payloadStart: 0, payloadCount: 0,
        metric: metric, kind: kind)
      run.count &+= 1
      run.lines &+= 1
      run.position &+= length &+ 1
    }
    return .other
  }

  /// What the Base64 of a truth value or of `null` stands for.
  @inline(__always)
  private static func word(_ text: UnsafeRawPointer) -> (SampleKind, Double)? {
    switch text.loadUnaligned(as: UInt64.self) {
    case yes: (.bool, 1)
    case no: (.bool, 0)
    case null: (.null, 0)
    default: nil
    }
  }

  /// The metric of a line and its parts: by its first bytes if they are enough, else from its end.
  @inline(__always)
  private func head(_ line: UnsafeRawPointer, count: Int) -> (MetricID, CanonicalLine)? {
    guard count >= CanonicalLine.minimumCount else { return nil }
    if let head = heads.head(of: line, room: count),
      let parts = CanonicalLine(line, count: count, headCount: head.count)
    {
      return (head.metric, parts)
    }
    guard let parts = CanonicalLine(line, count: count),
      let metric = heads.metric(of: line, count: parts.headCount)
    else { return nil }
    return (metric, parts)
  }

  /// The first eight digits of the last time stamp: the next one mostly begins with the same.
  struct RecentTime {
    var text: UInt64 = 0
    var value: UInt64 = 0
  }

  @inline(__always)
  private func time(_ text: UnsafeRawPointer, count: Int, _ recent: inout RecentTime) -> Double? {
    // Nine digits in front of the point: every moment between 2004 and 2032.
    if count > 10, count <= 18, text.load(fromByteOffset: 9, as: UInt8.self) == 0x2E {
      let word = text.loadUnaligned(as: UInt64.self)
      if word != recent.text {
        guard let value = DecimalNumber.eightDigits(word), word & 0xFF != 0x30 else { return nil }
        recent = RecentTime(text: word, value: value)
      }
      return DecimalNumber(leading: recent.value, text, count: count, tens: tens)?
        .double(isNegative: false, powers: powers)
    }
    return DecimalNumber(text, count: count, tens: tens)?.double(isNegative: false, powers: powers)
  }

  /// The number that a Base64 text holds; `nil` for any other value and for whole numbers that no double holds.
  @inline(__always)
  private func number(_ text: UnsafeRawPointer, length: Int) -> Double? {
    let count = NumberText.decode(text, length: length, into: scratch)
    guard count > 0 else { return nil }
    let isNegative = scratch.load(as: UInt8.self) == 0x2D
    let sign = isNegative ? 1 : 0
    guard let number = DecimalNumber(scratch + sign, count: count &- sign, tens: tens),
      number.fractionDigits > 0 || number.mantissa < 1 << 53
    else { return nil }
    return number.double(isNegative: isNegative, powers: powers)
  }
}
