import Aggregation
import Codecs
import DashboardCore

/// The cause of a change: a different mix of a field's values, or a change within one of them.
struct HistogramAttribution: Sendable, Equatable {
  /// The finding about a field.
  enum Kind: Sendable, Equatable {
    /// A different share of one value, which lies apart from the others.
    case mix(ValueShare, within: Within)
    /// A change within one value alone.
    case one(SampleCube.LabelValue, of: Int, a: Double, b: Double)
  }

  /// The change within the values, besides a different mix.
  enum Within: Sendable, Equatable {
    /// None beyond noise.
    case nothing
    /// A relative change of their means, in the same direction for each value or only taken together.
    case moved(Double, isEach: Bool)
  }

  /// The share of one value on each side.
  struct ValueShare: Sendable, Equatable {
    let value: SampleCube.LabelValue
    let a: Double
    let b: Double
  }

  /// The field.
  let dimension: String
  let kind: Kind
  /// The amount of change explained, in the unit of the metric; `nil` where the measure is a share of samples.
  let amount: Double?
  /// The change of the mean.
  let change: Double
  /// The fraction of the change explained; more than 1 where the rest moved the other way.
  let explained: Double

  /// `48 of the +57ms come from more net cellular (20 -> 59%); each net is 9% faster`.
  func words(_ unit: ValueUnit, _ words: ChangeWords) -> String {
    switch kind {
    case .mix(let share, let within):
      let begin =
        amount.map { "\(signed($0, unit)) of the \(signed(change, unit)) come from \(mixWords(share))" }
        ?? "it comes from \(mixWords(share))"
      return begin + self.words(within, words)
    case .one(let value, let count, let a, let b):
      let figures =
        amount == nil ? "" : ": avg \(unit.text(a)) against \(unit.text(b))\(Self.part(a, b))"
      return "only \(name(value)) changed (1 of \(count))\(figures)"
    }
  }

  /// The attribution in a few words.
  func short(_ unit: ValueUnit, _ words: ChangeWords) -> String {
    switch kind {
    case .mix(let share, let within): mixWords(share) + self.words(within, words)
    case .one(let value, let count, _, _): "only \(name(value)) (1 of \(count))"
    }
  }

  private func mixWords(_ share: ValueShare) -> String {
    let percents = [share.b, share.a].map { NumberFormat.text($0 * 100, decimals: 0) }
    return
      "\(share.a > share.b ? "more" : "less") \(name(share.value)) (\(percents[0]) -> \(percents[1])%)"
  }

  private func words(_ within: Within, _ words: ChangeWords) -> String {
    switch within {
    case .nothing: "; no \(dimension) changed beyond noise"
    case .moved(let part, let isEach):
      "; \(isEach ? "each \(dimension)" : "the same mix") is "
        + "\(NumberFormat.text(part.magnitude * 100, decimals: part.magnitude < 0.0995 ? 1 : 0))% "
        + (part > 0 ? words.rise : words.fall)
    }
  }

  private func name(_ value: SampleCube.LabelValue) -> String { "\(dimension) \(value.words)" }

  private func signed(_ value: Double, _ unit: ValueUnit) -> String {
    (value > 0 ? "+" : "") + unit.text(value)
  }

  private static func part(_ a: Double, _ b: Double) -> String {
    b > 0 && (a / b - 1).isFinite ? " (\(NumberFormat.change(a / b - 1)))" : ""
  }
}

/// Searches for the field that explains a change.
struct AttributionSearch {
  typealias Decomposition = ChangeDecomposition<SampleCube.LabelValue>

  /// The measure by which groups are compared.
  private enum Measure {
    case mean
    /// The share of samples above a value.
    case share(above: Double)
  }

  private let measure: Measure

  /// - Parameter verdict: The verdict on A against B, which names a difference.
  init(_ verdict: ComparisonVerdict, of a: HistogramSide, against b: HistogramSide) {
    let isTail = verdict.middle == nil
    let values = b.quantiles([50, 95]).map(\.value)
    let (mine, other) = (Part(a, by: .mean), Part(b, by: .mean))
    let distance = mine.mean - other.mean
    let error = (mine.variance / max(1, mine.count) + other.variance / max(1, other.count)).squareRoot()
    // A mean that did not move, or that a few outliers moved the other way, cannot be decomposed.
    let isMoved = distance.magnitude > Decomposition.clear * error && (distance > 0) == verdict.isRising
    measure = isMoved && !isTail || values.count < 2 ? .mean : .share(above: values[isTail ? 1 : 0])
  }

