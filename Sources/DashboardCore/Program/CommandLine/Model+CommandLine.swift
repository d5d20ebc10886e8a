import Aggregation
import Platform
import QueryLanguage
import TerminalUI

// The command line after `:`.
extension Model {
  /// Maximum completions of a command line.
  private static let completionLimit = 100

  mutating func startCommandLine() -> [Effect] {
    session.overlay = .typing(.command, Prompt())
    return []
  }

  /// Completions of the input line; empty without one.
  var completions: [Completion] {
    guard case .typing(let line, let prompt) = session.overlay else { return [] }
    switch line {
    case .command: return commandCompletions(prompt.text)
    case .filter: return filterCompletions(prompt)
    default: return []
    }
  }

  private var commands: [LineCommand] { LineCommand.all(screens: session.tabs.titles) }

  private func commandCompletions(_ text: String) -> [Completion] {
    let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    let name = words.first.map { $0.lowercased() } ?? ""
    if words.count > 1, let command = command(called: name) {
      let rest = words[1].lowercased()
      return command.choices(self).lazy.filter { $0.lowercased().contains(rest) }
        .prefix(Self.completionLimit).map { Completion("\(command.name) \($0)", title: $0) }
    }
    let found = words.count > 1 ? [] : commands.filter { $0.name.hasPrefix(name) }
    let actions = text.isEmpty ? [] : actions(matching: text)
    return found.map { command in
      let title = [command.name, command.argument].filter { !$0.isEmpty }.joined(separator: " ")
      let line = command.argument.isEmpty ? command.name : command.name + " "
      return Completion(line, title: title, hint: command.summary)
    } + actions.map { Completion($0.description.title.lowercased(), hint: $0.description.keyText) }
  }

  private func command(called name: String) -> LineCommand? {
    let all = commands
    if let exact = all.first(where: { $0.name == name }) { return exact }
    let near = name.isEmpty ? [] : all.filter { $0.name.hasPrefix(name) }
    return near.count == 1 ? near[0] : nil
  }

  private func actions(matching text: String) -> [SharedAction] {
    table.actions.filter { ActionList.Entry("", $0.description.title).matches(text) }
  }

  /// Completes the input line.
  mutating func complete() -> [Effect] {
    guard case .typing(let line, let prompt) = session.overlay,
      let text = Completion.completed(prompt.text, by: completions)
    else { return [] }
    session.overlay = .typing(line, Prompt(text))
    return tell(.edited(line, text))
  }

  /// Executes a typed line; one that fails stays open for correction.
  mutating func runCommandLine(_ text: String) -> [Effect] {
    let line = text.trimmed
    let typed = session.overlay
    session.overlay = nil
    guard !line.isEmpty else { return [] }
    do throws(LineProblem) {
      return try run(line)
    } catch {
      session.overlay = typed
      session.showToast(error.text)
      return []
    }
  }

  private mutating func run(_ line: String) throws(LineProblem) -> [Effect] {
    let words = line.split(separator: " ", maxSplits: 1)
    let name = words.first.map { $0.lowercased() } ?? ""
    if let command = command(called: name) {
      return try command.run(&self, words.count > 1 ? String(words[1]).trimmed : "")
    }
    let found = actions(matching: line)
    if let action = found.first(where: { $0.description.title.lowercased() == line.lowercased() })
      ?? (found.count == 1 ? found[0] : nil)
    {
      return perform(action)
    }
    if found.count > 1 {
      throw LineProblem("«\(line)» matches \(found.count) commands: type more, or Tab to complete")
    }
    let meant =
      Completion.suggestion(for: name, of: commands.map(\.name))
      ?? (linear == nil ? "Tab lists what there is" : ":help lists what there is")
    throw LineProblem("Unknown command «\(line)»: \(meant)")
  }

  // MARK: Filters

  /// Maximum names considered for completions: with more, the user types more letters.
  static let nameLimit = 2000

  /// Maximum texts of a field offered.
  fileprivate static let textLimit = 50

  private func filterCompletions(_ prompt: Prompt) -> [Completion] {
    let text = prompt.text
    guard !text.isEmpty, !prompt.isSelected else { return [] }
    let names = session.store.allSeries.prefix(Self.nameLimit).compactMap { session.store.identity(of: $0) }
    var vocabulary = QueryCompletion.Vocabulary(
      names: names.map(\.fullName), fields: Array(Set(names.compactMap(\.field))).sorted())
    if let field = QueryCompletion.comparedField(in: text, at: prompt.cursor) {
      vocabulary.values[field] = session.texts(of: field, in: names)
    }
    let found = QueryCompletion(of: text, at: prompt.cursor, vocabulary)
    let (head, tail) = (text.prefix(found.range.lowerBound), text.dropFirst(found.range.upperBound))
    return found.candidates.map {
      Completion(head + $0.text + tail, title: $0.text, hint: "\($0.kind)")
    }
  }
}

extension Session {
  /// The texts of a struct's field within the last hour, most frequent first.
  fileprivate func texts(of field: String, in identities: [SeriesIdentity]) -> [String] {
    var texts: [String] = []
    for identity in identities where identity.field == field && texts.count < Model.textLimit {
      guard let id = store.id(of: identity) else { continue }
      let summary = store.summary(of: id, from: present - Session.reach, to: present)
      texts += summary.texts.map(\.text)
    }
    return Array(texts.prefix(Model.textLimit))
  }
}
