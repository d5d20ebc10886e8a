package import SimulationKit
import Sync

/// A fault with its amount, its probability and its scope.
public struct FaultSetting: Hashable, Sendable {
  /// The kind of fault.
  public let fault: SimulatedFault
  /// How much, in the fault's unit.
  public let amount: Double
  /// How likely it strikes a call, from 0 to 1.
  public let probability: Double
  /// Which calls it strikes.
  public let scope: FaultScope
  /// True if it strikes at all.
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

extension SimulatedFault: DrivenFault {
  package var amounts: FaultMeasure {
    FaultMeasure(unit: measure.unit, range: measure.range, usual: measure.usual, step: measure.step)
  }
}

extension FaultScope: DrivenFaultScope {
  package static var all: FaultScope { FaultScope() }
  package static var names: String { "all, probe, push, pull, bootstrap, push:KIND" }
  package var text: String { description }
  package init?(text: String) { self.init(text) }
}
