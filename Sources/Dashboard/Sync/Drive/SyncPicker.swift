import Sync
import TerminalUI

/// A list to choose from on the Sync screen.
package enum SyncPicker: Hashable, Sendable {
  /// What can be done to the simulation.
  case acts
  /// What is different in another future.
  case branch
  /// What can be played.
  case scenarios

  var title: String {
    switch self {
    case .acts: "Do by hand"
    case .branch: "Another future from here: what is different?"
    case .scenarios: "Play a scenario"
    }
  }

  /// One thing to choose.
  struct Choice: Hashable {
    let title: String
    let pick: Pick
  }

  /// What a choice leads to.
  enum Pick: Hashable {
    case act(SimulationAct)
    case branch(SimulationAct?)
    case scenario(String)
  }
}

extension Model {
  mutating func startPicker(_ picker: SyncPicker) { overlay = .picker(picker, query: Prompt(), selection: 0) }

  /// Everything in a list, whatever is typed; a number that is typed may make a choice of its own.
  func choices(_ picker: SyncPicker, _ query: String) -> [SyncPicker.Choice] {
    switch picker {
    case .acts: SyncActs.choices(query).map { SyncPicker.Choice(title: $0.title, pick: .act($0.act)) }
    case .branch:
      SyncActs.changes(of: sync.picture, query).map {
        SyncPicker.Choice(title: $0.title, pick: .branch($0.act))
      }
    case .scenarios:
      (scenarios ?? []).map {
        SyncPicker.Choice(title: "\($0.name): \($0.title)", pick: .scenario($0.name))
      }
    }
  }

  /// The list as it is drawn.
  func pickerEntries(_ picker: SyncPicker, _ query: String) -> [ActionList.Entry] {
    choices(picker, query).map { ActionList.Entry("", $0.title) }
  }

  /// What matches what is typed.
  func matches(_ picker: SyncPicker, _ query: String) -> [SyncPicker.Choice] {
    choices(picker, query).filter { ActionList.Entry("", $0.title).matches(query) }
  }

  /// Does what is selected.
  mutating func pick(_ picker: SyncPicker, _ query: Prompt, _ selection: Int) -> [Effect] {
    let all = matches(picker, query.text)
    overlay = nil
    guard all.indices.contains(selection) else {
      say("Nothing in the list is called that")
      return []
    }
    switch all[selection].pick {
    case .act(let act): return perform(act)
    case .branch(let change): return branch(with: change)
    case .scenario(let name):
      if isFrozen { goLive() }
      (sync.branch, sync.dropped, sync.selection) = (0, [], nil)
      return [.simulate(.play(scenario: name))]
    }
  }
}
