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
    with(amount: amount, probability: probability, isOn: isOn)
  }
}

// MARK: - As keys change it

extension FaultSetting: DrivenFaultSetting {
  package var steps: (usual: Double, step: Double) { (fault.measure.usual, fault.measure.step) }

  package func with(amount: Double, probability: Double, isOn: Bool) -> FaultSetting {
    FaultSetting(fault, amount: amount, probability: probability, scope: scope, isOn: isOn)
  }
}

extension FaultSetting {
  /// The same for the next calls of all, probe, push, pull, bootstrap; of every kind.
  public var withNextScope: FaultSetting {
    let calls: [SimulatedCall?] = [nil] + SimulatedCall.allCases
    let place = calls.firstIndex(of: scope.call).map { $0 + 1 } ?? 0
    return FaultSetting(
      fault, amount: amount, probability: probability,
      scope: FaultScope(place < calls.count ? calls[place] : nil),
      isOn: isOn)
  }
}
