extension SampleCube {
  /// The label of a sample in a dimension.
  package enum LabelValue: Hashable, Sendable, ExpressibleByStringLiteral {
    case value(String)
    /// The sample has no value in the dimension.
    case missing

    package init(stringLiteral text: String) { self = .value(text) }
  }

  /// A selection of samples by label and time.
  package struct Choice: Hashable, Sendable {
    /// The label of a sample in each of these dimensions.
    package var labels: [String: LabelValue]
    /// From the lower bound up to but not including the upper one, in seconds since 2001; `nil` for all times.
    package var window: Range<Double>?

    package init(labels: [String: LabelValue] = [:], window: Range<Double>? = nil) {
      (self.labels, self.window) = (labels, window)
    }
  }

  /// The samples of a choice.
  package struct Selection: Sendable, Equatable {
    /// Count, extremes, mean and spread, computed from the samples themselves.
    package var moments = Moments()
    /// Narrow bins in ascending order.
    package var bins: [HistogramBin] = []

    package init(moments: Moments = Moments(), bins: [HistogramBin] = []) {
      (self.moments, self.bins) = (moments, bins)
    }

    package var count: Int { moments.count }

    /// The percentiles (0 to 100, ascending) by nearest rank, each bounded by its bin.
    package func quantiles(_ percentiles: [Double]) -> [Quantile] {
      guard count > 0 else { return [] }
      let (least, most) = (moments.minimum, moments.maximum)
      let clamp = { (value: Double) in max(least, min(most, value)) }
      return zip(percentiles, RankBounds(bins).quantiles(percentiles)).map { percentile, found in
        let rank = Quantile.rank(ofPercentile: percentile, count: count)
        if rank == 1 { return Quantile(exact: least) }
        if rank == count { return Quantile(exact: most) }
        return Quantile(value: clamp(found.value), lower: clamp(found.lower), upper: clamp(found.upper))
      }
    }
  }

  /// The dimensions with their values, in order of appearance.
  package var dimensions: [(name: String, values: [String])] {
    zip(dimensionTable.names, dimensionTable.values).compactMap { name, values in
      // A folded dimension has no values to choose from.
      name.flatMap { values.isEmpty ? nil : ($0, values) }
    }
  }

  /// Fields with too many values to be dimensions, by name.
  package var fieldsGivenUp: [String] {
    let folded = zip(dimensionTable.names, dimensionTable.isFolded).compactMap { $1 ? $0 : nil }
    return dimensionTable.refused.union(folded).sorted()
  }

  /// The period covered by the slots of a window; `nil` if it contains no sample.
  ///
  /// A choice of time selects whole slots, those that lie in the window, so that two periods never share a sample.
  package func covered(by window: Range<Double>) -> Range<Double>? {
    let starts = classes.values.flatMap(\.slots.keys).filter { lies($0, in: window) }.map {
      start(ofSlot: $0)
    }
    guard let first = starts.min(), let last = starts.max() else { return nil }
    return first..<last + step
  }

  func lies(_ slot: Int64, in window: Range<Double>) -> Bool {
    guard let times else { return false }
    let start = start(ofSlot: slot)
    // The first and the last slot hold nothing beyond the first and the last sample. A sum of seconds is accurate to
    // much less than a thousandth of a slot.
    return (start >= window.lowerBound || times.lowerBound >= window.lowerBound)
      && (start + step <= window.upperBound + step / 1000 || times.upperBound < window.upperBound)
  }

  /// Number of samples in a choice, which is faster than selecting them.
  package func count(of choice: Choice) -> Int {
    var count = 0
    forEachClass(of: choice) { members in
      guard let window = choice.window else {
        count &+= members.moments.count
        return
      }
      for (slot, content) in members.slots where lies(slot, in: window) {
        count &+= content.moments.count
      }
    }
    return count
  }

  /// All samples of a choice combined.
  package func selection(_ choice: Choice = Choice()) -> Selection {
    guard let window = choice.window else {
      var (moments, histograms) = (Moments(), [FineHistogram]())
      forEachClass(of: choice) { members in
        moments.merge(members.moments)
        histograms.append(members.histogram)
      }
      return Selection(moments: moments, bins: FineHistogram.merging(histograms).intervals)
    }
    var parts: [CubeClass.Slot] = []
    forEachClass(of: choice) { members in
      members.forEachSlot(where: { lies($0, in: window) }) { parts.append($1) }
    }
    let all = CubeClass.Slot.merging(parts)
    return Selection(moments: all.moments, bins: all.sketch.intervals)
  }

  /// The samples of a choice, split by their value in a dimension; values without samples are left out.
  package func split(by dimension: String, _ choice: Choice = Choice()) -> [(value: LabelValue, Selection)] {
    guard let place = dimensionTable.place(named: dimension) else { return [] }
    let values = dimensionTable.values[place].map(LabelValue.value) + [.missing]
    return values.compactMap { value in
      if let fixed = choice.labels[dimension], fixed != value { return nil }
      var choice = choice
      choice.labels[dimension] = value
      let selection = selection(choice)
      return selection.count > 0 ? (value, selection) : nil
    }
  }

  /// The samples of a choice by time slot, earliest first, each with the start of the slot in seconds since 2001.
  package func slots(_ choice: Choice = Choice()) -> [(start: Double, Selection)] {
    var slots: [Int64: [CubeClass.Slot]] = [:]
    forEachClass(of: choice) { members in
      for (slot, content) in members.slots where choice.window.map({ lies(slot, in: $0) }) ?? true {
        slots[slot, default: []].append(content)
      }
    }
    return slots.sorted { $0.key < $1.key }.map { slot, parts in
      let content = CubeClass.Slot.merging(parts)
      return (start(ofSlot: slot), Selection(moments: content.moments, bins: content.sketch.intervals))
    }
  }

  private func forEachClass(of choice: Choice, _ body: (CubeClass) -> Void) {
    forEachClass(of: choice) { _, members in body(members) }
  }

  func forEachClass(of choice: Choice, _ body: (CubeDimensions.Codes, CubeClass) -> Void) {
    var wanted: [(place: Int, code: UInt8)] = []
    for (dimension, value) in choice.labels {
      let place = dimensionTable.place(named: dimension)
      switch (value, place) {
      case (.missing, nil): break
      case (.missing, let place?): wanted.append((place, 0))
      case (.value(let text), let place?):
        guard let code = dimensionTable.code(known: text, in: place) else { return }
        wanted.append((place, code))
      case (.value, nil): return
      }
    }
    for (codes, members) in sortedClasses
    where wanted.allSatisfy({ codes[$0.place] == $0.code }) {
      body(codes, members)
    }
  }

  /// In a fixed order, so that sums are reproducible.
  var sortedClasses: [(key: CubeDimensions.Codes, value: CubeClass)] {
    classes.sorted { Self.isBefore($0.key, $1.key) }
  }

  private static func isBefore(_ left: CubeDimensions.Codes, _ right: CubeDimensions.Codes) -> Bool {
    for place in left.indices where left[place] != right[place] { return left[place] < right[place] }
    return false
  }
}
