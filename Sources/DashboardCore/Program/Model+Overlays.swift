import Aggregation
import Codecs
import Platform
import QueryLanguage
import TerminalUI

// Lists and prompts over the screen.
extension Model {
  /// Handles an event in the open prompt; `nil` if there is none, or if the event is not for it.
  mutating func typed(_ event: InputEvent) -> [Effect]? {
    switch session.overlay {
    case .typing(let line, var prompt):
      switch prompt.handle(event) {
      case .submitted:
        session.typedLines.note(prompt.text, for: line)
        return submit(line, prompt.text)
      case .cancelled:
        session.overlay = nil
        session.typedLines.stopRecalling()
        return tell(.cancelled(line))
      case .edited, .moved:
        session.typedLines.stopRecalling()
        session.overlay = .typing(line, prompt)
        return tell(.edited(line, prompt.text))
      case .ignored: return assisted(line, prompt, event) ?? (passesPrompt(event) ? nil : [])
      }
    case .help(var query, let selection):
      switch query.handle(event) {
      case .submitted: return runHelp(query, selection)
      case .cancelled: session.overlay = nil
      case .edited: session.overlay = .help(query: query, selection: 0)
      case .moved: session.overlay = .help(query: query, selection: selection)
      case .ignored: return passesPrompt(event) ? nil : []
      }
      return []
    case .picker(let picker, var query, let selection):
      switch query.handle(event) {
      case .submitted: return pick(picker, query.text, selection)
      case .cancelled: session.overlay = nil
      case .edited: session.overlay = .picker(picker, query: query, selection: 0)
      case .moved: session.overlay = .picker(picker, query: query, selection: selection)
      case .ignored: return passesPrompt(event) ? nil : []
      }
      return []
    case .letter(let use): return handleLetter(event, use)
    case .samples, .line, .rawLine, .rejections, .rejectedLine, .description, nil: return nil
    }
  }

  /// Executes the purpose of an input line.
  private mutating func submit(_ line: TypedLine, _ text: String) -> [Effect] {
    switch line {
    case .time:
      session.goTo(text)
      return []
    case .command: return runCommandLine(text)
    case _ where !line.metric.isEmpty:
      session.overlay = nil
      return session.setLimit(of: line.metric, text)
    default: return tell(.submitted(line, text))
    }
  }

  /// Completes the line, or recalls an earlier one; `nil` if the event does neither.
  private mutating func assisted(_ line: TypedLine, _ prompt: Prompt, _ event: InputEvent) -> [Effect]? {
    guard case .key(let press) = event, press.modifiers.isEmpty else { return nil }
    switch press.key {
    case .tab: return complete()
    case .up, .down:
      guard prompt.isEmpty || session.typedLines.isRecalling,
        let text = session.typedLines.recall(press.key == .up ? -1 : 1, for: line)
      else { return nil }
      session.overlay = .typing(line, Prompt(text))
      return tell(.edited(line, text))
    default: return nil
    }
  }

  /// True for keys that keep their meaning during typing.
  private func passesPrompt(_ event: InputEvent) -> Bool {
    guard case .key(let press) = event else { return false }
    switch press.key {
    case .up, .down, .pageUp, .pageDown, .function: return true
    case .character("z"), .character("l"), .character("c"): return press.modifiers == .control
    default: return false
    }
  }

  /// The problem with the filter being typed; `nil` while it is incomplete.
  var typedProblem: QueryError? {
    guard case .typing(.filter, let prompt) = session.overlay, let problem = front.filter?.problem,
      problem.range.lowerBound < prompt.text.count
    else { return nil }
    return problem
  }

  // MARK: Letters

  /// Handles the awaited letter; any other key ends the wait.
  private mutating func handleLetter(_ event: InputEvent, _ use: LetterUse) -> [Effect] {
    guard case .key(let press) = event else { return [] }
    session.overlay = nil
    guard case .character(let letter) = press.key, press.modifiers.isEmpty else { return [] }
    guard use == .setMark || use == .goToMark else { return tell(.letter(use, letter)) }
    guard HistoryNotes.isLetter(letter) else {
      session.showToast("A mark is a letter from a to z")
      return []
    }
    if use == .goToMark {
      session.goToMark(letter)
      return []
    }
    let mark = front.mark
    session.notes.set(HistoryNotes.Mark(time: mark.time, text: mark.text), letter: letter)
    session.showToast("Marked \(session.zone.moment(mark.time, now: session.now)) as \(letter)")
    return [.keep(session.notes)]
  }

  // MARK: Lists

  /// The overlay with its cursor moved by a number of rows.
  func moved(_ overlay: Overlay, by rows: Int) -> Overlay {
    func place(_ selection: Int, of count: Int) -> Int { Session.moved(selection, by: rows, count: count) }
    switch overlay {
    case .samples(let identity, let selection):
      return .samples(identity, selection: place(selection, of: session.samples(of: identity).count))
    case .rejections(let selection):
      return .rejections(selection: place(selection, of: session.rejections.count))
    case .help(let query, let selection):
      return .help(query: query, selection: place(selection, of: helpList.count { $0.matches(query.text) }))
    case .picker(let picker, let query, let selection):
      return .picker(
        picker, query: query, selection: place(selection, of: matches(picker, query.text).count))
    case .line, .rawLine, .rejectedLine, .letter, .typing, .description: return overlay
    }
  }

