import Aggregation

/// Counts and rates of an app's exits by reason, over the device-days of one version.
public struct ExitFigures<Reason: Hashable & Sendable>: Hashable, Sendable {
  /// Exits for one reason.
  public struct Figure: Hashable, Sendable {
    /// The reason of the exits.
    public let reason: Reason
    /// Number of exits; saturates at `Int.max`.
    public let count: Int
    /// Share of all exits, from 0 to 1.
    public let share: Double
    /// Exits per hour of use; `nil` if the foreground time is unknown.
    public let perForegroundHour: Double?
  }

  /// The reasons that occurred, most frequent first; ties keep the order of the input.
  public let figures: [Figure]
  /// Total number of exits; saturates at `Int.max`.
  public let count: Int

  /// Computes the figures from counts.
  ///
  /// - Parameters:
  ///   - counts: Reasons with counts, in any number; a reason may occur once per day. Counts of zero or less are ignored.
  ///   - foreground: The foreground time of the same days in seconds, if known.
  public init(_ counts: some Sequence<(reason: Reason, count: Int)>, foreground: Double?) {
    var order: [Reason] = []
    var sums: [Reason: Int] = [:]
    for (reason, count) in counts where count > 0 {
      if sums[reason] == nil { order.append(reason) }
      sums[reason, default: 0] = sums[reason, default: 0].addingSaturated(count)
    }
    let all = sums.values.reduce(0.0) { $0 + Double($1) }
    let hours = foreground.flatMap { $0 > 0 && $0.isFinite ? $0 / 3600 : nil }
    let figures = order.map { reason in
      let count = sums[reason, default: 0]
      let rate = hours.map { Double(count) / $0 }.flatMap { $0.isFinite ? $0 : nil }
      return Figure(reason: reason, count: count, share: Double(count) / all, perForegroundHour: rate)
    }
    self.figures = figures.enumerated()
      .sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
      .map(\.element)
    count = figures.reduce(0) { $0.addingSaturated($1.count) }
  }
}
