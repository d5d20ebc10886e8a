import Aggregation
import Platform
import TerminalUI

// Implementations of the shared actions.
extension Model {
  // MARK: The list in front

  /// Rows per page of the active list.
  var page: Int {
    switch session.overlay {
    case .samples, .line, .rawLine, .rejections, .rejectedLine, .help, .picker, .description:
      max(1, session.size.height - 6)
    case .typing, .letter, nil: max(1, front.page - 1)
    }
  }

  /// Moves the cursor of the active list.
  mutating func moveCursor(by rows: Int) -> [Effect] {
    guard let overlay = session.overlay else { return tell(.moveCursor(by: rows)) }
    if case .typing = overlay { return tell(.moveCursor(by: rows)) }
    session.overlay = moved(overlay, by: rows)
    return []
  }

  /// Moves to the last row, and with it to the newest samples.
  mutating func goToEnd() -> [Effect] {
    let effects = moveCursor(by: .max)
    if session.overlay == nil { session.goLive() }
    return effects
  }

  // MARK: Alerts

  /// Moves to the start of the next alert in the list; first to the worst one, and from an alert's start to its peak.
  mutating func nextAlert(_ direction: Int) -> [Effect] {
    if direction > 0, let visit = session.visit, visit.peak != nil, !visit.isAtPeak,
      session.alertSelection == visit.event.id
    {
      return go(to: visit.event, isAtPeak: true)
    }
    let events = session.alerts.events
    let alerts = events.indices.filter { events[$0].kind.isAlert }
    guard !alerts.isEmpty else { return [] }
    let current = session.alertIndex
    let next: Int? =
      if let current {
        direction > 0
          ? alerts.first { $0 > current } ?? alerts[0]
          : alerts.last { $0 < current } ?? alerts[alerts.count - 1]
      } else {
        session.worstAlert ?? alerts.first
      }
    guard let next else { return [] }
    return go(to: events[next])
  }

  /// Moves to the next mark or alert in time, and to the metric of an alert.
  mutating func nextMarker(_ direction: Int) -> [Effect] {
    let events = session.alerts.events
    guard let time = session.nextMarker(direction), let event = events.first(where: { $0.peak == time })
    else {
      return []
    }
    return go(to: event, isAtPeak: true)
  }

  private mutating func go(to event: ChangeEvent, isAtPeak: Bool = false) -> [Effect] {
    session.go(to: event, isAtPeak: isAtPeak)
    session.showToast("\(event.subject)\(isAtPeak ? " at its worst" : ""): \(event.text)")
    return tellAll { .wentToAlert(event, isShown: $0) }
  }

  /// The event that the first line of the screen names, if it is a problem of a metric.
  var namedProblem: ChangeEvent? { front.headline.flatMap { $0.isWrong(by: .distantFuture) ? $0 : nil } }

  // MARK: Limits

  /// The `bucket.name` in focus, if it is numeric.
  var limitedMetric: String? { front.subjects.first { session.isNumeric($0) }?.fullName }

  mutating func askForLimit() -> [Effect] {
    // Keys from the same burst may have selected another row.
    let effects = refresh()
    if let metric = limitedMetric { session.askForLimit(of: metric) }
    return effects
  }

  // MARK: Copying and the mouse

  /// Maximum bytes of a clipboard text; terminals may refuse more.
  static let copyLimit = 60_000

  mutating func copy() -> [Effect] {
    guard takesCopies() else { return [] }
    let lines = (copiedLines ?? []).map(SafeText.harmless)
    let text = lines.joined(separator: "\n")
    guard !text.isEmpty else {
      session.showToast("Nothing to copy")
      return []
    }
    let kept = String(decoding: text.utf8.prefix(Self.copyLimit), as: UTF8.self)
    let count = kept.utf8.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    let cut = kept.utf8.count < text.utf8.count ? " (the first \(Self.copyLimit / 1000)k)" : ""
    session.showToast("Copied " + (count == 1 ? "«\(kept.brief)»" : "\(count) lines") + cut)
    return [.copy(kept)]
  }

  /// Copies the shell command that draws the screen without a terminal.
  mutating func copyCommand() -> [Effect] {
    guard takesCopies() else { return [] }
    guard !session.hasUnsayableFile else {
      session.showToast("Nothing copied: a file's name is not valid UTF-8")
      return []
    }
    let words =
      ["mistertop"] + front.command + session.files(isNarrowed: front.isNarrowed).map(ShellWord.operand)
    let quoted = words.compactMap(ShellWord.quoted)
    guard quoted.count == words.count else {
      session.showToast("Nothing copied: a name ends in a newline, which a shell would drop")
      return []
    }
    let command = quoted.joined(separator: " ")
    session.showToast("Copied «\(command.brief)»")
    return [.copy(command)]
  }

  /// True if the terminal takes copies; otherwise shows the reason.
  private mutating func takesCopies() -> Bool {
    if session.theme.capabilities.hasPrivateModes { return true }
    session.showToast("Nothing copied: this type of terminal takes no copies")
    return false
  }

  mutating func toggleMouse() -> [Effect] {
    guard session.theme.capabilities.hasPrivateModes else {
      session.showToast("This type of terminal reports no mouse")
      return []
    }
    session.isMouseOn.toggle()
    session.showToast(
      session.isMouseOn ? "Mouse on: hold Shift to select text" : "Mouse off: select text as usual")
    return [.mouse(session.isMouseOn)]
  }

  // MARK: Leaving

  /// Handles Esc: cancels the work in progress, or goes back one step; never quits.
  mutating func close() -> [Effect] {
    guard session.overlay == nil, asksHistory, session.history.work != nil else {
      return stepBack() ?? []
    }
    session.history.giveUpWork()
    return [.cancelWork]
  }

  /// Handles `q`: goes back one step, or quits if there is none.
  mutating func back() -> [Effect] {
    if let effects = stepBack() { return effects }
    wantsReceipt = true
    return [.quit]
  }

  /// True if there is a step to go back.
  var canGoBack: Bool {
    var copy = self
    return copy.stepBack() != nil
  }

  /// Undoes one step: an overlay, a filter, a playhead in the past, another screen; `nil` if there is none.
  private mutating func stepBack() -> [Effect]? {
    if session.overlay != nil {
      closeOverlay()
      return []
    }
    if lend(to: shownPlace, { $0.stepBack() }) { return route() }
    if session.isFrozen {
      session.goLive()
      return []
    }
    return shownPlace == 0 ? nil : show(place: 0)
  }

  /// Closes the overlay; a line returns to the list of samples that it was selected from.
  private mutating func closeOverlay() {
    if case .line(_, let query) = session.overlay, let selection = query.selection {
      session.overlay = .samples(query.identity, selection: selection)
    } else if case .rejectedLine(_, let selection) = session.overlay {
      session.overlay = .rejections(selection: selection)
    } else {
      session.overlay = nil
    }
  }
}

extension String {
  /// A text shortened to one line of a message.
  fileprivate var brief: String {
    let line = split(separator: "\t", omittingEmptySubsequences: false).joined(separator: "  ")
    return line.count > 60 ? line.prefix(59) + "…" : line
  }
}
