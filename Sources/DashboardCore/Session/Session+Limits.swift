package import Aggregation
import Codecs
import Platform
import QueryLanguage
import TerminalUI

// Limits: bells and commands, and limits set on the screen.
extension Session {
  /// Rings the bell and runs commands for excesses that began since the last check.
  ///
  /// The first check, and any with another window or other limits, only records: existing excesses are old news. Does
  /// nothing while the screen is frozen.
  package mutating func noteExcesses() -> [Effect] {
    guard !isFrozen, alerts.isOfWhole, !alerts.isOfPast else { return [] }
    let events = alerts.scanned.filter { $0.excess != nil }
    var lasting: [FiringLimits.Key: ChangeEvent] = [:]
    for event in events {
      guard let limit = event.excess?.limit else { continue }
      let key = FiringLimits.Key(limit: limit, metric: event.subject)
      lasting[key] = event.worse(than: firing.lasting[key], at: alerts.edge)
    }
    let basis = FiringLimits.Basis(window: alerts.window, limits: alerts.limits)
    let known = firing
    firing = FiringLimits(basis: basis, lasting: lasting)
    guard known.basis == basis else { return [] }
    for (key, event) in known.lasting where lasting[key] == nil {
      alerts.keep(ended: event.ended(at: alerts.edge, unit(of: event)))
    }
    return effects(
      of: events.filter { event in
        event.excess.map {
          known.lasting[FiringLimits.Key(limit: $0.limit, metric: event.subject)] == nil
        } ?? false
      })
  }

  private func unit(of event: ChangeEvent) -> ValueUnit { event.series.map(unit) ?? .plain }

  /// Rings the bell and runs commands for new excesses.
  private mutating func effects(of new: [ChangeEvent]) -> [Effect] {
    let commands = new.compactMap { event in
      event.excess.flatMap { excess in
        excess.limit.command.map {
          LimitCommand(
            text: $0, metric: event.subject, value: excess.value, limit: excess.bound,
            words: event.text)
        }
      }
    }
    if commands.count > FiringLimits.commandLimit {
      showToast("Ran \(FiringLimits.commandLimit) of \(commands.count) limit commands")
    }
    let bell: [Effect] = new.contains { $0.excess?.limit.ringsBell ?? false } ? [.bell] : []
    return bell + commands.prefix(FiringLimits.commandLimit).map(Effect.run)
  }

  // MARK: Showing a limit

  /// The limit drawn in charts of a series.
  package func drawnLimit(of identity: SeriesIdentity) -> MetricLimit? {
    limits.drawn(of: identity.fullName, in: unit(of: identity))
  }

  // MARK: Setting a limit

  /// Prompts for the limit of a metric.
  package mutating func askForLimit(of metric: String) {
    let own = limits.all.first { $0.isOf(metric) }
    let unit = unit(ofMetric: metric)
    let holding = limits.limits(of: metric, in: unit).first
    func text(_ limit: MetricLimit) -> String { LimitText.shortText(limit, unit) }
    overlay = .typing(
      .limit(of: metric, holding: holding.map(text)), Prompt(own.map(text) ?? "", isSelected: own != nil))
  }

  private func unit(ofMetric name: String) -> ValueUnit { units[name] ?? ValueUnit(name: name) }

  /// Sets the limit that was typed and stores it with the file; an empty line removes it.
  package mutating func setLimit(of metric: String, _ text: String) -> [Effect] {
    let unit = unit(ofMetric: metric)
    guard !text.allSatisfy(\.isWhitespace) else {
      let hadOne = limits.remove(metric)
      let others = limits.limits(of: metric, in: unit).map { LimitText.shortText($0, unit) }
      let last = hadOne ? "no longer has a limit" : "has no limit"
      showToast(
        others.isEmpty
          ? "\(metric) \(last)"
          : "\(metric) has no limit of its own; the configuration's applies: "
            + others.joined(separator: ", "))
      notes.keepLimit("", of: metric)
      return [.keep(notes)]
    }
    guard
      var limit = LimitText.limit(of: metric, text, isFloor: better[metric] == .higher, unit: unit)
    else {
      showToast("Not a limit: \(LimitText.fault(of: metric, text, unit: unit))")
      return []
    }
    let displaced = limits.limits(of: metric, in: unit).first(where: limit.rivals)
    // Keeps the command configured for this limit.
    limit.command = displaced?.command
    limits.set(limit)
    notes.keepLimit(LimitText.text(limit), of: metric)
    let place =
      displaced.flatMap { $0.isOf(metric) ? nil : ", instead of \(LimitText.shortText($0, unit))" } ?? ""
    showToast("Limit for \(metric): \(LimitText.shortText(limit, unit))\(place)")
    return [.keep(notes)]
  }
}

extension ChangeEvent {
  /// The excess with its worst value and the time of that, over this check and the earlier ones.
  fileprivate func worse(than other: ChangeEvent?, at moment: Timestamp) -> ChangeEvent {
    guard let excess, let before = other?.excess else {
      var event = self
      event.peak = moment
      return event
    }
    let isWorse = excess.limit.isFloor ? excess.value < before.value : excess.value > before.value
    var event = self
    (event.excess, event.peak) = isWorse ? (excess, moment) : (before, other?.peak)
    return event
  }

  /// The event for the end of an excess.
  fileprivate func ended(at moment: Timestamp, _ unit: ValueUnit) -> ChangeEvent {
    guard let excess else { return self }
    let (limit, length) = (excess.limit, DurationFormat.text(max(0, moment - time)))
    let worst = "\(limit.subject) \(limit.isFloor ? "down" : "up") to \(limit.text(excess.look, unit))"
    var event = ChangeEvent(
      kind: .overLimit, time: moment, series: series, subject: subject,
      text: "over: \(worst), \(limit.sign) \(limit.boundText(excess.look, unit)) for \(length)")
    (event.end, event.peak) = (moment, peak)
    return event
  }
}
