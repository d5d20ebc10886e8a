import Codecs

/// A constant of an engine that may differ in another branch.
struct EngineTuning<Constants: Equatable & Sendable>: Sendable {
  /// The name of the constant in descriptions of branches.
  let name: String
  /// The unit of its values; empty for counts.
  var unit = ""
  /// The values offered.
  let alternatives: [Double]
  /// The range of valid values.
  let range: ClosedRange<Double>
  var isWhole = true
  let value: @Sendable (Constants) -> Double
  let change: @Sendable (inout Constants, Double) -> Void

  /// True if a value is valid: in range, and whole if the constant is.
  func accepts(_ value: Double) -> Bool { range.contains(value) && (!isWhole || value == value.rounded()) }

  func value(in constants: Constants) -> Double { value(constants) }

  /// The constants with a new value for this one, which must be one that it ``accepts(_:)``.
  func setting(_ value: Double, in constants: Constants) -> Constants {
    var new = constants
    change(&new, value)
    return new
  }

  /// Alternative values, typed ones first, with the resulting constants.
  func changes(of constants: Constants, typed: [Double]) -> [(title: String, new: Constants)] {
    let value = value(constants)
    // A listed value may also be typed.
    return (typed + alternatives.filter { !typed.contains($0) }).filter { accepts($0) && $0 != value }.map {
      ("\(name) \(text(value)) -> \(text($0))", setting($0, in: constants))
    }
  }

  /// A value with its unit.
  func text(_ value: Double) -> String { EngineFormatter.number(value) + (unit.isEmpty ? "" : " \(unit)") }

  func fact(in constants: Constants) -> EngineFact { EngineFact(name: name, value: text(value(constants))) }
}

extension EngineFormatter {
  /// A number with up to three decimals, as needed.
  static func number(_ value: Double) -> String {
    let decimals = zip(0..., [1.0, 10, 100]).first { (value * $1).rounded() == value * $1 }?.0 ?? 3
    return NumberFormat.text(value, decimals: decimals)
  }

  /// `backoff.maximum 300 s -> 60 s`, for each constant that differs.
  static func difference(_ old: [EngineFact], _ new: [EngineFact]) -> String {
    zip(old, new).filter { $0 != $1 }.map { "\($0.name) \($0.value) -> \($1.value)" }.joined(separator: ", ")
  }
}
