/// A way to test two sides: the units that count as independent, and are therefore reassigned between the sides.
package struct Dealing: Sendable {
  /// The settings shared by all tests of one comparison.
  package struct Setting: Sendable {
    let scores: RankScores
    let precision: TestPrecision
    let random: ResamplingRandom
    /// True if samples are tested one by one as well.
    let hasSamples: Bool
  }

  /// True if each sample is its own unit.
  package private(set) var isSamples = false
  let outcomes: @Sendable (Setting) -> [TestOutcome]

  /// Treats the samples as independent of each other.
  package static var samples: Dealing {
    Dealing(isSamples: true) { setting in
      [
        PermutationTest(
          setting.scores.classesOfSamples, precision: setting.precision, random: setting.random
        ).outcome
      ]
    }
  }

  /// Treats the histograms of either side as independent of each other, such as those of device-days.
  package static func histograms(first: [[HistogramBin]], second: [[HistogramBin]]) -> Dealing {
    Dealing { setting in
      let one = { (bins: [HistogramBin], inSecond: Double) in
        PermutationTest.Class(
          size: 1, inSecond: inSecond, scores: setting.scores.centredSum(of: bins).sum)
      }
      let classes = first.map { one($0, 0) } + second.map { one($0, 1) }
      return [PermutationTest(classes, precision: setting.precision, random: setting.random).outcome]
    }
  }

  /// Treats groups of histograms with the same key as independent, such as those of the days of one device.
  package static func groups<Key: Hashable & Sendable>(
    first: [(key: Key, bins: [HistogramBin])], second: [(key: Key, bins: [HistogramBin])]
  ) -> Dealing {
    Dealing { setting in
      var cells: [SideCell<Key>] = []
      for (histograms, isSecond) in [(first, false), (second, true)] {
        for histogram in histograms {
          let (sum, count) = setting.scores.centredSum(of: histogram.bins)
          cells.append(SideCell(key: histogram.key, isSecond: isSecond, count: count, sum: sum))
        }
      }
      return [
        SignFlipTest(
          SideCell.units(of: cells), precision: setting.precision, random: setting.random
        ).outcome
      ]
    }
  }
}

/// The total score of some samples of one side.
struct SideCell<Key: Hashable & Sendable>: Sendable {
  let key: Key
  let isSecond: Bool
  var count: Double
  var sum: RankScores.Scores

  /// Each key's contribution to the difference of the two means, in order of the keys' first appearance.
  static func units(of cells: [SideCell]) -> [RankScores.Scores] {
    let (first, second) = counts(of: cells)
    guard first > 0, second > 0 else { return [] }
    var places: [Key: Int] = [:]
    var units: [RankScores.Scores] = []
    for cell in centred(cells) {
      let place = places[cell.key] ?? units.count
      if place == units.count {
        places[cell.key] = place
        units.append(.zero)
      }
      units[place] += cell.isSecond ? cell.sum / second : cell.sum / -first
    }
    return units
  }

  static func counts(of cells: [SideCell]) -> (first: Double, second: Double) {
    cells.reduce(into: (0, 0)) { counts, cell in
      if cell.isSecond { counts.1 += cell.count } else { counts.0 += cell.count }
    }
  }

  /// The cells minus the average score of as many samples of the same stratum.
  static func centred(_ cells: [SideCell], by stratum: (SideCell) -> Int = { _ in 0 }) -> [SideCell] {
    let totals = cells.reduce(into: [Int: (count: Double, sum: RankScores.Scores)]()) { totals, cell in
      totals[stratum(cell), default: (0, .zero)].count += cell.count
      totals[stratum(cell), default: (0, .zero)].sum += cell.sum
    }
    return cells.map { cell in
      guard let total = totals[stratum(cell)], total.count > 0 else { return cell }
      var cell = cell
      cell.sum -= total.sum / total.count * cell.count
      return cell
    }
  }

  /// The cells as if the sides had the same mean.
  static func aligned(_ cells: [SideCell]) -> [SideCell] { centred(cells) { $0.isSecond ? 1 : 0 } }

  /// One cell for each key and side, in order of their first appearance.
  static func joined(_ cells: [SideCell]) -> [SideCell] {
    var places: [[Key: Int]] = [[:], [:]]
    var joined: [SideCell] = []
    for cell in cells {
      let side = cell.isSecond ? 1 : 0
      if let place = places[side][cell.key] {
        joined[place].count += cell.count
        joined[place].sum += cell.sum
      } else {
        places[side][cell.key] = joined.count
        joined.append(cell)
      }
    }
    return joined
  }
}
