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
      var position = 0
      var lines = 0
      while true {
        var count = 0
        let reached = heads.withPointers { heads in
          PowersOfFive.words.withUnsafeBufferPointer { powers -> Int in
            guard let powers = powers.baseAddress else { return position }
            let reader = CanonicalReader(
              base: base, limit: limit, offset: offset, heads: heads, powers: powers)
            return reader.read(from: position, into: out, capacity: Self.gathered, count: &count)
          }
        }
        batch.samples.append(contentsOf: UnsafeMutableBufferPointer(start: out, count: count))
        lines &+= count
        position = reached ?? position
        if count < Self.gathered { return (position, lines) }
      }
    }
  }
}

/// Reads lines of known heads whose values are numbers, truth values or `null`.
struct CanonicalReader {
  let base: UnsafeRawPointer
  let limit: Int
  let offset: UInt64
  let heads: HeadTable.Pointers
  let powers: UnsafePointer<UInt64>

  /// `dHJ1ZQ==`, `ZmFsc2U=` and `bnVsbA==` (true, false, null) in the order of memory.
  private static let yes: UInt64 = 0x3D3D_515A_314A_4864
  private static let no: UInt64 = 0x3D55_3263_7346_6D5A
  private static let null: UInt64 = 0x3D3D_4162_7356_6E62

  /// Reads lines from `start` on; returns where the first one begins that was not read.
  @inline(__always)
  func read(from start: Int, into out: UnsafeMutablePointer<Sample>, capacity: Int, count: inout Int) -> Int {
    var position = start
    while count < capacity, position < limit {
      let line = base + position
      guard let newline = memchr(line, 0x0A, limit &- position) else { break }
      let length = UnsafeRawPointer(newline) - line
      guard let sample = sample(line, count: length, at: position) else { break }
      out[count] = sample
      count &+= 1
      position &+= length &+ 1
    }
    return position
  }

  @inline(__always)
  private func sample(_ line: UnsafeRawPointer, count: Int, at position: Int) -> Sample? {
    guard let parts = CanonicalLine(line, count: count),
      let metric = heads.metric(of: line, count: parts.headCount),
      let time = time(line, from: parts.headCount, to: parts.timeEnd)
    else { return nil }
    let text = line + parts.valueStart
    let length = count &- 2 &- parts.valueStart
    var kind = SampleKind.number
    var value = 0.0
    if let decoded = number(text, length: length) {
      value = decoded
    } else if length == 8 {
      switch text.loadUnaligned(as: UInt64.self) {
      case Self.yes: (kind, value) = (.bool, 1)
      case Self.no: kind = .bool
      case Self.null: kind = .null
      default: return nil
      }
    } else {
      return nil
    }
    return Sample(
      time: time, value: value, offset: offset &+ UInt64(position), payloadStart: 0, payloadCount: 0,
      metric: metric, kind: kind)
  }

  @inline(__always)
  private func time(_ line: UnsafeRawPointer, from start: Int, to end: Int) -> Double? {
    let text = line + start
    guard end &- start <= 24 else { return nil }
    let number = DecimalNumber(
      text.loadUnaligned(as: UInt64.self), text.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
      text.loadUnaligned(fromByteOffset: 16, as: UInt64.self), count: end &- start)
    return number?.double(powers: powers)
  }

  /// The number that a Base64 text holds; `nil` for any other value and for whole numbers that no double holds.
  @inline(__always)
  private func number(_ text: UnsafeRawPointer, length: Int) -> Double? {
    guard let decoded = NumberText(text, length: length),
      let number = DecimalNumber(decoded.words.0, decoded.words.1, decoded.words.2, count: decoded.count),
      number.hasPoint || number.mantissa <= 1 << 53
    else { return nil }
    return number.double(powers: powers)
  }
}
