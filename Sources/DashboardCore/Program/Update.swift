import Aggregation
package import History
import Platform
import TerminalUI

/// Folds messages into the model; returns effects for the loop.
///
/// The model is refreshed once, after all messages.
package func update(_ model: inout Model, _ messages: [Message]) -> [Effect] {
  var effects: [Effect] = []
  for message in messages { effects += model.handle(message) }
  effects += model.refresh()
  return effects + model.narrow() + model.ask() + model.announce()
}

/// Folds one message into the model; returns effects for the loop.
package func update(_ model: inout Model, _ message: Message) -> [Effect] {
  update(&model, [message])
}

extension Model {
  fileprivate mutating func handle(_ message: Message) -> [Effect] {
    switch message {
    case .clock(let time):
      session.now = time
      if let toast = session.toast, toast.until <= time { session.toast = nil }
      return []
    case .feed(let snapshot):
      session.feed = snapshot
      if !session.isFrozen { session.showFeed() } else { session.shown.status = snapshot.status }
      return []
    case .input(let event):
      // The toast belongs to the previous key.
      if case .key = event { session.toast = nil }
      return handle(event)
    case .line(let line, let query):
      if let line {
        session.overlay = .line(line, query)
      } else {
        session.showToast("Its line is not in the last 64 MB of the file")
      }
      return []
    case .rejectedLine(let line, let selection):
      session.overlay = .rejectedLine(line, selection: selection)
      return []
    case .history(let news):
      for sentence in session.history.receive(news) { session.showToast(sentence) }
      // A search with the previous sensitivity may end after the change.
      if let found = news.incidents, found.sensitivity == session.sensitivity {
        session.incidents.receive(
          found, without: session.notes.last.ignored, formatter: session.incidentFormatter)
      }
      return news.answer == nil ? [] : tellAll { _ in .answered }
    case .worked(let id, let result): return tell(id.screen, .worked(result))
    case .said(let sentence):
      session.showToast(sentence)
      return []
    }
  }

  private mutating func handle(_ event: InputEvent) -> [Effect] {
    switch event {
    case .resize(let size):
      session.size = size
      return []
    case .key(let press):
      session.noteInput()
      return press.key == .character("c") && press.modifiers == .control ? [.quit] : handle(press, event)
    case .paste(let text): return linear == nil ? typed(event) ?? [] : answer(text)
    case .mouse(let mouse): return session.isMouseOn ? handle(mouse) : []
    case .hangup: return [.giveUp]
    case .focus: return []
    case .background(let color):
      session.followBackground(color)
      return []
    case .trueColor:
      session.followTrueColor()
      return []
    case .unevenSigns:
      session.followUnevenSigns()
      // The rows drawn so far are shifted.
      return [.redraw]
    case .resumed: return [.redraw]
    }
  }

  mutating func handle(_ press: KeyPress, _ event: InputEvent) -> [Effect] {
    if let effects = typed(event) {
      session.isTouched = true
      return effects
    }
    if session.overlay != nil, press.key == .enter { return enterOverlay() }
    guard let action = table.action(for: press) else {
      session.showToast("\(press.text) does nothing here: \(session.keyText("?")) lists the keys")
      return []
    }
    return perform(action)
  }

  /// Runs an action, or shows the reason that it is unavailable.
  mutating func perform(_ action: SharedAction) -> [Effect] {
    session.isTouched = true
    if let reason = action.refusal(self) {
      // In a narrow window, the reason is more helpful than the title.
      let whole = "\(action.description.title): \(reason)"
      let isRoomy = whole.count + 10 <= session.size.width
      session.showToast(isRoomy ? whole : "\(action.description.keyText): \(reason)")
      return []
    }
    return action.run(&self)
  }

  // MARK: Asking the history

  /// The query for the history; `nil` if the live samples suffice.
  package var historyQuery: HistoryQuery? {
    guard session.history.isAvailable, !session.history.isGivenUp else { return nil }
    var query = asksHistory ? front.query : front.query ?? session.storeQuery ?? session.rangeQuery
    query?.scope = session.scope
    return query
  }

  /// The time at which the same question is asked again because the files grew.
  ///
  /// Not for screens that ask only about the past, which stays the same.
  var staleAnswerDeadline: Timestamp? {
    guard asksHistory else { return nil }
    return session.history.staleAt(recorded: front.isAgedBySamples ? session.feed.store.recorded : nil)
  }

  /// The effect that lets the feed follow the scope.
  fileprivate mutating func narrow() -> [Effect] {
    guard feedScope != session.scope else { return [] }
    feedScope = session.scope
    return [.narrow(session.scope)]
  }

  /// Effects that update the answers.
  fileprivate mutating func ask() -> [Effect] { askHistory() + findIncidents() }

  /// The time of the next search for incidents; `nil` while there is nothing new.
  var incidentDeadline: Timestamp? {
    guard session.history.isAvailable, session.feed.status.isLoaded else { return nil }
    return session.incidents.deadline(recorded: session.feed.store.recorded)
  }

  private mutating func findIncidents() -> [Effect] {
    let now = session.now
    guard let deadline = incidentDeadline, deadline <= now || deadline > now + Incidents.askInterval else {
      return []
    }
    session.incidents.ask(recorded: session.feed.store.recorded, at: now)
    return [.findIncidents]
  }

  private mutating func askHistory() -> [Effect] {
    let now = session.now
    let isStale = staleAnswerDeadline.map { $0 <= now || $0 > now + KnownHistory.askInterval } ?? false
    var effects = isStale ? tellAll { _ in .filesGrew } : []
    guard let query = historyQuery, query != session.history.asked || isStale else { return effects }
    session.history.ask(query, recorded: session.feed.store.recorded, at: now)
    effects.append(.ask(query))
    return effects
  }
}
