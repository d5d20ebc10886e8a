import Aggregation
import Codecs
import TerminalUI

// Lists and prompts that lie over the screen.
extension Model {
  /// Samples that the list shows at most.
  static let sampleLimit = 2000

  /// The samples of the window, the newest first.
  func samples(of identity: SeriesIdentity) -> [TimedValue] {
    guard let id = store.id(of: identity) else { return [] }
    let to = isFrozen ? live.content.edge : max(live.content.edge, store.tally(of: id).lastTime)
    return store.samples(of: id, from: live.content.edge - live.window, to: to, limit: Self.sampleLimit)
  }

  /// Lets the prompt that is open take an event; `nil` where none is, or the event is not for it.
  mutating func typed(_ event: InputEvent) -> [Effect]? {
    switch overlay {
    case .typing(let kind, var prompt):
      switch prompt.handle(event) {
      case .submitted: return submit(kind, prompt.text)
      case .cancelled:
        overlay = nil
        if kind == .filter { filter = "" }
      case .edited, .moved:
        overlay = .typing(kind, prompt)
        if kind == .filter { filter = prompt.text }
      case .ignored: return passesPrompt(event) ? nil : []
      }
      return []
    case .help(var query, let selection):
      switch query.handle(event) {
      case .submitted: return runHelp(query, selection)
      case .cancelled: overlay = nil
      case .edited: overlay = .help(query: query, selection: 0)
      case .moved: overlay = .help(query: query, selection: selection)
      case .ignored: return passesPrompt(event) ? nil : []
      }
      return []
    case .picker(let picker, var query, let selection):
      switch query.handle(event) {
      case .submitted: return pick(picker, query, selection)
      case .cancelled: overlay = nil
      case .edited: overlay = .picker(picker, query: query, selection: 0)
      case .moved: overlay = .picker(picker, query: query, selection: selection)
      case .ignored: return passesPrompt(event) ? nil : []
      }
      return []
    case .letter(let use): return takeLetter(event, use)
    case .samples, .line, .rawSample, .rejections, nil: return nil
    }
  }

  /// Does what a line was typed for.
  private mutating func submit(_ kind: TypedLine, _ text: String) -> [Effect] {
    switch kind {
    case .filter:
      overlay = nil
      if screen == .history, !filter.isEmpty { selectHistoryMatch() }
    case .time: goTo(text)
    case .look: return keepLook(text)
    case .file: return export(to: text)
    case .test(let mark): return writeTest(text, since: mark)
    }
    return []
  }

  /// Keys that mean the same while something is typed.
  private func passesPrompt(_ event: InputEvent) -> Bool {
    guard case .key(let press) = event else { return false }
    switch press.key {
    case .up, .down, .pageUp, .pageDown, .function: return true
    case .character("z"), .character("l"), .character("c"): return press.modifiers == .control
    default: return false
    }
  }

  // MARK: Help

  mutating func showHelp() { overlay = .help(query: Prompt(), selection: 0) }

  /// The actions that match a query, in the order of the table.
  func helpEntries(_ query: Prompt) -> [Action] {
    Action.valid(on: screen).filter { helpEntry($0).matches(query.text) }
  }

  func helpEntry(_ action: Action) -> ActionList.Entry {
    var below = self
    below.overlay = nil
    return ActionList.Entry(action.keyText, action.title, refusal: action.refusal(below))
  }

  private mutating func runHelp(_ query: Prompt, _ selection: Int) -> [Effect] {
    let entries = helpEntries(query)
    overlay = nil
    guard entries.indices.contains(selection) else { return [] }
    return perform(entries[selection])
  }

  // MARK: Copying

  /// A terminal may refuse longer clipboard texts.
  static let copyLimit = 60_000

  func copy() -> [Effect] {
    let text = copiedText
    return [.copy(String(decoding: text.utf8.prefix(Self.copyLimit), as: UTF8.self))]
  }

  private var copiedText: String {
    switch overlay {
    case .samples(let identity, _):
      return samples(of: identity).map { sample in
        "\(zone.date(sample.time)) \(zone.time(sample.time, .milliseconds))\t\(sample.value.words)"
      }.joined(separator: "\n")
    case .rejections:
      let names = fileNames
      return shown.status.rejections.map { $0.place(names) + " " + $0.reason }.joined(separator: "\n")
    case .line(let line, _): return line.text
    case .rawSample: return rawSample?.text ?? ""
    case .help, .picker, .typing, .letter, nil:
      switch screen {
      case .live: return rowText
      case .history: return historyText
      case .histogram: return histogramText
      case .sync: return transitionText
      }
    }
  }

  private var rowText: String {
    guard let index = selectedIndex else { return "" }
    let row = live.content.rows[index]
    guard case .series(let identity) = row.id, let id = row.series else { return row.label }
    let stats = live.content.stats[id]?.stats ?? stats(of: id, columns: 1)
    let now = stats.now.map { " now \($0.words)" } ?? ""
    let p50 = stats.p50.map { " p50 \(row.unit.text($0.value))" } ?? ""
    let p95 = stats.p95.map { " p95 \(row.unit.text($0.value))" } ?? ""
    return "\(identity.fullName)\(now)\(p50)\(p95) n \(stats.n) in \(DurationFormat.text(live.window))"
  }
}

extension FeedRejection {
  /// `app.jsonl line 12 byte 3400`.
  func place(_ names: FileNames) -> String {
    names.short(source) + (line.map { " line \($0)" } ?? "") + " byte \(offset)"
  }
}
