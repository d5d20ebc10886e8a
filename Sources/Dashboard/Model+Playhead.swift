import Aggregation
import Codecs
import History
import TerminalUI

// The one playhead of all screens.
extension Model {
  mutating func toggleFreeze() {
    if isFrozen { return goLive() }
    freeze(at: live.content.edge)
  }

  mutating func goLive() {
    playhead = .live
    showFeed()
    followPlayhead()
  }

  mutating func freeze(at moment: Double) {
    if !isFrozen { recordedAtFreeze = feed.store.recorded }
    playhead = .frozen(moment)
  }

  /// The moment that every screen stands on, also between two keys of one burst, in seconds since 2001.
  var moment: Double {
    if case .frozen(let moment) = playhead { return moment }
    return live.content.edge
  }

  /// Moves the playhead by so many steps: twentieths of the live window, or steps of the history's chart.
  mutating func movePlayhead(by steps: Int) {
    if screen == .sync { return moveAlongTransitions(by: steps) }
    if screen == .histogram { return moveAlongHistogram(by: steps) }
    let length = screen == .live ? max(live.window / 20, live.quantum) : historyStep
    movePlayhead(to: moment + Double(steps) * length)
    extendSelection()
  }

  mutating func movePlayhead(to moment: Double) {
    guard let range = knownRange else { return }
    freeze(at: max(range.lowerBound, min(moment, max(now, range.upperBound))))
    // Moving on shows what came meanwhile; standing still does not.
    showFeed()
    followPlayhead()
  }

  /// The table's selected row is that of the playhead again: by time, for in no other order has a moment its place.
  private mutating func followPlayhead() {
    (history.order, history.cursor) = (.time, HistoryCursor())
  }

  /// How exactly the playhead's moment is written: as far as the window tells moments apart.
  var playheadPrecision: ClockZone.Precision {
    screen == .history && shownWindow.upperBound - shownWindow.lowerBound < 10 ? .milliseconds : .seconds
  }

  /// The playhead's moment, to be read beside the time of now.
  var playheadMoment: String { zone.exactMoment(live.content.edge, now: now, playheadPrecision) }

  // MARK: Going to a moment

  mutating func startGoTo() { overlay = .typing(.time, Prompt()) }

  /// Goes to the moment that was typed; what is none stays to be mended.
  mutating func goTo(_ text: String) {
    let zone = zone
    let surroundings = MomentParser.Context(
      now: now, playhead: live.content.edge, latest: max(now, knownRange?.upperBound ?? now),
      offset: { zone.offset(at: $0) })
    switch MomentParser.meaning(text, in: surroundings) {
    case .live:
      overlay = nil
      goLive()
    case .moment(let moment):
      overlay = nil
      movePlayhead(to: moment)
      if case .frozen(let reached) = playhead, reached != moment {
        say("The history \(reached > moment ? "begins" : "ends") at \(zone.moment(reached, now: now))")
      }
    case nil: say("Not a moment: try \(MomentParser.expected)")
    }
  }

  // MARK: Marks and alerts

  mutating func startLetter(_ use: LetterUse) { overlay = .letter(use) }

  /// Takes the letter that is waited for; any other key ends the waiting.
  mutating func takeLetter(_ event: InputEvent, _ use: LetterUse) -> [Effect] {
    guard case .key(let press) = event else { return [] }
    overlay = nil
    guard case .character(let letter) = press.key, press.modifiers.isEmpty else { return [] }
    switch use {
    case .fault: return takeFaultKey(letter)
    case .clearQueue: return letter == "y" ? clearQueue() : []
    case .setMark, .goToMark: break
    }
    guard HistoryNotes.isLetter(letter) else {
      say("A mark is a letter from a to z")
      return []
    }
    if use == .goToMark {
      goToMark(letter)
      return []
    }
    // A simulation may be ahead of the clock, or behind it: what is meant is what is seen.
    let moment = screen == .sync ? syncNow : live.content.edge
    notes.set(HistoryNotes.Mark(time: moment, text: markText), letter: letter)
    say("Marked \(zone.moment(moment, now: now)) as \(letter)")
    return [.keep(notes)]
  }

  /// What is in view, in a few words.
  private var markText: String {
    guard screen == .history, let focus = history.focus else { return "" }
    guard let row = selectedRow, case .number(let value) = row.value else { return focus.fullName }
    return "\(focus.fullName) \(focus.unit.text(value))"
  }

  mutating func goToMark(_ letter: Character) {
    guard let mark = notes.marks[letter] else { return say("There is no mark \(letter)") }
    movePlayhead(to: mark.time)
  }

  /// The times of marks and alerts, in their order.
  var markers: [Double] {
    let alerts = live.content.survey.events.lazy.filter(\.kind.isAlert).map(\.time)
    return (notes.marks.values.map(\.time) + alerts).sorted()
  }

  /// Goes to the marker before the playhead, or after it.
  mutating func nextMarker(_ direction: Int) {
    let edge = live.content.edge
    let next = direction > 0 ? markers.first { $0 > edge } : markers.last { $0 < edge }
    guard let next else { return say(direction > 0 ? "No marker after this" : "No marker before this") }
    movePlayhead(to: next)
  }
}

extension Model {
  /// The metric that was asked for and that the history does not have; `nil` where there is none such.
  package var unknownMetric: String? { history.unknownFocus }

  /// Shows a screen as it would be after some keys: for pictures without a person.
  ///
  /// - Parameters:
  ///   - moment: where the playhead stands, in seconds since 2001; `nil` for the live end.
  ///   - metric: what the history is shown of, as `bucket.name` or `bucket.name.field`; `nil` for what tells most.
  ///   - length: how much time the history shows around the moment, in seconds; `nil` for all of it.
  /// - Returns: what is to be asked; the answers come as messages.
  package mutating func stand(
    on screen: Screen, at moment: Double?, metric: String? = nil, length: Double? = nil
  ) -> [Effect] {
    show(screen)
    history.wantedFocus = metric
    if let moment { freeze(at: moment) }
    if let length, length.isFinite, length > 0 {
      let span = max(Self.spans.lowerBound, min(Self.spans.upperBound, length))
      history.span = span
      history.window = Self.window(from: (moment ?? now) - span / 2, length: span)
    }
    var effects = update(&self, [])
    // Nobody waits at a key for what is shown without a person.
    while syncBacklog > 0 { effects += update(&self, []) }
    return effects
  }
}
