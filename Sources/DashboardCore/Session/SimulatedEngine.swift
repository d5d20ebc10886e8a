package import DeliverySimulation
import Sync
package import SyncSimulation

/// The controls of the simulation of one engine.
package protocol SimulatedEngine: Sendable {
  /// An act that can be performed by hand.
  associatedtype Act: Hashable & Sendable
  /// A fault that can be injected.
  associatedtype Fault: Hashable & Sendable & CaseIterable
  /// The engine that is simulated.
  static var kind: EngineKind { get }
  /// Wraps an order to this engine for the program's edge.
  static func order(_ order: SimulationOrder<Self>) -> EngineOrder
}

/// The engines that this program can play.
package enum EngineKind: Hashable, Sendable, CaseIterable {
  case sync, delivery
}

/// An order to the simulation of one of the engines.
package enum EngineOrder: Hashable, Sendable {
  case sync(SimulationOrder<SyncSimulated>)
  case delivery(SimulationOrder<DeliverySimulated>)
}

/// The simulated sync engine.
package enum SyncSimulated: SimulatedEngine {
  package typealias Act = SimulationAct
  package typealias Fault = SimulatedFault
  package static var kind: EngineKind { .sync }
  package static func order(_ order: SimulationOrder<SyncSimulated>) -> EngineOrder { .sync(order) }
}

/// The simulated delivery client.
package enum DeliverySimulated: SimulatedEngine {
  package typealias Act = DeliverySimulationAct
  package typealias Fault = EndpointFault
  package static var kind: EngineKind { .delivery }
  package static func order(_ order: SimulationOrder<DeliverySimulated>) -> EngineOrder { .delivery(order) }
}
