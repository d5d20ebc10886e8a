/// The change of a mean, split into another mix of groups and changes within them.
///
/// The symmetric decomposition of Kitagawa (*Components of a Difference Between Two Rates*, 1955): with the shares `s` and
/// the means `m` of each group, the change of the whole is the sum over the groups of
/// `(sA - sB)·((mA + mB) / 2 - M)`, the mix, and of `(mA - mB)·(sA + sB) / 2`, what happened within them. `M` is the middle
/// of both means of all, so that a group which only grows counts by how far it lies from the others. A group that one side
/// does not have changes nothing but the mix.
package struct ChangeDecomposition<Value: Hashable & Sendable>: Sendable, Equatable {
  /// One side's part of a group.
  package struct Part: Sendable, Equatable {
    package let count: Double
    package let mean: Double
    package let variance: Double

    package init(count: Double, mean: Double, variance: Double) {
      (self.count, self.mean, self.variance) = (count, mean, variance)
    }

    /// Nothing.
    package static var none: Part { Part(count: 0, mean: 0, variance: 0) }
  }

  /// A group's contribution to the change.
  package struct Group: Sendable, Equatable {
    package let value: Value
    package let a: Part
    package let b: Part
    /// Its part of each side, from 0 to 1.
    package let shareA: Double
    package let shareB: Double
    /// The contribution of its larger, or smaller, share of the whole.
    package let mix: Double
    /// The contribution of a change within it.
    package let within: Double
    /// The standard error of what is within it.
    package let error: Double

    /// By how much it matters.
    package var effect: Double { (mix + within).magnitude }
    /// How many standard errors its own mean has moved.
    package var distance: Double { error > 0 ? within / error : within == 0 ? 0 : .infinity }
    /// How many standard errors its share has moved.
    package var shareDistance: Double
  }

  package let groups: [Group]
  /// By how much the mean of A is larger than that of B.
  package let change: Double
  /// The mean of B.
  package let before: Double
  /// The part of the change that comes from another mix.
  package let mix: Double
  /// The part of it that happened within the groups.
  package let within: Double
  /// The standard error of that.
  package let error: Double
  /// The change within the groups, as a fraction of B's value in the mix of both.
  package let relativeWithin: Double

  /// - Parameter parts: what A and what B has of each value; `nil` is returned where a side has nothing, or there is one
  ///   group only.
  package init?(_ parts: [(value: Value, a: Part, b: Part)]) {
    let (all, other) = (parts.reduce(0) { $0 + $1.a.count }, parts.reduce(0) { $0 + $1.b.count })
    guard all > 0, other > 0, parts.count > 1 else { return nil }
    let meanA = parts.reduce(0) { $0 + $1.a.mean * ($1.a.count / all) }
    let meanB = parts.reduce(0) { $0 + $1.b.mean * ($1.b.count / other) }
    let middle = meanA / 2 + meanB / 2
    groups = parts.map { value, a, b in
      let (shareA, shareB) = (a.count / all, b.count / other)
      let of = (a: a.count > 0 ? a.mean : b.mean, b: b.count > 0 ? b.mean : a.mean)
      let weight = (shareA + shareB) / 2
      let isBoth = a.count > 0 && b.count > 0
      let variance = isBoth ? a.variance / a.count + b.variance / b.count : 0
      let share = (a.count + b.count) / (all + other)
      let spread = (share * (1 - share) * (1 / all + 1 / other)).squareRoot()
      return Group(
        value: value, a: a, b: b, shareA: shareA, shareB: shareB,
        mix: (shareA - shareB) * (of.a / 2 + of.b / 2 - middle), within: (of.a - of.b) * weight,
        error: weight * variance.squareRoot(),
        shareDistance: spread > 0 ? (shareA - shareB) / spread : 0)
    }
    (change, before) = (meanA - meanB, meanB)
    mix = groups.reduce(0) { $0 + $1.mix }
    within = groups.reduce(0) { $0 + $1.within }
    error = groups.reduce(0) { $0 + $1.error * $1.error }.squareRoot()
    let base = groups.reduce(0) { sum, group in
      sum + (group.b.count > 0 ? group.b.mean : group.a.mean) * (group.shareA + group.shareB) / 2
    }
    relativeWithin = base != 0 ? within / base.magnitude : 0
    guard change.isFinite, mix.isFinite, within.isFinite, error.isFinite else { return nil }
  }
}
