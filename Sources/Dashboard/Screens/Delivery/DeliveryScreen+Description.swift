// The Delivery screen in words.
extension ScreenModel where Owner == DeliveryScreen {
  /// What the client does and why.
  var description: String {
    state.engine.isEmpty
      ? "No delivery client records into these files." : DeliveryScreen.sentence(self).wordings.first ?? ""
  }
}
