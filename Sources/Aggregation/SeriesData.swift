/// The store's data for one series.
struct SeriesData: Sendable {
  let identity: SeriesIdentity
  /// True if the value type is a whole-number type.
  let isWhole: Bool
  /// See `SeriesID`.
  let generation: Int32
  var raw = RawSamples()
  var rollup = Rollup()
  var texts = TextTable()
  var tally = SeriesTally()
  /// Increases with every change, so that results computed from the series can be cached until then.
  var version = 0

  init(identity: SeriesIdentity, generation: Int32 = 0) {
    self.identity = identity
    isWhole = identity.isWhole
    self.generation = generation
  }
}

/// Counts of the samples of a series so far.
package struct SeriesTally: Sendable, Equatable {
  /// Number of samples that were numbers.
  package internal(set) var numbers = 0
  /// Number of samples that were bools.
  package internal(set) var bools = 0
  /// Number of samples that were texts.
  package internal(set) var texts = 0
  /// Number of samples that were null.
  package internal(set) var nulls = 0
  /// Time of the earliest sample; +∞ if there is none.
  package internal(set) var firstTime = Double.infinity
  /// Time of the latest sample; -∞ if there is none.
  package internal(set) var lastTime = -Double.infinity

  package init() {}

  /// Number of samples of any kind.
  package var count: Int { numbers + bools + texts + nulls }

  func shifted(by shift: Double) -> SeriesTally {
    guard shift != 0 else { return self }
    var tally = self
    (tally.firstTime, tally.lastTime) = (firstTime + shift, lastTime + shift)
    return tally
  }

  mutating func record(_ value: SeriesValue, at time: Double) {
    firstTime = min(firstTime, time)
    lastTime = max(lastTime, time)
    switch value {
    case .number: numbers += 1
    case .bool: bools += 1
    case .text: texts += 1
    case .null: nulls += 1
    }
  }

  mutating func merge(_ other: SeriesTally) {
    firstTime = min(firstTime, other.firstTime)
    lastTime = max(lastTime, other.lastTime)
    numbers += other.numbers
    bools += other.bools
    texts += other.texts
    nulls += other.nulls
  }
}