  /// Opens the entry at the cursor of the overlay.
  mutating func enterOverlay() -> [Effect] {
    if case .rejections(let selection) = session.overlay {
      let rejections = session.rejections
      // A payload file has no line that could be shown.
      return rejections.indices.contains(selection) && selection >= session.unreadPayloads.count
        ? [.readLine(rejections[selection], selection: selection)] : []
    }
    guard case .samples(let identity, let selection) = session.overlay else { return [] }
    let samples = session.samples(of: identity)
    guard samples.indices.contains(selection) else { return [] }
    let sample = samples[selection]
    return [
      .findLine(
        LineQuery(
          identity: identity, time: session.stamp(of: sample.moment, in: identity), value: sample.value,
          selection: selection))
    ]
  }

  // MARK: Help

  mutating func showHelp() -> [Effect] {
    session.overlay = .help(query: Prompt(), selection: 0)
    return []
  }

  mutating func showSettings() -> [Effect] {
    session.overlay = .picker(.settings, query: Prompt(), selection: 0)
    return []
  }

  /// Describes the active pane in words.
  mutating func describe() -> [Effect] {
    session.overlay = .description(spokenDescription)
    return []
  }

  /// The actions that match a query, in table order.
  private func helpEntries(_ query: Prompt) -> [SharedAction] {
    table.actions.filter { helpEntry($0, query).matches(query.text) }
  }

  /// The help list while open: the actions, then the legend of the screen's signs.
  var helpList: [ActionList.Entry] {
    guard case .help(let query, _) = session.overlay else { return [] }
    return table.actions.map { helpEntry($0, query) }
      + front.legend.map { ActionList.Entry($0.sign, $0.meaning, section: "Signs") }
  }

  /// - Parameter query: the typed text; synonyms are searched only if there is one.
  private func helpEntry(_ action: SharedAction, _ query: Prompt) -> ActionList.Entry {
    var below = self
    below.session.overlay = nil
    let title = action.description.title
    return ActionList.Entry(
      action.description.keyText, title, refusal: action.refusal(below),
      section: action.description.group.title, synonyms: query.isEmpty ? "" : Synonyms.words(for: title))
  }

  private mutating func runHelp(_ query: Prompt, _ selection: Int) -> [Effect] {
    let entries = helpEntries(query)
    session.overlay = nil
    guard entries.indices.contains(selection) else { return [] }
    return perform(entries[selection])
  }

  // MARK: Pickers

  /// The titles of a picker's choices.
  func choices(_ picker: Picker, query: String) -> [String] {
    switch picker {
    case .settings: Setting.all.map { $0.title(session) }
    case .ignored: ignorable.map(\.title)
    default: front.choiceTitles(picker, query: query)
    }
  }

  /// The indexes and titles of the choices that match the query.
  private func matches(_ picker: Picker, _ query: String) -> [(place: Int, title: String)] {
    choices(picker, query: query).enumerated()
      .filter { ActionList.Entry("", $0.element, synonyms: picker.synonyms(query)).matches(query) }.map {
        ($0.offset, $0.element)
      }
  }

  /// Performs the selected choice.
  private mutating func pick(_ picker: Picker, _ query: String, _ selection: Int) -> [Effect] {
    let all = matches(picker, query)
    if picker == .settings, all.indices.contains(selection) {
      return Setting.all[all[selection].place].next(&self)
    }
    session.overlay = nil
    guard all.indices.contains(selection) else {
      session.showToast("Nothing in the list matches")
      return []
    }
    let place = all[selection].place
    return picker == .ignored
      ? session.toggle(ignorable[place].change) : tell(.picked(picker, query: query, place: place))
  }

  /// The content of the screen as a table for other programs; `nil` if there is none.
  package var screenTable: ScreenTable? { front.screenTable }

  // MARK: Copying

  /// The lines that `y` copies; `nil` if there are none.
  var copiedLines: [String]? {
    switch session.overlay {
    case .samples(let identity, _):
      let (zone, unit) = (session.zone, session.unit(of: identity))
      return session.samples(of: identity).map { sample in
        let time = "\(zone.date(sample.moment)) \(zone.time(sample.moment, .milliseconds))"
        return SafeText.row([time, sample.value.exactWords(unit)])
      }
    case .rejections:
      let names = session.fileNames
      return session.rejections.map { SafeText.row([$0.place(names), $0.reason]) }
    case .line(let line, _), .rejectedLine(let line, _): return [line.text]
    case .rawLine: return [front.rawLine?.text ?? ""]
    case .description(let text):
      return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    case .help, .picker, .typing, .letter, nil: return front.copiedLines
    }
  }
}

extension FeedRejection {
  /// The place of a rejected line, for instance `app.jsonl line 12 byte 3400`.
  func place(_ names: FileNames) -> String {
    let isWhole = line == nil && offset == 0 && excerpt.isEmpty
    return names.short(source) + (line.map { " line \($0)" } ?? "") + (isWhole ? "" : " byte \(offset)")
  }
}
