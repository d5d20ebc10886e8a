import DeliveryCore
import SimulationKit

/// A fault with its amount, its probability and its scope.
package struct EndpointFaultSetting: Hashable, Sendable {
  /// The kind of fault.
  package let fault: EndpointFault
  /// How much, in the fault's unit.
  package let amount: Double
  /// How likely it strikes a batch, or a write, from 0 to 1.
  package let probability: Double
  /// Which batches it strikes.
  package let scope: EndpointFaultScope
  /// True if it strikes at all.
  package let isOn: Bool

  /// A setting; an amount or a probability out of range is moved to its next end.
  package init(
    _ fault: EndpointFault, amount: Double? = nil, probability: Double = 1,
    scope: EndpointFaultScope = .all, isOn: Bool = true
  ) {
    let measure = fault.measure
    self.fault = fault
    self.amount = FaultAmount.bounded(amount ?? measure.usual, to: measure.range)
    self.probability = FaultAmount.bounded(probability, to: 0...1)
    self.scope = scope
    self.isOn = isOn
  }

  /// The same, on or off.
  package func with(isOn: Bool) -> EndpointFaultSetting {
    EndpointFaultSetting(fault, amount: amount, probability: probability, scope: scope, isOn: isOn)
  }
}

// MARK: - As keys change it

extension EndpointFaultSetting: DrivenFaultSetting {
  /// The same for the next batches of all, those from memory, those from disk.
  package var withNextScope: EndpointFaultSetting {
    let scopes = EndpointFaultScope.allCases
    let place = scopes.firstIndex(of: scope).map { $0 + 1 } ?? 0
    return EndpointFaultSetting(
      fault, amount: amount, probability: probability, scope: scopes[place % scopes.count], isOn: isOn)
  }
}

/// The faults that are set, each at most once.
package struct EndpointFaultBoard: Hashable, Sendable {
  private var settings: [EndpointFault: EndpointFaultSetting] = [:]

  /// A board without any.
  package init() {}

  /// The setting of a fault; off with its usual amount if none was set.
  package subscript(_ fault: EndpointFault) -> EndpointFaultSetting {
    settings[fault] ?? EndpointFaultSetting(fault, isOn: false)
  }

  /// Sets a fault and returns what was there.
  @discardableResult
  package mutating func set(_ setting: EndpointFaultSetting) -> EndpointFaultSetting {
    let before = self[setting.fault]
    settings[setting.fault] = setting
    return before
  }

  /// The faults that are on, in the order of the list.
  package var active: [EndpointFaultSetting] {
    EndpointFault.allCases.compactMap { settings[$0] }.filter(\.isOn)
  }

  /// The amount of each fault that strikes a batch; draws only for those that might.
  func strikes(
    _ source: DeliveryMachine.Source, using random: inout SimulationRandom
  ) -> [EndpointFault: Double] {
    var result: [EndpointFault: Double] = [:]
    for setting in active where setting.scope.contains(source) {
      if setting.probability >= 1 || random.chance(setting.probability) {
        result[setting.fault] = setting.amount
      }
    }
    return result
  }
}
