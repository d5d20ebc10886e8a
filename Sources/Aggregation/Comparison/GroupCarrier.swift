import Essentials

/// The one group of days that a change of their mean comes from, while the others stayed.
///
/// The means of two sets of days are compared on a logarithmic scale, on which days vary alike: first those of one
/// group, then those of all others.
package struct GroupCarrier: Hashable, Sendable {
  /// Index of the group.
  package let group: Int
  /// Number of groups that were compared.
  package let count: Int
  /// The relative change within the group.
  package let change: Double
  /// Distance of its change from zero, in standard errors.
  package let distance: Double
  /// Distance of its change from that of the others, in standard errors.
  package let contrast: Double

  /// A day's value, and the index of its group; -1 for none.
  package typealias Day = (group: Int, value: Double)

  /// Minimum number of days of a group on each side.
  private static let leastDays = 8.0
  /// Distance from zero.
  private static let clear = 3.3
  /// Distance between the changes of a group and of the others.
  private static let apart = 3.5
  /// Maximum change of the others, relative to that of the group.
  private static let rest = 0.35

  /// Searches for the group that carries the change from B to A; `nil` if there is none.
  ///
  /// - Parameter groups: number of groups.
  package init?(a: [Day], b: [Day], groups: Int) {
    let known = [a, b].allSatisfy { $0.allSatisfy { $0.value.isFinite && $0.value.magnitude < 1e150 } }
    guard known, groups > 1 else { return nil }
    // A figure that is zero on some days has no logarithm.
    let isLogarithm = [a, b].allSatisfy { $0.allSatisfy { $0.value > 0 } }
    let (mine, other) = (Sums.all(a, groups, isLogarithm), Sums.all(b, groups, isLogarithm))
    let count = (0..<groups).count {
      min(mine.parts[$0].count, other.parts[$0].count) >= Self.leastDays
    }
    guard count > 1 else { return nil }
    let found = (0..<groups).compactMap { place -> GroupCarrier? in
      guard let group = Shift(mine.parts[place], other.parts[place]),
        let others = Shift(mine.all - mine.parts[place], other.all - other.parts[place]),
        group.distance.magnitude >= Self.clear,
        others.change.magnitude <= Self.rest * group.change.magnitude
      else { return nil }
      let contrast =
        (group.change - others.change).magnitude / (group.error + others.error).squareRoot()
      let before = other.parts[place].mean
      let change = isLogarithm ? exp(group.change) - 1 : before > 0 ? group.change / before : 0
      guard contrast >= Self.apart, change.isFinite else { return nil }
      return GroupCarrier(
        group: place, count: count, change: change, distance: group.distance, contrast: contrast)
    }
    guard let best = found.max(by: { $0.contrast < $1.contrast }) else { return nil }
    self = best
  }

  private init(group: Int, count: Int, change: Double, distance: Double, contrast: Double) {
    (self.group, self.count, self.change) = (group, count, change)
    (self.distance, self.contrast) = (distance, contrast)
  }

  /// Probability of such a distance of the group by chance alone, if it were the only one examined.
  package var probability: Double { erfc(distance.magnitude / 2.0.squareRoot()) }

  /// Number, sum and sum of squares of some days.
  private struct Sums {
    var (count, sum, squares) = (0.0, 0.0, 0.0)

    static func all(_ days: [Day], _ groups: Int, _ isLogarithm: Bool) -> (all: Sums, parts: [Sums]) {
      var (all, parts) = (Sums(), [Sums](repeating: Sums(), count: groups))
      for day in days {
        let value = isLogarithm ? log(day.value) : day.value
        all.add(value)
        if parts.indices.contains(day.group) { parts[day.group].add(value) }
      }
      return (all, parts)
    }

    mutating func add(_ value: Double) {
      count += 1
      sum += value
      squares += value * value
    }

    static func - (all: Sums, part: Sums) -> Sums {
      var rest = all
      rest.count -= part.count
      rest.sum -= part.sum
      rest.squares -= part.squares
      return rest
    }

    var mean: Double { count > 0 ? sum / count : 0 }
    /// The variance of the mean.
    var error: Double { count > 1 ? max(0, squares / count - mean * mean) / (count - 1) : .infinity }
  }

  /// The change of the mean of a group, and its variance.
  private struct Shift {
    let change: Double
    let error: Double
    /// The change in standard errors of a normal distribution, which has fewer outliers than that of few days.
    let distance: Double

    init?(_ a: Sums, _ b: Sums) {
      let least = min(a.count, b.count)
      guard least >= leastDays else { return nil }
      (change, error) = (a.mean - b.mean, a.error + b.error)
      guard change.isFinite, error.isFinite, error > 0 else { return nil }
      let (distance, freedom) = (change / error.squareRoot(), 2 * least - 2)
      self.distance =
        distance * (1 - 1 / (4 * freedom)) / (1 + distance * distance / (2 * freedom)).squareRoot()
    }
  }
}
