/// Divides the samples of two sides into periods that are long enough to be nearly independent.
///
/// A series with memory, in which slow samples follow slow ones, carries less information than its samples suggest, so
/// the units of the test are periods (batch means). There are 32 per side at first; while neighbours are correlated,
/// they are merged in pairs, down to 8, and the remaining correlation is reported.
struct TimeBlocks {
  /// Each period's contribution to the difference of the sides, in time order.
  let units: [RankScores.Scores]
  /// Variance of the sum of the units, relative to that of independent ones.
  let widening: Double
  /// True if neighbours were not alike enough to be merged.
  let areWhole: Bool

  private static let most = 32
  private static let fewest = 8
  /// Correlation above which periods are merged.
  private static let likeness = 0.25
  /// Minimum number of slots per side.
  private static let needed = 5

  /// Returns `nil` if there are too few slots.
  ///
  /// - Parameters:
  ///   - cells: the scores of the samples by time slot.
  ///   - hour: the hour of the day of a slot, if samples are compared with those of the same hour.
  init?(_ cells: [SideCell<Int64>], hour: ((Int64) -> Int)? = nil) {
    let hour = hour ?? { _ in 0 }
    let (first, second) = SideCell.counts(of: cells)
    let slots = Set(cells.map { Slot(key: $0.key, isSecond: $0.isSecond) })
    let ofSecond = slots.count { $0.isSecond }
    let least = min(slots.count - ofSecond, ofSecond)
    guard first > 0, second > 0, least >= Self.needed else { return nil }
    let ofSide = min(Double(Self.most), first / 3, second / 3).rounded(.down)
    let wanted = max(Double(Self.needed), ofSide)
    var blocks = Self.blocks(
      SideCell.centred(cells) { hour($0.key) }, first: first, second: second, count: 2 * wanted)
    var (likeness, isMerged) = (Self.likeness(of: blocks), false)
    while likeness > Self.likeness, blocks.count / 4 >= Self.fewest {
      isMerged = true
      blocks = Self.joinedByTwos(blocks)
      likeness = Self.likeness(of: blocks)
    }
    units = blocks.map(\.whole)
    areWhole = !isMerged && blocks.count >= Self.most
    // A correlation known from few periods may be larger.
    let doubt = isMerged ? 0.5 / Double(blocks.count).squareRoot() : 0
    let known = max(0, min(0.9, likeness + doubt))
    // Each stratum takes a degree of freedom.
    let strata = Double(Set(cells.map { hour($0.key) }).count - 1)
    widening = (1 + known) / (1 - known) / max(0.5, 1 - strata / Double(slots.count))
  }

  private struct Slot: Hashable {
    let key: Int64
    let isSecond: Bool
  }

  private struct Block {
    /// Contribution to the difference.
    var whole = RankScores.Scores.zero
    /// Contribution to the difference of the middle alone, as if the sides had the same mean.
    var rest = 0.0
  }

  /// Periods of equal total weight, where each side weighs 1.
  private static func blocks(
    _ cells: [SideCell<Int64>], first: Double, second: Double, count: Double
  ) -> [Block] {
    let means = cells.reduce(into: (0.0, 0.0)) { sums, cell in
      if cell.isSecond {
        sums.1 += cell.sum[RankScores.middle] / second
      } else {
        sums.0 += cell.sum[RankScores.middle] / first
      }
    }
    var blocks: [Block] = []
    var (taken, previous) = (0.0, -1.0)
    for cell in cells.sorted(by: { $0.key < $1.key }) {
      let (all, mean) = cell.isSecond ? (second, means.1) : (-first, means.0)
      // Each side weighs 1, so the midpoint of the cell determines which of the equal parts of 2 it falls into.
      let weight = cell.count / all.magnitude
      let place = ((taken + weight / 2) / 2 * count).rounded(.down)
      taken += weight
      if place > previous || blocks.isEmpty { blocks.append(Block()) }
      previous = place
      blocks[blocks.count - 1].whole += cell.sum / all
      blocks[blocks.count - 1].rest += (cell.sum[RankScores.middle] - mean * cell.count) / all
    }
    return blocks
  }

  private static func joinedByTwos(_ blocks: [Block]) -> [Block] {
    stride(from: 0, to: blocks.count, by: 2).map { place in
      guard place + 1 < blocks.count else { return blocks[place] }
      return Block(
        whole: blocks[place].whole + blocks[place + 1].whole,
        rest: blocks[place].rest + blocks[place + 1].rest)
    }
  }

  /// The correlation of neighbours, corrected for the small number of blocks.
  private static func likeness(of blocks: [Block]) -> Double {
    let squares = blocks.reduce(0) { $0 + $1.rest * $1.rest }
    guard squares > 0, blocks.count > 2 else { return 0 }
    let products = zip(blocks, blocks.dropFirst()).reduce(0) { $0 + $1.0.rest * $1.1.rest }
    let count = Double(blocks.count)
    return products / squares * count / (count - 1) + 2 / count
  }
}
