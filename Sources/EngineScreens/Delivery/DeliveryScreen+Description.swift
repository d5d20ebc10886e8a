import DashboardCore

// The description of the Delivery screen.
extension DeliveryScreen {
  /// The client's activity and the reason for it.
  package var description: String {
    state.engine.isEmpty
      ? "No delivery client records into these files." : self.sentence.wordings.first ?? ""
  }
}
