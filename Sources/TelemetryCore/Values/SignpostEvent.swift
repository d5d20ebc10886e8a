/// One event as recorded: the bucket is the signposter's category, the metric the event's name.
public struct SignpostEvent: Codable, Hashable, Sendable {
  /// The id; 0 for ``SignpostID/exclusive``.
  public let id: Int
  /// The event's message.
  public let message: String?
  /// Number of occurrences.
  public let count: Int

  /// An event.
  public init(id: Int, message: String? = nil, count: Int = 1) {
    self.id = id
    self.message = message
    self.count = count
  }
}
