import Codecs

/// Something that goes wrong in a simulation.
///
/// Faults are data: screens list them, scenarios set them, a ``DrivenFaultBoard`` holds what is set.
public protocol DrivenFault: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// Whom it strikes.
  associatedtype Scope: DrivenFaultScope
  /// The name, and the meaning of the amount.
  var traits: FaultTraits { get }
}

extension DrivenFault {
  /// The fault in a few words.
  public var words: String { traits.words }
  /// The meaning of its amount.
  public var measure: FaultMeasure { traits.measure }
}

/// Whom a fault strikes.
public protocol DrivenFaultScope: Hashable, Sendable {
  /// Everything that it can strike.
  static var all: Self { get }
  /// The scopes there are, for a sentence.
  static var names: String { get }
  /// The next of those that keys choose.
  var next: Self { get }
  /// A scope as scenarios say it.
  var text: String { get }
  /// Reads a scope; `nil` when the text is none.
  init?(_ text: String)
}

/// A fault with its amount, its probability and its scope, as scenarios say it and keys change it.
public struct DrivenFaultSetting<Fault: DrivenFault>: Hashable, Sendable {
  /// The kind of fault.
  public let fault: Fault
  /// How much, in the fault's unit.
  public let amount: Double
  /// How likely it strikes, from 0 to 1.
  public let probability: Double
  /// Whom it strikes.
  public let scope: Fault.Scope
  /// True if it strikes at all.
  public let isOn: Bool

  /// A setting; an amount or a probability out of range is moved to its next end.
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

// MARK: As keys change it

extension DrivenFaultSetting {
  /// The same, on or off.
  public func with(isOn: Bool) -> Self {
    Self(fault, amount: amount, probability: probability, scope: scope, isOn: isOn)
  }

  /// The same, off where it is on and on where it is off.
  package var toggled: Self { with(isOn: !isOn) }

  /// The same with the next likelihood of always, 1 in 2, 1 in 5, 1 in 10.
  package var withNextLikelihood: Self {
    let next = FaultAmount.likelihood(after: probability)
    return Self(fault, amount: amount, probability: next, scope: scope, isOn: isOn)
  }

  /// The same for the next of all that it can strike.
  package var withNextScope: Self {
    Self(fault, amount: amount, probability: probability, scope: scope.next, isOn: isOn)
  }

  /// The same with an amount that is so many steps more, or less; a fault without an amount stays as it is.
  ///
  /// The amounts lie on the steps around the usual one, so an end of the range that lies beside them is left again.
  package func adjusted(by steps: Int) -> Self {
    let (usual, step) = (fault.measure.usual, fault.measure.step)
    let moved = FaultAmount.moved(amount, by: steps, usual: usual, step: step)
    return Self(fault, amount: moved, probability: probability, scope: scope, isOn: isOn)
  }
}

// MARK: As scenarios say it

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

  /// The members of the act, in the words of the reader.
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

/// The faults that are set, each at most once.
public struct DrivenFaultBoard<Fault: DrivenFault>: Hashable, Sendable {
  private var settings: [Fault: DrivenFaultSetting<Fault>] = [:]

  /// A board without any.
  public init() {}

  /// The setting of a fault; off with its usual amount if none was set.
  public subscript(_ fault: Fault) -> DrivenFaultSetting<Fault> {
    settings[fault] ?? DrivenFaultSetting(fault, isOn: false)
  }

  /// Sets a fault and returns what was there.
  @discardableResult
  public mutating func set(_ setting: DrivenFaultSetting<Fault>) -> DrivenFaultSetting<Fault> {
    let before = self[setting.fault]
    settings[setting.fault] = setting
    return before
  }

  /// The faults that are on, in the order of the list.
  public var active: [DrivenFaultSetting<Fault>] {
    Fault.allCases.compactMap { settings[$0] }.filter(\.isOn)
  }

  /// The amount of each fault that strikes; draws only for those that might.
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
