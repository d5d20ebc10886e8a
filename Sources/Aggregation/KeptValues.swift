/// Numbers kept individually: whole numbers take half the space, and growth does not move the existing ones.
struct KeptValues: Sendable, Equatable {
  private enum Chunk: Sendable {
    /// Values that 32-bit integers represent bit for bit.
    case whole([Int32])
    case any([Double])
  }

  /// Values per chunk: 8 KiB of doubles.
  static let chunkCount = 1024

  private var chunks: [Chunk] = []
  /// The values after the last chunk.
  private var open: [Double] = []
  private(set) var count = 0

  init() {}

  @inline(__always)
  mutating func append(_ value: Double) {
    open.append(value)
    count &+= 1
    if open.count >= Self.chunkCount { close() }
  }

  mutating func append(_ other: KeptValues) {
    chunks += other.chunks
    count += other.count - other.open.count
    for value in other.open { append(value) }
  }

  @inline(never)
  private mutating func close() {
    if let whole = Self.whole(open) {
      chunks.append(.whole(whole))
      open.removeAll(keepingCapacity: true)
      return
    }
    chunks.append(.any(open))
    open = []
    open.reserveCapacity(Self.chunkCount)
  }

  /// The values as 32-bit integers; `nil` if one of them is not representable, such as a negative zero.
  private static func whole(_ values: [Double]) -> [Int32]? {
    for value in values {
      guard value >= -0x1p31, value < 0x1p31, Double(Int32(value)).bitPattern == value.bitPattern else {
        return nil
      }
    }
    return values.map { Int32($0) }
  }

  /// Calls `body` with all values, one buffer at a time.
  func forEachBuffer(_ body: (UnsafeBufferPointer<Double>) -> Void) {
    for chunk in chunks {
      switch chunk {
      case .whole(let values): values.map { Double($0) }.withUnsafeBufferPointer(body)
      case .any(let values): values.withUnsafeBufferPointer(body)
      }
    }
    open.withUnsafeBufferPointer(body)
  }

  /// All values in one array.
  var all: [Double] {
    var all: [Double] = []
    all.reserveCapacity(count)
    forEachBuffer { all.append(contentsOf: $0) }
    return all
  }

  /// True if both hold the same values in the same order.
  static func == (one: KeptValues, other: KeptValues) -> Bool {
    one.count == other.count && one.all == other.all
  }
}
