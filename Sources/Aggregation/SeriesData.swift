/// All that the store knows of one series.
struct SeriesData: Sendable {
  let identity: SeriesIdentity
  /// True if all values are whole numbers, by their type.
  let isWhole: Bool
  /// See `SeriesID`.
  let generation: Int32
  var raw = RawSamples()
  var rollup = Rollup()
  var texts = TextTable()
  var tally = SeriesTally()
  /// Grows with every change, so that what was computed from the series can be kept until then.
  var version = 0

  init(identity: SeriesIdentity, generation: Int32 = 0) {
    self.identity = identity
    isWhole = identity.isWhole
    self.generation = generation
  }
}

/// A tally of what a series has held so far.
package struct SeriesTally: Sendable, Equatable {
  /// How many samples were numbers.
  package internal(set) var numbers = 0
  /// How many samples were bools.
  package internal(set) var bools = 0
  /// How many samples were texts.
  package internal(set) var texts = 0
  /// How many samples were null.
  package internal(set) var nulls = 0
  /// Time of the earliest sample; +∞ while there is none.
  package internal(set) var firstTime = Double.infinity
  /// Time of the latest sample; -∞ while there is none.
  package internal(set) var lastTime = -Double.infinity

  package init() {}

  /// All samples.
  package var count: Int { numbers + bools + texts + nulls }

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
