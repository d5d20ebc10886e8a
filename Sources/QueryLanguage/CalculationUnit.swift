import Codecs

/// The unit of a number in a calculation.
enum CalculationUnit: Hashable, Sendable {
  /// A bare number, in the unit of the number that it is added to or compared with.
  case number
  /// A percentage as typed; divided by 100 as a factor.
  case share
  /// A physical unit, with the number of units in one base unit, such as 1000 milliseconds in a second.
  case measure(Dimensions, perBase: Double)
  /// The unit of a metric that is not yet known.
  case unknown

  /// Exponents of the base dimensions: a frequency is `time: -1`, a count and a ratio have none.
  struct Dimensions: Hashable, Sendable {
    var time = 0
    var bytes = 0
    var percent = 0

    static let none = Dimensions()
    static let percentages = Dimensions(percent: 1)

    static func + (left: Dimensions, right: Dimensions) -> Dimensions {
      Dimensions(
        time: left.time &+ right.time, bytes: left.bytes &+ right.bytes,
        percent: left.percent &+ right.percent)
    }

    static prefix func - (one: Dimensions) -> Dimensions {
      Dimensions(time: 0 &- one.time, bytes: 0 &- one.bytes, percent: 0 &- one.percent)
    }
  }

  static let count = CalculationUnit.measure(.none, perBase: 1)

  /// The unit of a figure.
  ///
  /// - Parameter unit: The unit of the metric's values; `nil` if unknown.
  init(of figure: QueryFigure, in unit: ValueUnit?) {
    switch figure {
    case .now, .p50, .p95, .p99, .max, .min, .mean: self = unit.map(CalculationUnit.init) ?? .unknown
    case .n: self = .count
    case .rate: self = .measure(Dimensions(time: -1), perBase: 1)
    case .age: self = .measure(Dimensions(time: 1), perBase: 1)
    }
  }

  init(_ unit: ValueUnit) {
    let found = Self.bases.lazy.compactMap { base in
      base.one.value(in: unit).map { CalculationUnit.measure(base.dimensions, perBase: $0) }
    }
    self = found.first ?? .count
  }

  init(_ dimension: Quantity.Dimension) {
    switch dimension {
    case .plain: self = .number
    case .time: self = .measure(Dimensions(time: 1), perBase: 1)
    case .bytes: self = .measure(Dimensions(bytes: 1), perBase: 1)
    case .percent: self = .share
    case .frequency: self = .measure(Dimensions(time: -1), perBase: 1)
    }
  }

  /// One of each base unit; converting it to a unit gives the number of those per base unit.
  private static let bases: [(one: Quantity, dimensions: Dimensions)] = [
    ("1s", Dimensions(time: 1)), ("1B", Dimensions(bytes: 1)), ("1%", .percentages),
  ].compactMap { text, dimensions in (try? Quantity(text)).map { ($0, dimensions) } }

  /// The unit in which a result is shown, and a suffix for it.
  var shown: (unit: ValueUnit, suffix: String) {
    guard case .measure(let dimensions, _) = self else { return (self == .share ? .percent : .plain, "") }
    return switch dimensions {
    case Dimensions(time: 1): (.seconds, "")
    case Dimensions(bytes: 1): (.bytes, "")
    case .percentages: (.percent, "")
    case Dimensions(time: -1): (.plain, "/s")
    case Dimensions(time: -1, bytes: 1): (.bytes, "/s")
    default: (.plain, "")
    }
  }

  /// The noun for it, to follow "is"; `nil` if there is none.
  var noun: String? {
    guard case .measure(let dimensions, _) = self else { return self == .share ? "a percentage" : nil }
    return switch dimensions {
    case Dimensions(time: 1): "a time"
    case Dimensions(bytes: 1): "a size"
    case .percentages: "a percentage"
    case Dimensions(time: -1): "a rate"
    case .none: "a number without a unit"
    default: nil
    }
  }
}

/// A number in a calculation with its unit.
struct Amount: Equatable {
  var value: Double
  var unit: CalculationUnit

  init(_ value: Double, _ unit: CalculationUnit) { (self.value, self.unit) = (value, unit) }

  init(_ quantity: Quantity) { self.init(quantity.inBase, CalculationUnit(quantity.dimension)) }

  /// The value in the base unit, if it has a unit.
  var inBase: Double {
    guard case .measure(_, let perBase) = unit else { return value }
    return value / perBase
  }

  /// Two values in the same unit; `nil` if their units are incompatible.
  static func aligned(_ left: Amount, _ right: Amount) -> (
    left: Double, right: Double, unit: CalculationUnit
  )? {
    let (one, other) = (left.value, right.value)
    switch (left.unit, right.unit) {
    case (.number, let unit), (let unit, .number): return (one, other, unit)
    case (.unknown, .share), (.share, .unknown): return (one, other, .unknown)
    case (.unknown, let unit), (let unit, .unknown): return (one, other, unit)
    case (.share, .share), (.share, .measure(.percentages, _)): return (one, other, right.unit)
    case (.measure(.percentages, _), .share): return (one, other, left.unit)
    case (.share, .measure(.none, _)): return (one / 100, other, right.unit)
    case (.measure(.none, _), .share): return (one, other / 100, left.unit)
    case (.measure(let own, let perBase), .measure(let others, let perOther)):
      guard own == others else { return nil }
      return (one, perBase == perOther ? other : other * perBase / perOther, left.unit)
    case (.share, .measure), (.measure, .share): return nil
    }
  }

  static func sum(_ left: Amount, _ sign: ArithmeticOperator, _ right: Amount) -> Amount? {
    aligned(left, right).map { Amount(sign == .minus ? $0.left - $0.right : $0.left + $0.right, $0.unit) }
  }

  static func product(_ left: Amount, _ sign: ArithmeticOperator, _ right: Amount) -> Amount {
    let divides = sign == .divided
    switch (left.unit, right.unit) {
    case (.share, .number):
      return Amount(divides ? left.value / right.value : left.value * right.value, .share)
    case (.number, .share) where !divides: return Amount(left.value * right.value, .share)
    default: break
    }
    let (one, other) = (left.asFactor, right.asFactor)
    let value = divides ? one.value / other.value : one.value * other.value
    switch (one.unit, other.unit) {
    case (.unknown, _), (_, .unknown): return Amount(value, .unknown)
    case (.measure(let own, let perBase), .measure(let others, let perOther)):
      let dimensions = own + (divides ? -others : others)
      let scale = divides ? perBase / perOther : perBase * perOther
      return dimensions == .none
        ? Amount(value / scale, .count) : Amount(value, .measure(dimensions, perBase: scale))
    case (.measure, _): return Amount(value, one.unit)
    case (_, .measure(let others, let perOther)):
      return Amount(value, divides ? .measure(-others, perBase: 1 / perOther) : other.unit)
    case (.number, _), (.share, _): return Amount(value, .number)
    }
  }

  /// A percentage as a fraction.
  private var asFactor: Amount { unit == .share ? Amount(value / 100, .number) : self }
}
