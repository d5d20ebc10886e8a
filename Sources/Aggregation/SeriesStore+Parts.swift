/// A run of samples of one series that is known only by its sums, such as an index slot.
package struct SeriesPart: Sendable {
  /// Earliest and latest time, in seconds since 2001.
  package var firstTime: Double
  package var lastTime: Double
  /// Number of numbers, their sum, minimum, maximum and histogram.
  package var numbers: Int
  package var sum: CompensatedSum
  package var minimum: Double
  package var maximum: Double
  package var sketch: SketchHistogram
  package var nulls: Int
  package var trues: Int
  package var falses: Int
  /// Texts with their counts.
  package var texts: [(text: String, count: Int)]

  package init(
    firstTime: Double, lastTime: Double, numbers: Int, sum: CompensatedSum, minimum: Double, maximum: Double,
    sketch: SketchHistogram, nulls: Int, trues: Int, falses: Int, texts: [(text: String, count: Int)]
  ) {
    (self.firstTime, self.lastTime) = (firstTime, lastTime)
    (self.numbers, self.sum, self.minimum, self.maximum) = (numbers, sum, minimum, maximum)
    (self.sketch, self.nulls, self.trues, self.falses, self.texts) = (sketch, nulls, trues, falses, texts)
  }

  var count: Int { numbers + nulls + trues + falses + texts.reduce(0) { $0 + $1.count } }
}

extension SeriesStore {
  /// Adds a run of samples that is known only by its sums; it goes into the rollup.
  ///
  /// Its standard deviation is unknown, and so is that of every summary that includes it.
  package mutating func take(_ part: SeriesPart, of id: SeriesID) {
    guard pages.contains(id), part.count > 0 else { return }
    var digest = Digest(part)
    for (text, count) in part.texts {
      let known = pages[id.index].texts.count
      let number = pages[id.index].texts.number(of: text, allowNew: textCount < limits.texts)
      textCount += pages[id.index].texts.count - known
      digest.add(Digest.TextCount(number: number, count: count))
    }
    recorded += part.count
    rolledUp += part.count
    density.record(count: part.count, from: part.firstTime, to: part.lastTime)
    pages[id.index].tally.merge(SeriesTally(part))
    pages[id.index].rollup.merge(digest, limits: rollupLimits)
    pages[id.index].version += 1
  }
}

extension Digest {
  fileprivate init(_ part: SeriesPart) {
    self.init()
    (firstTime, lastTime) = (part.firstTime, part.lastTime)
    moments = Moments(count: part.numbers, sum: part.sum, minimum: part.minimum, maximum: part.maximum)
    sketch = part.sketch
    (nulls, trues, falses) = (part.nulls, part.trues, part.falses)
  }
}

extension SeriesTally {
  fileprivate init(_ part: SeriesPart) {
    self.init()
    (firstTime, lastTime) = (part.firstTime, part.lastTime)
    (numbers, nulls, bools) = (part.numbers, part.nulls, part.trues + part.falses)
    texts = part.texts.reduce(0) { $0 + $1.count }
  }
}
