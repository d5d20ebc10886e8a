import Codecs

/// A constant of an engine that another branch may have differently.
struct EngineTuning<Constants: Equatable & Sendable>: Sendable {
  /// The constant's name where branches are told apart.
  let name: String
  /// The unit behind its values; empty where things are counted, which are whole then.
  var unit = ""
  /// Values that are offered.
  let alternatives: [Double]
  /// The values that make sense.
  let range: ClosedRange<Double>
  var isWhole = true
  let value: @Sendable (Constants) -> Double
  let change: @Sendable (inout Constants, Double) -> Void

  /// True if a value makes sense: in its range, and whole where things are counted.
  func accepts(_ value: Double) -> Bool { range.contains(value) && (!isWhole || value == value.rounded()) }

  func value(in constants: Constants) -> Double { value(constants) }

  /// The constants with another value of this one; it must be one that it ``accepts(_:)``.
  func setting(_ value: Double, in constants: Constants) -> Constants {
    var new = constants
    change(&new, value)
    return new
  }

  /// Other values, those that are typed first, and the constants with them.
  func changes(of constants: Constants, typed: [Double]) -> [(title: String, new: Constants)] {
    let value = value(constants)
    // A listed value may be typed, too.
    return (typed + alternatives.filter { !typed.contains($0) }).filter { accepts($0) && $0 != value }.map {
      ("\(name) \(text(value)) -> \(text($0))", setting($0, in: constants))
    }
  }

  /// A value with its unit.
  func text(_ value: Double) -> String { EngineFormatter.number(value) + (unit.isEmpty ? "" : " \(unit)") }

  func fact(in constants: Constants) -> EngineFact { EngineFact(name: name, value: text(value(constants))) }
}

extension EngineFormatter {
  /// A number with as many decimals as it needs, up to three.
  static func number(_ value: Double) -> String {
    let decimals = zip(0..., [1.0, 10, 100]).first { (value * $1).rounded() == value * $1 }?.0 ?? 3
    return NumberFormat.text(value, decimals: decimals)
  }

  /// `backoff.maximum 300 s -> 60 s`, for each of some constants that is not the same.
  static func difference(_ old: [EngineFact], _ new: [EngineFact]) -> String {
    zip(old, new).filter { $0 != $1 }.map { "\($0.name) \($0.value) -> \($1.value)" }.joined(separator: ", ")
  }
}
