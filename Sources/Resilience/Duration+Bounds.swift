extension Duration {
  /// Two of these can still be added: about 73 billion years.
  private static let limit = Duration.seconds(Int64.max / 4)

  /// The nearest duration that is safe for arithmetic.
  func bounded(from low: Duration = .zero - limit) -> Duration {
    min(max(self, low), Self.limit)
  }
}
