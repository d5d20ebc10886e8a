/// The bins of a `LogHistogram` for values of one sign: pages of 64 counts, one page per octave in use.
struct LogBins: Sendable, Equatable {
  /// First octave of `directory`: the eleven exponent bits; 0 and below for subnormal values.
  private var firstOctave = 0
  /// Page number of each octave from `firstOctave` on, or -1.
  private var directory: [Int16] = []
  private var counts: [UInt32] = []

  private static let shift = UInt64(46)
  private static let octaveBins = LogHistogram.binsPerOctave
  /// Factor that makes the smallest positive value normal, and the number of octaves it amounts to.
  private static let enlargement = 0x1p52
  private static let enlargedOctaves = 52

  /// Records a positive value.
  @inline(__always)
  mutating func record(_ value: Double, times: Int) {
    let bits = value.bitPattern
    let octave = Int(truncatingIfNeeded: bits &>> 52)
    if octave == 0 { return recordSubnormal(value, times: times) }
    add(times, octave: octave, bin: Int(truncatingIfNeeded: (bits &>> Self.shift) & 63))
  }

  /// Records a subnormal value, whose pattern has no octave: scaling it up is exact and provides one.
  @inline(never)
  private mutating func recordSubnormal(_ value: Double, times: Int) {
    let bits = (value * Self.enlargement).bitPattern
    let octave = Int(truncatingIfNeeded: bits &>> 52) &- Self.enlargedOctaves
    add(times, octave: octave, bin: Int(truncatingIfNeeded: (bits &>> Self.shift) & 63))
  }

  @inline(__always)
  private mutating func add(_ times: Int, octave: Int, bin: Int) {
    let slot = octave &- firstOctave
    var page = -1
    if slot >= 0, slot < directory.count { page = Int(directory[slot]) }
    if page < 0 { page = addPage(octave: octave) }
    let index = page &* Self.octaveBins &+ bin
    counts[index] = counts[index].addingSaturated(UInt32(clamping: times))
  }

  @inline(never)
  private mutating func addPage(octave: Int) -> Int {
    if directory.isEmpty { firstOctave = octave }
    if octave < firstOctave {
      directory.insert(contentsOf: repeatElement(-1, count: firstOctave - octave), at: 0)
      firstOctave = octave
    }
    let slot = octave - firstOctave
    if slot >= directory.count {
      directory.append(contentsOf: repeatElement(-1, count: slot + 1 - directory.count))
    }
    let page = counts.count / Self.octaveBins
    directory[slot] = Int16(page)
    counts.append(contentsOf: repeatElement(0, count: Self.octaveBins))
    return page
  }

  mutating func merge(_ other: LogBins) {
    other.forEachBin { octave, bin, count in add(Int(count), octave: octave, bin: bin) }
  }

  /// The bins in use, from smallest to largest magnitude.
  var bins: [HistogramBin] {
    var bins: [HistogramBin] = []
    forEachBin { octave, bin, count in
      let lower = Self.edge(octave: octave, bin: bin)
      let next = Self.edge(octave: octave, bin: bin + 1)
      let upper = next.isFinite ? next : .greatestFiniteMagnitude
      bins.append(HistogramBin(lower: lower, upper: upper, count: Int(count)))
    }
    return bins
  }

  /// Lower edge of a bin; infinite after the last one.
  private static func edge(octave: Int, bin: Int) -> Double {
    let places = UInt64(bin) << shift
    guard octave <= 0 else { return Double(bitPattern: UInt64(octave) << 52 + places) }
    return Double(bitPattern: UInt64(octave + enlargedOctaves) << 52 + places) / enlargement
  }

  private func forEachBin(_ body: (_ octave: Int, _ bin: Int, _ count: UInt32) -> Void) {
    for (slot, page) in directory.enumerated() where page >= 0 {
      let start = Int(page) * Self.octaveBins
      for bin in 0..<Self.octaveBins where counts[start + bin] > 0 {
        body(firstOctave + slot, bin, counts[start + bin])
      }
    }
  }

  /// Heap memory in bytes, for budgets.
  var footprint: Int { counts.count * 4 + directory.count * 2 }

  static func == (left: LogBins, right: LogBins) -> Bool { left.bins == right.bins }
}
