import Essentials

/// Collects the figures of a payload; absent values and NaN are skipped.
struct FigureList {
  private(set) var figures: [PayloadFigure] = []
  private let applicationVersion: String?

  init(applicationVersion: String?) {
    self.applicationVersion = applicationVersion
    figures.reserveCapacity(64)
  }

  mutating func add(_ name: String, _ duration: Quantity<DurationUnit>?, in unit: PayloadUnit) {
    add(name, unit.word, duration?.value(in: unit.duration))
  }

  mutating func add(_ name: String, _ amount: Quantity<InformationUnit>?, in unit: PayloadUnit) {
    add(name, unit.word, amount?.value(in: unit.information))
  }

  /// Adds a number with a symbol as its unit.
  mutating func add(_ name: String, _ quantity: Quantity<SymbolUnit>?, in unit: SymbolUnit) {
    add(name, unit.symbol, quantity?.value)
  }

  mutating func add(_ name: String, count: Int?) {
    add(name, PayloadFigure.count, count.map(Double.init))
  }

  /// Adds a mean with the number of its samples and, if known, their deviation, which are in the unit of the mean; does
  /// nothing without samples.
  ///
  /// - Parameter addMean: Adds the mean alone.
  mutating func add<UnitType>(
    _ name: String, _ average: QuantityAverage<UnitType>,
    _ addMean: (Quantity<UnitType>, String, inout FigureList) -> Void
  ) {
    guard !average.isMissing else { return }
    addMean(average.mean, name, &self)
    guard let mean = figures.last, mean.name == name else { return }
    add(name + ".standardDeviation", mean.unit, average.knownDeviation)
    add(name + ".sampleCount", count: average.sampleCount)
  }

  mutating func add(_ name: String, _ histogram: TimeHistogram?) {
    guard let histogram else { return }
    append(name, PayloadUnit.milliseconds.word, .bins(histogram.bins))
  }

  /// Adds a histogram of signal bars, whose counts are percentages.
  mutating func add(_ name: String, _ histogram: CellularHistogram?) {
    guard let histogram else { return }
    let bins = histogram.bins.filter { $0.bars.isFinite && $0.upTo.isFinite }
      .map { TimeHistogram.Bin(start: $0.bars, end: $0.upTo, count: $0.percent) }
    append(name, CellularHistogram.symbol, .bins(bins))
  }

  private mutating func add(_ name: String, _ unit: String, _ value: Double?) {
    guard let value, value.isFinite else { return }
    append(name, unit, .number(value))
  }

  private mutating func append(_ name: String, _ unit: String, _ value: PayloadFigure.Value) {
    figures.append(PayloadFigure(name, unit, value, applicationVersion: applicationVersion))
  }
}
