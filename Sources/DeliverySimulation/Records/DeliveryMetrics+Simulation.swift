package import DeliveryCore
package import MisterMetricsCore

extension DeliveryMetrics {
  /// The constants of a simulated client, at the start and after each change.
  package static let configuration = Metric<DeliveryConstants>(name: "configuration", in: bucket)
  /// Fault settings of a simulation.
  package static let fault = Metric<DeliveryFault>(name: "fault", in: bucket)
  /// State changes of a simulation.
  package static let simulation = Metric<DeliverySimulationState>(name: "simulation", in: bucket)
}
