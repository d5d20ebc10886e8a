import Codecs

/// A fault of a simulation.
///
/// Faults are data: screens list them, scenarios set them, a ``DrivenFaultBoard`` holds the current settings.
public protocol DrivenFault: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// The targets of the fault.
  associatedtype Scope: DrivenFaultScope
  /// The name, and the meaning of the amount.
  var traits: FaultTraits { get }
}

extension DrivenFault {
  /// A short description of the fault.
  public var words: String { traits.words }
  /// The meaning of its amount.
  public var measure: FaultMeasure { traits.measure }
}

/// The targets of a fault.
public protocol DrivenFaultScope: Hashable, Sendable {
  /// All targets.
  static var all: Self { get }
  /// The possible scopes, for use in a sentence.
  static var names: String { get }
  /// The next scope that keys select.
  var next: Self { get }
  /// The scope in scenario syntax.
  var text: String { get }
  /// Parses a scope; `nil` for any other text.
  init?(_ text: String)
}

/// A fault with its amount, probability and scope, as set by scenarios and keys.
public struct DrivenFaultSetting<Fault: DrivenFault>: Hashable, Sendable {
  /// The kind of fault.
  public let fault: Fault
  /// The amount, in the fault's unit.
  public let amount: Double
  /// The probability of the fault, from 0 to 1.
  public let probability: Double
  /// The targets of the fault.
  public let scope: Fault.Scope
  /// True if the fault is on.
  public let isOn: Bool

  /// Creates a setting; amount and probability are clamped to their ranges.
  public init(
    _ fault: Fault, amount: Double? = nil, probability: Double = 1, scope: Fault.Scope = .all,
    isOn: Bool = true
  ) {
    self.fault = fault
    self.amount = FaultAmount.bounded(amount ?? fault.measure.usual, to: fault.measure.range)
    self.probability = FaultAmount.bounded(probability, to: 0...1)
    self.scope = scope
    self.isOn = isOn
  }
}

// MARK: Changes by keys

extension DrivenFaultSetting {
  /// The same, on or off.
  public func with(isOn: Bool) -> Self {
    Self(fault, amount: amount, probability: probability, scope: scope, isOn: isOn)
  }

  /// The same with the switch flipped.
  package var toggled: Self { with(isOn: !isOn) }

  /// The same with the next probability in the cycle of always, 1 in 2, 1 in 5, 1 in 10.
  package var withNextLikelihood: Self {
    let next = FaultAmount.likelihood(after: probability)
    return Self(fault, amount: amount, probability: next, scope: scope, isOn: isOn)
  }

  /// The same with the next scope.
  package var withNextScope: Self {
    Self(fault, amount: amount, probability: probability, scope: scope.next, isOn: isOn)
  }

  /// The same with the amount moved up or down by a number of steps; a fault without an amount stays unchanged.
  ///
  /// Amounts lie on a grid around the usual one, so the next step from an off-grid end of the range returns to the grid.
  package func adjusted(by steps: Int) -> Self {
    let (usual, step) = (fault.measure.usual, fault.measure.step)
    let moved = FaultAmount.moved(amount, by: steps, usual: usual, step: step)
    return Self(fault, amount: moved, probability: probability, scope: scope, isOn: isOn)
  }
}

// MARK: Scenario syntax

extension DrivenFaultSetting {
  /// Reads a setting from the members of an act.
  package init(_ reader: inout ScenarioReader) throws(ScenarioError) {
    let name = try reader.text("fault")
    guard let fault = Fault(rawValue: name) else {
      let names = Fault.allCases.map(\.rawValue).joined(separator: ", ")
      throw reader.fault("fault", "unknown fault '\(name)'; choose one of \(names)")
    }
    let scopeText = try reader.optionalText("scope") ?? "all"
    guard let scope = Fault.Scope(scopeText) else {
      throw reader.fault("scope", "'\(scopeText)' is none of \(Fault.Scope.names)")
    }
    self.init(
      fault, amount: try reader.number("amount", in: fault.measure.range),
      probability: try reader.number("probability", in: 0...1) ?? 1, scope: scope,
      isOn: try reader.bool("on", else: true))
  }

  /// The members of the act in scenario syntax.
  package var members: [String] {
    var members = ["fault: \(JSON5Text.quoted(fault.rawValue))"]
    let measure = fault.measure
    if !measure.unit.isEmpty && (isOn || amount != measure.usual) {
      members.append("amount: \(Decimals.text(amount))")
    }
    if probability != 1 { members.append("probability: \(Decimals.text(probability))") }
    if scope != .all { members.append("scope: \(JSON5Text.quoted(scope.text))") }
    if !isOn { members.append("on: false") }
    return members
  }
}

// MARK: The faults in force

/// The current fault settings, at most one per fault.
public struct DrivenFaultBoard<Fault: DrivenFault>: Hashable, Sendable {
  private var settings: [Fault: DrivenFaultSetting<Fault>] = [:]

  /// A board without settings.
  public init() {}

  /// The setting of a fault; off with its usual amount if it was never set.
  public subscript(_ fault: Fault) -> DrivenFaultSetting<Fault> {
    settings[fault] ?? DrivenFaultSetting(fault, isOn: false)
  }

  /// Sets a fault and returns its previous setting.
  @discardableResult
  public mutating func set(_ setting: DrivenFaultSetting<Fault>) -> DrivenFaultSetting<Fault> {
    let before = self[setting.fault]
    settings[setting.fault] = setting
    return before
  }

  /// The faults that are on, in list order.
  public var active: [DrivenFaultSetting<Fault>] {
    Fault.allCases.compactMap { settings[$0] }.filter(\.isOn)
  }

  /// The amounts of the faults that apply to a call; consumes random numbers only for uncertain ones.
  package func strikes(
    using random: inout SimulationRandom, where isMeant: (Fault.Scope) -> Bool
  ) -> [Fault: Double] {
    var result: [Fault: Double] = [:]
    for setting in active where isMeant(setting.scope) {
      if setting.probability >= 1 || random.chance(setting.probability) {
        result[setting.fault] = setting.amount
      }
    }
    return result
  }
}
