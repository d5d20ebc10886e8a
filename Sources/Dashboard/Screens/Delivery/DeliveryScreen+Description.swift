// The Delivery screen in words.
extension ScreenModel where Owner == DeliveryScreen {
  /// The client's activity and the reason for it.
  var description: String {
    state.engine.isEmpty
      ? "No delivery client records into these files." : DeliveryScreen.sentence(self).wordings.first ?? ""
  }
}
