/// The raw samples of one series in time order, in chunks.
///
/// A snapshot shares all chunks; the next append copies only the last one. A full chunk has a digest, so a window of a
/// million samples reads a few thousand digests instead.
struct RawSamples: Sendable {
  /// A run of samples, sorted by time.
  struct Chunk: Sendable {
    var samples: [RawSample]
    /// True if the next sample opens a new chunk.
    var isFull = false
    /// The digest of the samples: set when a large chunk is full, dropped when a late sample is inserted.
    ///
    /// An array serves as a box: a digest is large, and most chunks of a store with many series have none.
    fileprivate var box: [Digest] = []

    init(samples: [RawSample]) { self.samples = samples }

    var digest: Digest? { box.first }

    var firstTime: Double { samples.first?.time ?? .infinity }
    var lastTime: Double { samples.last?.time ?? -.infinity }
  }

  /// Maximum number of histogram bins in a chunk's digest.
  static let digestBins = 128

  /// In time order; no chunk is empty.
  private(set) var chunks: [Chunk] = []
  private(set) var count = 0

  var firstTime: Double? { chunks.first?.firstTime }
  var lastTime: Double? { chunks.last?.lastTime }

  /// Inserts a sample by time, after those with the same time.
  ///
  /// - Returns: the number of chunks that became full.
  mutating func insert(_ sample: RawSample, capacity: Int) -> Int {
    count += 1
    guard let last = chunks.indices.last else { return open(with: sample) }
    guard sample.time >= chunks[last].lastTime else { return insertLate(sample, capacity: capacity) }
    if chunks[last].isFull { return open(with: sample) }
    chunks[last].samples.append(sample)
    guard chunks[last].samples.count >= capacity else { return 0 }
    chunks[last].seal()
    return 1
  }

  private mutating func open(with sample: RawSample) -> Int {
    chunks.append(Chunk(samples: [sample]))
    return 0
  }

  private mutating func insertLate(_ sample: RawSample, capacity: Int) -> Int {
    // The first chunk that ends after the sample; it exists, or the sample would not be late.
    let place = min(chunks.count - 1, Self.firstIndex(0..<chunks.count) { chunks[$0].lastTime > sample.time })
    let samples = chunks[place].samples
    let position = Self.firstIndex(0..<samples.count) { samples[$0].time > sample.time }
    chunks[place].dropDigest()
    chunks[place].samples.insert(sample, at: position)
    // A full chunk may grow to twice its size before it is split, so that late samples rarely split one.
    guard chunks[place].samples.count >= 2 * capacity else { return 0 }
    split(place, at: capacity)
    return 1
  }

  private mutating func split(_ place: Int, at position: Int) {
    let tail = Array(chunks[place].samples[position...])
    chunks[place].samples.removeSubrange(position...)
    let isFull = chunks[place].isFull
    chunks[place].seal()
    chunks.insert(Chunk(samples: tail), at: place + 1)
    if isFull { chunks[place + 1].isFull = true }
  }

  /// Removes the oldest chunk.
  mutating func removeFirst() -> Chunk? {
    guard !chunks.isEmpty else { return nil }
    let chunk = chunks.removeFirst()
    count -= chunk.samples.count
    return chunk
  }

  /// The chunks that overlap [from, to].
  func chunks(from: Double, to: Double) -> ArraySlice<Chunk> {
    let start = Self.firstIndex(0..<chunks.count) { chunks[$0].lastTime >= from }
    let end = Self.firstIndex(start..<chunks.count) { chunks[$0].firstTime > to }
    return chunks[start..<end]
  }

  /// The first index of a partitioned range for which `claim` is true, or the end of the range.
  static func firstIndex(_ range: Range<Int>, where claim: (Int) -> Bool) -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if claim(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension RawSamples.Chunk {
  /// Smallest chunk with a digest; a digest of fewer samples would be larger than the samples.
  private static let leastDigest = 64

  mutating func seal() {
    isFull = true
    // The array grew by doubling, so a full chunk would leave a fifth of it unused. `Array(samples[...])` would not copy.
    if samples.capacity > samples.count + samples.count / 16 {
      var exact: [RawSample] = []
      exact.reserveCapacity(samples.count)
      exact += samples
      samples = exact
    }
    box = samples.count >= Self.leastDigest ? [computedDigest(bins: RawSamples.digestBins)] : []
  }

  mutating func dropDigest() { box = [] }

  func computedDigest(bins: Int) -> Digest {
    var digest = Digest()
    for sample in samples { digest.record(sample, bins: bins) }
    return digest
  }

  /// The samples of [from, to].
  func samples(from: Double, to: Double) -> ArraySlice<RawSample> {
    let start = RawSamples.firstIndex(0..<samples.count) { samples[$0].time >= from }
    let end = RawSamples.firstIndex(start..<samples.count) { samples[$0].time > to }
    return samples[start..<end]
  }
}
