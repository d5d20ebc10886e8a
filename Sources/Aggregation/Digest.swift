/// A summary of a run of samples of one series, without the samples themselves.
///
/// Used for a sealed chunk of raw samples, so that a window of a million samples need not be read again, and for a
/// rollup slot, whose samples are gone.
struct Digest: Sendable, Equatable {
  /// Earliest and latest time of all samples; +∞ and -∞ if there are none.
  var firstTime = Double.infinity
  var lastTime = -Double.infinity
  /// The number with the latest time.
  var lastNumber: Double?
  private var lastNumberTime = -Double.infinity
  var moments = Moments()
  var sketch = SketchHistogram()
  var nulls = 0
  var trues = 0
  var falses = 0
  /// Counts of texts by their number in the series' table, sorted by number; at most `TextTable.limit` + 1.
  var texts: [TextCount] = []

  /// One text's number of occurrences.
  struct TextCount: Sendable, Equatable {
    var number: Int
    var count: Int
  }

  /// Number of samples of any kind.
  var count: Int { moments.count + nulls + trues + falses + texts.reduce(0) { $0 + $1.count } }

  /// Records one sample.
  ///
  /// - Parameter bins: maximum number of histogram bins; 0 for no histogram.
  mutating func record(_ sample: RawSample, bins: Int) {
    firstTime = min(firstTime, sample.time)
    lastTime = max(lastTime, sample.time)
    switch sample.content {
    case .number(let value):
      moments.record(value)
      if bins > 0 { sketch.record(value, limit: bins) }
      noteLast(value, at: sample.time)
    case .bool(true): trues += 1
    case .bool(false): falses += 1
    case .text(let number): add(TextCount(number: number, count: 1))
    case .null: nulls += 1
    }
  }

  private mutating func noteLast(_ value: Double, at time: Double) {
    guard time >= lastNumberTime else { return }
    (lastNumber, lastNumberTime) = (value, time)
  }

  mutating func add(_ text: TextCount) {
    let place = texts.firstIndex { $0.number >= text.number } ?? texts.count
    if place < texts.count, texts[place].number == text.number {
      texts[place].count += text.count
    } else {
      texts.insert(text, at: place)
    }
  }

  /// Merges everything in `other`; `renumbered` maps its text numbers to ours.
  mutating func merge(_ other: Digest, bins: Int, renumbered: (Int) -> Int = { $0 }) {
    firstTime = min(firstTime, other.firstTime)
    lastTime = max(lastTime, other.lastTime)
    moments.merge(other.moments)
    if bins > 0 { sketch.merge(other.sketch, limit: bins) }
    nulls += other.nulls
    trues += other.trues
    falses += other.falses
    for text in other.texts { add(TextCount(number: renumbered(text.number), count: text.count)) }
    if let value = other.lastNumber { noteLast(value, at: other.lastNumberTime) }
  }
}