  /// A side as the search measures it: its mean, or the share of its values above a bound.
  private typealias Part = Decomposition.Part

  /// The contributions of a field's values to the change.
  func decomposition(
    _ a: [(value: SampleCube.LabelValue, side: HistogramSide)],
    _ b: [(value: SampleCube.LabelValue, side: HistogramSide)]
  ) -> Decomposition? {
    var values = a.map(\.value)
    values += b.map(\.value).filter { !values.contains($0) }
    return Decomposition(
      values.map { value in
        let (mine, other) = (a.first { $0.value == value }, b.first { $0.value == value })
        return (value, part(mine?.side), part(other?.side))
      })
  }

  private func part(_ side: HistogramSide?) -> Part {
    switch measure {
    case .mean: side.map { Part($0, by: .mean) } ?? .none
    case .share(let bound): side.map { Part($0, by: .above(bound)) } ?? .none
    }
  }

  /// The part of the change that a field explains; `nil` if it explains too little.
  func attribution(to dimension: String, _ found: Decomposition) -> HistogramAttribution? {
    guard found.change != 0 else { return nil }
    return one(dimension, found) ?? mix(dimension, found)
  }

  /// A change within one value while the others stayed.
  private func one(_ dimension: String, _ found: Decomposition) -> HistogramAttribution? {
    guard let (most, count) = found.soleCarrier else { return nil }
    return HistogramAttribution(
      dimension: dimension, kind: .one(most.value, of: count, a: most.a.mean, b: most.b.mean),
      amount: amount(most.within), change: found.change, explained: most.within / found.change)
  }

  /// A different mix of values that explains at least half of the change.
  private func mix(_ dimension: String, _ found: Decomposition) -> HistogramAttribution? {
    let explained = found.mix / found.change
    guard explained > 0.5,
      let most = found.groups.filter({ $0.shareDistance.magnitude > Decomposition.clear })
        .max(by: { ($0.mix > 0) == (found.mix > 0) ? $0.mix.magnitude < $1.mix.magnitude : false })
    else { return nil }
    // Of two values that traded shares, name the one that grew.
    let isPair = found.groups.count == 2
    let named = isPair ? found.groups.max { $0.shareA - $0.shareB < $1.shareA - $1.shareB } ?? most : most
    return HistogramAttribution(
      dimension: dimension,
      kind: .mix(.init(value: named.value, a: named.shareA, b: named.shareB), within: within(found)),
      amount: amount(found.mix), change: found.change, explained: explained)
  }

  private func within(_ found: Decomposition) -> HistogramAttribution.Within {
    guard found.within.magnitude > 3 * found.error, found.relativeWithin.magnitude >= 0.01 else {
      return .nothing
    }
    let known = found.groups.filter {
      $0.a.count >= Decomposition.leastSamples && $0.b.count >= Decomposition.leastSamples
    }
    let isEach = known.allSatisfy { ($0.within > 0) == (found.within > 0) && $0.distance.magnitude > 2 }
    return .moved(found.relativeWithin, isEach: isEach && known.count > 1)
  }

  private func amount(_ value: Double) -> Double? {
    if case .mean = measure { value } else { nil }
  }
}

private enum PartMeasure {
  case mean
  case above(Double)
}

extension ChangeDecomposition.Part where Value == SampleCube.LabelValue {
  fileprivate init(_ side: HistogramSide, by measure: PartMeasure) {
    let count = Double(side.count)
    switch measure {
    case .mean:
      let deviation = side.standardDeviation ?? 0
      self.init(count: count, mean: side.average()?.value ?? 0, variance: deviation * deviation)
    case .above(let bound):
      let above = side.bins.reduce(0.0) { $0 + ($1.middle > bound ? Double($1.count) : 0) }
      let share = count > 0 ? above / count : 0
      self.init(count: count, mean: share, variance: share * (1 - share))
    }
  }
}
