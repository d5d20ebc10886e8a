import Codecs

/// Faults of a simulation.
package protocol DrivenFault: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// The meaning of its amount.
  var amounts: FaultMeasure { get }
}

/// Whom a fault strikes.
package protocol DrivenFaultScope: Hashable, Sendable {
  /// Everything that it can strike.
  static var all: Self { get }
  /// The scopes there are, for a sentence.
  static var names: String { get }

  /// A scope as scenarios say it.
  var text: String { get }
  /// Reads a scope; `nil` when the text is none.
  init?(text: String)
}

/// The setting of a fault, as scenarios say it and keys change it.
package protocol DrivenFaultSetting: Hashable, Sendable {
  associatedtype Fault: DrivenFault
  associatedtype Scope: DrivenFaultScope

  /// The fault.
  var fault: Fault { get }
  /// How much, in the fault's unit.
  var amount: Double { get }
  /// How likely it strikes, from 0 to 1.
  var probability: Double { get }
  /// Whom it strikes.
  var scope: Scope { get }
  /// True if it strikes at all.
  var isOn: Bool { get }
  /// The same for the next of all that it can strike.
  var withNextScope: Self { get }

  /// A setting; an amount or a probability out of range is moved to its next end.
  init(_ fault: Fault, amount: Double?, probability: Double, scope: Scope, isOn: Bool)
}

// MARK: As keys change it

extension DrivenFaultSetting {
  /// The same, off where it is on and on where it is off.
  package var toggled: Self {
    Self(fault, amount: amount, probability: probability, scope: scope, isOn: !isOn)
  }

  /// The same with the next likelihood of always, 1 in 2, 1 in 5, 1 in 10.
  package var withNextLikelihood: Self {
    let next = FaultAmount.likelihood(after: probability)
    return Self(fault, amount: amount, probability: next, scope: scope, isOn: isOn)
  }

  /// The same with an amount that is so many steps more, or less; a fault without an amount stays as it is.
  ///
  /// The amounts lie on the steps around the usual one, so an end of the range that lies beside them is left again.
  package func adjusted(by steps: Int) -> Self {
    let (usual, step) = (fault.amounts.usual, fault.amounts.step)
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
    guard let scope = Scope(text: scopeText) else {
      throw reader.fault("scope", "'\(scopeText)' is none of \(Scope.names)")
    }
    self.init(
      fault, amount: try reader.number("amount", in: fault.amounts.range),
      probability: try reader.number("probability", in: 0...1) ?? 1, scope: scope,
      isOn: try reader.bool("on", else: true))
  }

  /// The members of the act, in the words of the reader.
  package var members: [String] {
    var members = ["fault: \(JSON5Text.quoted(fault.rawValue))"]
    let amounts = fault.amounts
    if !amounts.unit.isEmpty && (isOn || amount != amounts.usual) {
      members.append("amount: \(Decimals.text(amount))")
    }
    if probability != 1 { members.append("probability: \(Decimals.text(probability))") }
    if scope != .all { members.append("scope: \(JSON5Text.quoted(scope.text))") }
    if !isOn { members.append("on: false") }
    return members
  }
}
