import Sync
import TerminalUI

extension Picker {
  /// What can be done to the simulation.
  static let acts = Picker(name: "acts", title: "Do by hand")
  /// What is different in another branch.
  static let branch = Picker(name: "branch", title: "Another future from here: what is different?")
  /// What can be played.
  static let scenarios = Picker(name: "scenarios", title: "Play a scenario")
}

extension LetterUse {
  /// Switches a fault on or off.
  static let fault = LetterUse(
    name: "fault", label: "fault ", hint: "its key 1-9 a-f to switch it; 0 all off")
  /// Answers whether the queue is to be cleared.
  static let clearQueue = LetterUse(
    name: "clear", label: "clear the queue, which cannot be taken back? ",
    hint: "y clears it, any other key does not")
}

extension TypedLine {
  /// The name of a test, which begins at a mark or with the session.
  static func test(since mark: Character?) -> TypedLine {
    TypedLine(
      name: "test", label: "test of the session\(mark.map { " since mark \($0)" } ?? "") as ",
      hint: "a name such as ThreeLimits; behind it the letter of another mark")
  }

  var isOfTest: Bool { name == "test" }
}

// Lists to choose from, and letters.
extension ScreenModel where Owner == SyncScreen {
  func choices(_ picker: Picker, _ query: String) -> [PickerChoice<SyncScreen>] {
    switch picker {
    case .acts:
      SyncActs.choices(query).map { choice in PickerChoice(choice.title) { $0.perform(choice.act) } }
    case .branch:
      SyncActs.changes(of: state.engine, query).map { choice in
        PickerChoice(choice.title) { $0.branch(with: choice.act) }
      }
    case .scenarios:
      (session.scenarios[.sync] ?? []).map { scenario in
        PickerChoice("\(scenario.name): \(scenario.title)") { $0.play(scenario: scenario.name) }
      }
    default: []
    }
  }

  /// Handles a letter that was waited for.
  mutating func handleLetter(_ letter: Character, _ use: LetterUse) -> [Effect] {
    switch use {
    case .fault: handleFaultKey(letter)
    case .clearQueue: letter == "y" ? perform(.clearPending) : []
    default: []
    }
  }
}
