extension SampleCube {
  /// Units besides samples that tests of two choices treat as independent: periods of time, and the sources of samples
  /// that fields name.
  ///
  /// - Parameters:
  ///   - first: the choice of the earlier side.
  ///   - second: the choice of the later side.
  ///   - values: for texts, the values that count as 1; all others count as 0. `nil` for numbers.
  package func dealing(first: Choice, second: Choice, counting values: Set<String>? = nil) -> Dealing {
    Dealing { setting in
      var scores = SketchScores(setting.scores)
      let counted = values.map { Counted($0, dimensionTable, setting.scores) }
      let cells =
        cells(of: first, isSecond: false, counted, &scores)
        + cells(of: second, isSecond: true, counted, &scores)
      let bySlot = SideCell.joined(
        cells.map { SideCell(key: $0.slot, isSecond: $0.isSecond, count: $0.count, sum: $0.sum) })
      var outcomes: [TestOutcome] = []
      let hour = hour(in: bySlot)
      // The margins are those of samples without the difference, but with the daily course.
      if let blocks = TimeBlocks(bySlot, hour: hour), let rest = TimeBlocks(SideCell.aligned(bySlot)) {
        var found = SignFlipTest(
          blocks.units, widening: blocks.widening, precision: setting.precision, random: setting.random
        ).outcome
        let variance = rest.units.squares / setting.scores.variance
        found.inflation = (variance * rest.widening).squareRoot()
        if hour == nil, setting.hasSamples, rest.areWhole {
          // Where neighbours are not alike, the test of samples is as right, and finds more.
          found.probabilities.replace(with: RankScores.Scores.zero, where: variance .< Self.noticeable)
        }
        outcomes.append(found)
      }
      for (place, field) in clusterPlaces(first: first, second: second) where field.role == .units {
        let byValue = cells.map { cell in
          SideCell(key: cell.codes[place], isSecond: cell.isSecond, count: cell.count, sum: cell.sum)
        }
        var found = SignFlipTest(
          SideCell.units(of: byValue), precision: setting.precision, random: setting.random
        ).outcome
        let rest = SideCell.units(of: SideCell.aligned(byValue))
        found.inflation = (rest.squares / setting.scores.variance).squareRoot()
        outcomes.append(found)
      }
      return outcomes
    }
  }

  /// The variance of periods, relative to that of independent samples, up to which samples count as independent: of
  /// 64 periods it is 1 ± 0.18.
  private static let noticeable = 1.3

  /// The fields that name the sources of the samples of two choices.
  package func clusterFields(first: Choice, second: Choice) -> [ClusterField] {
    clusterPlaces(first: first, second: second).map(\.field)
  }

  private func clusterPlaces(first: Choice, second: Choice) -> [(place: Int, field: ClusterField)] {
    let places = dimensionTable.names.enumerated().compactMap { place, name in
      name.flatMap { ClusterField.plural(of: $0) == nil ? nil : (place: place, name: $0) }
    }
    guard !places.isEmpty else { return [] }
    let ofClasses = [counts(first), counts(second)]
    return places.map { place, name in
      var counts: [UInt8: (first: Double, second: Double)] = [:]
      for (side, ofSide) in ofClasses.enumerated() {
        for (codes, count) in ofSide where count > 0 {
          if side == 0 {
            counts[codes[place], default: (0, 0)].first += count
          } else {
            counts[codes[place], default: (0, 0)].second += count
          }
        }
      }
      let inOrder = counts.sorted { $0.key < $1.key }.map(\.value)
      let isFolded = dimensionTable.isFolded[place]
      return (place, ClusterField(name: name, counts: inOrder, isFolded: isFolded))
    }
  }

  private func counts(_ choice: Choice) -> [(codes: CubeDimensions.Codes, count: Double)] {
    var counts: [(CubeDimensions.Codes, Double)] = []
    forEachClass(of: choice) { codes, members in
      guard let window = choice.window else { return counts.append((codes, Double(members.moments.count))) }
      let inWindow = members.slots.reduce(0.0) {
        lies($1.key, in: window) ? $0 + Double($1.value.moments.count) : $0
      }
      counts.append((codes, inWindow))
    }
    return counts
  }

  private struct Cell {
    let codes: CubeDimensions.Codes
    let slot: Int64
    let isSecond: Bool
    let count: Double
    let sum: RankScores.Scores
  }

  /// The score of a text: that of 1 if it is one of the counted values, otherwise that of 0.
  private struct Counted {
    private let place: Int?
    private let codes: Set<UInt8>
    private let one: RankScores.Scores
    private let zero: RankScores.Scores

    init(_ values: Set<String>, _ table: CubeDimensions, _ scores: RankScores) {
      let place = table.place(named: SampleCube.valueDimension)
      self.place = place
      codes = Set(values.compactMap { value in place.flatMap { table.code(known: value, in: $0) } })
      one = scores.scores(of: HistogramBin(lower: 1, upper: 1, count: 1))
      zero = scores.scores(of: HistogramBin(lower: 0, upper: 0, count: 1))
    }

    func score(of labels: CubeDimensions.Codes) -> RankScores.Scores {
      place.map { codes.contains(labels[$0]) } ?? false ? one : zero
    }
  }

  /// The hour of the day of each slot, if both sides last for several days.
  ///
  /// The clock's zone is unknown, and makes no difference to a daily course.
  private func hour(in cells: [SideCell<Int64>]) -> ((Int64) -> Int)? {
    let areDays = [false, true].allSatisfy { isSecond in
      let slots = cells.lazy.filter { $0.isSecond == isSecond }.map(\.key)
      guard let first = slots.min(), let last = slots.max() else { return false }
      return Double(last - first) * step >= Self.severalDays
    }
    guard areDays, step <= Self.longestSlot else { return nil }
    return { slot in
      Int((start(ofSlot: slot).truncatingRemainder(dividingBy: 86_400) / 3600).rounded(.down))
    }
  }

  /// Time that a side needs for its hours to be compared with those of the other, in seconds.
  private static let severalDays = 2 * 86_400.0
  /// Length in seconds above which a slot says too little about the hour of its samples.
  private static let longestSlot = 3 * 3600.0

  /// The scores of a choice's samples by labels and time slot.
  private func cells(
    of choice: Choice, isSecond: Bool, _ counted: Counted?, _ scores: inout SketchScores
  ) -> [Cell] {
    var cells: [Cell] = []
    forEachClass(of: choice) { codes, members in
      members.forEachSlot(where: { slot in choice.window.map { lies(slot, in: $0) } ?? true }) {
        slot, content in
        let (sum, count) =
          counted.map { counted in
            let count = Double(content.moments.count)
            return (counted.score(of: codes) * count, count)
          } ?? scores.sum(of: content.sketch)
        cells.append(Cell(codes: codes, slot: slot, isSecond: isSecond, count: count, sum: sum))
      }
    }
    return cells
  }
}
