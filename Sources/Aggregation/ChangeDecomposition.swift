/// A change of a mean, split into the effect of a different mix of groups and the changes within the groups.
///
/// Kitagawa's symmetric decomposition (*Components of a Difference Between Two Rates*, 1955). With each group's share
/// `s` and mean `m`, the total change is the sum over the groups of the mix effect, `(sA - sB)·((mA + mB) / 2 - M)`,
/// and the effect within them, `(mA - mB)·(sA + sB) / 2`. `M` is the midpoint of the two overall means, so a group that
/// only grows counts by its distance from the others. A group that is missing on one side contributes to the mix only.
package struct ChangeDecomposition<Value: Hashable & Sendable>: Sendable, Equatable {
  /// One side's part of a group.
  package struct Part: Sendable, Equatable {
    package let count: Double
    package let mean: Double
    package let variance: Double

    package init(count: Double, mean: Double, variance: Double) {
      (self.count, self.mean, self.variance) = (count, mean, variance)
    }

    package init(_ moments: Moments) {
      let deviation = moments.standardDeviation ?? 0
      self.init(count: Double(moments.count), mean: moments.mean ?? 0, variance: deviation * deviation)
    }

    /// An empty part.
    package static var none: Part { Part(count: 0, mean: 0, variance: 0) }
  }

  /// A group's contribution to the change.
  package struct Group: Sendable, Equatable {
    package let value: Value
    package let a: Part
    package let b: Part
    /// The group's share of each side, from 0 to 1.
    package let shareA: Double
    package let shareB: Double
    /// Contribution of the group's larger or smaller share of the whole.
    package let mix: Double
    /// Contribution of the change within the group.
    package let within: Double
    /// Standard error of `within`.
    package let error: Double

    /// Magnitude of the group's total contribution.
    package var effect: Double { (mix + within).magnitude }
    /// Shift of the group's own mean, in standard errors.
    package var distance: Double { error > 0 ? within / error : within == 0 ? 0 : .infinity }
    /// Shift of the group's share, in standard errors.
    package var shareDistance: Double
  }

  package let groups: [Group]
  /// Mean of A minus mean of B.
  package let change: Double
  /// The mean of B.
  package let before: Double
  /// Part of the change that comes from a different mix.
  package let mix: Double
  /// Part of the change that happened within the groups.
  package let within: Double
  /// Standard error of `within`.
  package let error: Double
  /// The change within the groups, relative to B's mean at the average mix of both sides.
  package let relativeWithin: Double

  /// Returns `nil` if a side is empty, if there is only one group, or if a result is not finite.
  ///
  /// - Parameter parts: each value with its part of A and its part of B.
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

extension ChangeDecomposition {
  /// Number of standard errors beyond chance, even when many fields are examined.
  package static var clear: Double { 4 }
  /// Minimum number of samples of a value to consider.
  package static var leastSamples: Double { 20 }

  /// The only group that changed while all others stayed, and the number of groups compared; `nil` if there is none.
  package var soleCarrier: (group: Group, count: Int)? {
    let known = groups.filter { $0.a.count >= Self.leastSamples && $0.b.count >= Self.leastSamples }
    guard change != 0, known.count > 2,
      let most = known.max(by: { $0.within.magnitude < $1.within.magnitude }),
      most.distance.magnitude > Self.clear, (most.within > 0) == (change > 0),
      most.within.magnitude > 0.7 * change.magnitude, (most.shareA + most.shareB) / 2 < 0.7
    else { return nil }
    let others = known.filter { $0.value != most.value }
    let rest = others.reduce(0) { $0 + $1.within }
    // The others may have moved a little, but by far less.
    let isAlone = others.allSatisfy { other in
      other.distance.magnitude < 3 || other.relativeShift.magnitude < 0.25 * most.relativeShift.magnitude
    }
    return isAlone && rest.magnitude < 0.35 * most.within.magnitude ? (most, known.count) : nil
  }
}

extension ChangeDecomposition.Group {
  /// Shift of the group's own mean, relative to that of B.
  fileprivate var relativeShift: Double { b.mean != 0 ? a.mean / b.mean - 1 : 0 }
}
