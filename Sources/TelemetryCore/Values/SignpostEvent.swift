/// One event as it is recorded: bucket is the signposter's category, metric the event's name.
public struct SignpostEvent: Codable, Hashable, Sendable {
  /// The id; 0 for ``SignpostID/exclusive``.
  public let id: Int
  /// The event's message.
  public let message: String?
  /// How often it happened.
  public let count: Int

  /// An event.
  public init(id: Int, message: String? = nil, count: Int = 1) {
    self.id = id
    self.message = message
    self.count = count
  }
}
