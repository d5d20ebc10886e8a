import Aggregation

/// How often an app ended for each reason, over the device-days of one version.
public struct ExitFigures<Reason: Hashable & Sendable>: Hashable, Sendable {
  /// One reason.
  public struct Figure: Hashable, Sendable {
    /// Why the app ended.
    public let reason: Reason
    /// How many times; `Int.max` for more than that.
    public let count: Int
    /// Its share of all exits, from 0 to 1.
    public let share: Double
    /// How many times in an hour of use; `nil` where that time is not known.
    public let perForegroundHour: Double?
  }

  /// The reasons that happened, the most frequent first; in the order given where they are as frequent.
  public let figures: [Figure]
  /// How many exits there were; `Int.max` for more than that.
  public let count: Int

  /// The figures of counts.
  ///
  /// - Parameters:
  ///   - counts: Reasons with counts, in any number; a reason may come for every day. Counts below zero do not count.
  ///   - foreground: The time in the foreground of the same days, in seconds, if known.
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
