import Aggregation
import TerminalUI

// What the shared actions do.
extension Model {
  // MARK: The list in front

  /// Rows of a page of whatever list is in front.
  var page: Int {
    switch session.overlay {
    case .samples, .line, .rawLine, .rejections, .rejectedLine, .help, .picker, .description:
      max(1, session.size.height - 6)
    case .typing, .letter, nil: max(1, facts.page - 1)
    }
  }

  /// Moves the cursor of whatever list is in front.
  mutating func moveCursor(by rows: Int) -> [Effect] {
    guard let overlay = session.overlay else { return tell(.moveCursor(by: rows)) }
    if case .typing = overlay { return tell(.moveCursor(by: rows)) }
    session.overlay = moved(overlay, by: rows)
    return []
  }

  /// The last row; with it the newest samples.
  mutating func goToEnd() -> [Effect] {
    let effects = moveCursor(by: .max)
    if session.overlay == nil { session.goLive() }
    return effects
  }

  // MARK: Alerts

  /// Goes to the next event that is an alert, in the order of the list; first of all to the worst.
  mutating func nextAlert(_ direction: Int) -> [Effect] {
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
        session.worstAlert
      }
    guard let next else { return [] }
    let event = events[next]
    // What a scan found around the playhead would be another thing elsewhere.
    if let peak = event.peak { session.movePlayhead(to: peak) }
    return tell(of: event)
  }

  /// Goes to the next mark or alert in time; the screens go to the metric of an alert, too.
  mutating func nextMarker(_ direction: Int) -> [Effect] {
    let events = session.alerts.events
    session.toast = nil
    guard let time = session.nextMarker(direction), let event = events.first(where: { $0.peak == time })
    else {
      return []
    }
    return tell(of: event)
  }

  private mutating func tell(of event: ChangeEvent) -> [Effect] {
    let effects = tellAll { .wentToAlert(event, isShown: $0) }
    session.alertSelection = event.id
    session.showToast("\(event.subject): \(event.text)")
    return effects
  }

  // MARK: Limits

  /// The `bucket.name` in focus, if it has numbers.
  var limitedMetric: String? { facts.subjects.first { session.isNumeric($0) }?.fullName }

  mutating func askForLimit() -> [Effect] {
    // Keys that came in one burst may have chosen another row.
    let effects = refresh()
    if let metric = limitedMetric { session.askForLimit(of: metric) }
    return effects
  }

  // MARK: Copying and the mouse

  /// A terminal may refuse longer clipboard texts.
  static let copyLimit = 60_000

  mutating func copy() -> [Effect] {
    let lines = (copiedLines ?? []).map(SafeText.harmless)
    let text = lines.joined(separator: "\n")
    guard !text.isEmpty else {
      session.showToast("There is nothing to copy")
      return []
    }
    let kept = String(decoding: text.utf8.prefix(Self.copyLimit), as: UTF8.self)
    let count = kept.utf8.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    let cut = kept.utf8.count < text.utf8.count ? ", the first \(Self.copyLimit / 1000)k of it" : ""
    session.showToast("Copied " + (count == 1 ? "«\(kept.brief)»" : "\(count) lines") + cut)
    return [.copy(kept)]
  }

  /// Copies what a shell needs to draw the screen without a terminal.
  mutating func copyCommand() -> [Effect] {
    guard !session.hasUnsayableFile else {
      session.showToast("A file's name is no UTF-8, which no text can say: nothing is copied")
      return []
    }
    let words = ["mistertop"] + facts.command + session.files.map(ShellWord.operand)
    let quoted = words.compactMap(ShellWord.quoted)
    guard quoted.count == words.count else {
      session.showToast("A name ends in a line end, which no shell keeps: nothing is copied")
      return []
    }
    let command = quoted.joined(separator: " ")
    session.showToast("Copied «\(command.brief)»")
    return [.copy(command)]
  }

  mutating func toggleMouse() -> [Effect] {
    session.isMouseOn.toggle()
    session.showToast(
      session.isMouseOn ? "Mouse on; hold Shift to select text" : "Mouse off: select text as usual")
    return [.mouse(session.isMouseOn)]
  }

  // MARK: Leaving

  /// Closes what lies on top; never quits.
  mutating func close() -> [Effect] {
    if session.overlay != nil {
      closeOverlay()
    } else if asksHistory, session.history.work != nil {
      session.history.giveUpWork()
      return [.cancelWork]
    } else if session.toast != nil {
      return closeBehindToast()
    } else {
      return tell(.close)
    }
    return []
  }

  /// Takes a message away with what it is about; who meant the message alone is not sent to another moment.
  private mutating func closeBehindToast() -> [Effect] {
    session.toast = nil
    var closed = self
    let effects = closed.tell(.close)
    guard closed.session.playhead == session.playhead else { return [] }
    self = closed
    return effects
  }

  /// A line lies over the samples that it was chosen from.
  private mutating func closeOverlay() {
    if case .line(_, let query) = session.overlay, let selection = query.selection {
      session.overlay = .samples(query.identity, selection: selection)
    } else if case .rejectedLine(_, let selection) = session.overlay {
      session.overlay = .rejections(selection: selection)
    } else {
      session.overlay = nil
    }
  }

  /// Whether something lies on top, or was gone into, that can be left.
  var canGoBack: Bool { session.overlay != nil || facts.isMaximised || shownPlace != 0 }

  /// Closes what lies on top, or quits where nothing does.
  mutating func back() -> [Effect] {
    guard canGoBack else {
      wantsReceipt = true
      return [.quit]
    }
    if session.overlay != nil {
      closeOverlay()
      return []
    }
    return tell(facts.isMaximised ? .toggleMaximised : .back)
  }
}

extension String {
  /// As much of a text as a message has room for.
  fileprivate var brief: String { count > 60 ? prefix(59) + "…" : self }
}
