import Telemetry

/// A fault with its amount, its probability and its scope.
public struct FaultSetting: Hashable, Sendable {
  /// What goes wrong.
  public let fault: SimulatedFault
  /// How much, in the fault's unit.
  public let amount: Double
  /// How likely it strikes a call, from 0 to 1.
  public let probability: Double
  /// Which calls it strikes.
  public let scope: FaultScope
  /// Whether it strikes at all.
  public let isOn: Bool

  /// A setting; an amount or a probability out of range is moved to its next end.
  public init(
    _ fault: SimulatedFault, amount: Double? = nil, probability: Double = 1,
    scope: FaultScope = FaultScope(), isOn: Bool = true
  ) {
    let measure = fault.measure
    self.fault = fault
    self.amount = FaultAmount.bounded(amount ?? measure.usual, to: measure.range)
    self.probability = FaultAmount.bounded(probability, to: 0...1)
    self.scope = scope
    self.isOn = isOn
  }

  /// The same, on or off.
  public func with(isOn: Bool) -> FaultSetting {
    FaultSetting(fault, amount: amount, probability: probability, scope: scope, isOn: isOn)
  }
}

// MARK: - As keys change it

extension FaultSetting: DrivenFaultSetting {}

extension FaultSetting {
  /// The same, off where it is on and on where it is off.
  public var toggled: FaultSetting { with(isOn: !isOn) }

  /// The same with an amount that is so many steps more, or less; a fault without an amount stays as it is.
  ///
  /// The amounts lie on the steps around the usual one, so an end of the range that lies beside them is left again.
  public func adjusted(by steps: Int) -> FaultSetting {
    let measure = fault.measure
    return with(
      amount: FaultAmount.moved(amount, by: steps, usual: measure.usual, step: measure.step))
  }

  /// The same with the next likelihood of always, 1 in 2, 1 in 5, 1 in 10.
  public var withNextLikelihood: FaultSetting {
    with(probability: FaultAmount.likelihood(after: probability))
  }

  /// The same for the next calls of all, probe, push, pull, bootstrap; of every kind.
  public var withNextScope: FaultSetting {
    let calls: [SimulatedCall?] = [nil] + SimulatedCall.allCases
    let place = calls.firstIndex(of: scope.call).map { $0 + 1 } ?? 0
    return with(scope: FaultScope(place < calls.count ? calls[place] : nil))
  }

  private func with(
    amount: Double? = nil, probability: Double? = nil, scope: FaultScope? = nil
  ) -> FaultSetting {
    FaultSetting(
      fault, amount: amount ?? self.amount, probability: probability ?? self.probability,
      scope: scope ?? self.scope, isOn: isOn)
  }
}
