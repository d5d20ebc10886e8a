import TerminalUI

/// Folds messages into the model; gives what the edge must do.
///
/// The model is brought up to date once, after all of them.
package func update(_ model: inout Model, _ messages: [Message]) -> [Effect] {
  var effects: [Effect] = []
  for message in messages { effects += model.take(message) }
  model.refresh()
  return effects + model.ask()
}

/// Folds one message into the model; gives what the edge must do.
package func update(_ model: inout Model, _ message: Message) -> [Effect] {
  update(&model, [message])
}

extension Model {
  fileprivate mutating func take(_ message: Message) -> [Effect] {
    switch message {
    case .clock(let time):
      now = time
      if let toast, toast.until <= time { self.toast = nil }
      return []
    case .feed(let snapshot):
      feed = snapshot
      if !isFrozen { showFeed() } else { shown.status = snapshot.status }
      return []
    case .input(let event): return take(event)
    case .line(let line, let query):
      if let line {
        overlay = .line(line, query)
      } else {
        say("Its line is not in the last 64 MB of a file")
      }
      return []
    case .history(let news):
      take(news)
      return []
    case .said(let sentence):
      say(sentence)
      return []
    }
  }

  private mutating func take(_ event: InputEvent) -> [Effect] {
    switch event {
    case .resize(let size):
      self.size = size
      return []
    case .key(let press):
      return press.key == .character("c") && press.modifiers == .control ? [.quit] : take(press, event)
    case .paste: return typed(event) ?? []
    case .mouse(let mouse): return isMouseOn ? take(mouse) : []
    case .hangup: return [.giveUp]
    case .focus: return []
    case .resumed: return [.redraw]
    }
  }

  private mutating func take(_ press: KeyPress, _ event: InputEvent) -> [Effect] {
    if let effects = typed(event) {
      live.isTouched = true
      return effects
    }
    guard let action = Action.action(for: press, on: screen) else { return [] }
    return perform(action)
  }

  /// Runs an action, or says why it cannot run now.
  mutating func perform(_ action: Action) -> [Effect] {
    live.isTouched = true
    if let reason = action.refusal(self) {
      say("\(action.title): \(reason)")
      return []
    }
    return action.run(&self)
  }
}
