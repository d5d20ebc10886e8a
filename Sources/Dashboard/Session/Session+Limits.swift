import Aggregation
import Codecs
import QueryLanguage
import TerminalUI

// Limits: what rings, and what is set on the screen.
extension Session {
  /// Rings and runs for the excesses that have begun since the last look.
  ///
  /// The first look, and any with another window or other limits, only takes note: what was beyond its limit before is
  /// old. While the screen is frozen nothing is looked at.
  mutating func noteExcesses() -> [Effect] {
    guard !isFrozen, alerts.isOfWhole, !alerts.isOfPast else { return [] }
    let events = alerts.scanned.filter { $0.excess != nil }
    let excesses = events.compactMap { event in
      event.excess.map { (key: FiringLimits.Key(limit: $0.limit, metric: event.subject), value: $0.value) }
    }
    let basis = FiringLimits.Basis(window: alerts.window, limits: limits)
    let known = firing
    (firing.basis, firing.keys) = (basis, Set(excesses.map(\.key)))
    guard known.basis == basis else { return [] }
    let new = excesses.filter { !known.keys.contains($0.key) }
    let commands = new.compactMap { key, value in
      key.limit.command.map {
        LimitCommand(text: $0, metric: key.metric, value: value, limit: key.limit.bound)
      }
    }
    if commands.count > FiringLimits.commandLimit {
      showToast("\(FiringLimits.commandLimit) of \(commands.count) commands of limits were run")
    }
    let bell: [Effect] = new.contains { $0.key.limit.ringsBell } ? [.bell] : []
    return bell + commands.prefix(FiringLimits.commandLimit).map(Effect.run)
  }

  // MARK: Showing a limit

  /// The limit that charts of a series draw.
  func drawnLimit(of identity: SeriesIdentity) -> MetricLimit? {
    limits.drawn(of: identity.fullName, in: unit(of: identity))
  }

  /// Where a chart draws it; `nil` beyond the axis.
  func tick(of limit: MetricLimit?, _ identity: SeriesIdentity, on axis: ValueAxis) -> Chart.Tick? {
    guard let limit, axis.shows(limit.bound) else { return nil }
    let text = "limit \(limit.figure.rawValue) \(unit(of: identity).text(limit.bound))"
    return Chart.Tick(axis.place(limit.bound), text)
  }

  // MARK: Setting a limit

  /// Asks for the limit of a metric.
  mutating func askForLimit(of metric: String) {
    let isFloor = better[metric] == .higher
    let own = limits.all.first { $0.isOf(metric) }
    overlay = .typing(
      .limit(of: metric, isFloor: isFloor), Prompt(own.map(LimitText.shortText) ?? "", isSelected: own != nil)
    )
  }

  /// Sets the limit that was typed, and keeps it with the file; takes it away for an empty line.
  mutating func setLimit(of metric: String, _ text: String) -> [Effect] {
    guard !text.allSatisfy(\.isWhitespace) else {
      showToast(limits.remove(metric) ? "\(metric) has no limit any more" : "\(metric) has no limit")
      notes.keepLimit("", of: metric)
      return [.keep(notes)]
    }
    guard
      var limit = LimitText.limit(
        of: metric, text, isFloor: better[metric] == .higher, unit: units[metric])
    else {
      showToast("That is no limit: expected \(LimitText.expected)")
      return []
    }
    // What the configuration runs for this limit stays.
    limit.command = limits.all.first { $0.isOf(metric) }?.command
    limits.set(limit)
    notes.keepLimit(LimitText.text(limit), of: metric)
    showToast("Limit of \(metric): \(LimitText.shortText(limit))")
    return [.keep(notes)]
  }
}
