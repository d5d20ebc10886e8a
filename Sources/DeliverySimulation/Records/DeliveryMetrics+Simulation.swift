package import DeliveryCore
package import MisterMetricsCore

extension DeliveryMetrics {
  /// The constants of a simulation's client, at the start and whenever they changed.
  package static let configuration = Metric<DeliveryConstants>(name: "configuration", in: bucket)
  /// Every fault of a simulation that was set.
  package static let fault = Metric<DeliveryFault>(name: "fault", in: bucket)
  /// Every change of a simulation.
  package static let simulation = Metric<DeliverySimulationState>(name: "simulation", in: bucket)
}
