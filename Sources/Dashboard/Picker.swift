import Sync
import TerminalUI

/// A list to choose from.
package enum Picker: Hashable, Sendable {
  /// What can be done to the simulation.
  case acts
  /// What is different in another future.
  case branch
  /// What can be played.
  case scenarios
  /// Whose numbers a histogram shows.
  case metric
  /// What the two sides of a histogram are of.
  case sideA, sideB
  /// Which percentiles are shown.
  case percentiles

  var title: String {
    switch self {
    case .acts: "Do by hand"
    case .branch: "Another future from here: what is different?"
    case .scenarios: "Play a scenario"
    case .metric: "A histogram of"
    case .sideA: "Compare: A is"
    case .sideB: "with: B is"
    case .percentiles: "Percentiles, or type your own"
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
    case subject(HistogramSubject)
    case side(HistogramChoice)
    case percentiles([Double])
  }
}

extension Model {
  mutating func startPicker(_ picker: Picker) { overlay = .picker(picker, query: Prompt(), selection: 0) }

  /// Everything in a list, whatever is typed; a number that is typed may make a choice of its own.
  func choices(_ picker: Picker, _ query: String) -> [Picker.Choice] {
    switch picker {
    case .acts: SyncActs.choices(query).map { Picker.Choice(title: $0.title, pick: .act($0.act)) }
    case .branch:
      SyncActs.changes(of: sync.picture, query).map {
        Picker.Choice(title: $0.title, pick: .branch($0.act))
      }
    case .scenarios:
      (scenarios ?? []).map {
        Picker.Choice(title: "\($0.name): \($0.title)", pick: .scenario($0.name))
      }
    case .metric: histogramMetrics.map { Picker.Choice(title: $0.name, pick: .subject($0)) }
    case .sideA, .sideB:
      histogramChoices(picker).map { Picker.Choice(title: $0.name, pick: .side($0.choice)) }
    case .percentiles:
      Model.percentileChoices(query).map {
        // What was typed is part of its title, so that it matches.
        let typed = Model.percentiles(query) == $0 ? "   \(query)" : ""
        return Picker.Choice(title: Model.title(ofPercentiles: $0) + typed, pick: .percentiles($0))
      }
    }
  }

  /// The list as it is drawn.
  func pickerEntries(_ picker: Picker, _ query: String) -> [ActionList.Entry] {
    choices(picker, query).map { ActionList.Entry("", $0.title) }
  }

  /// What matches what is typed.
  func matches(_ picker: Picker, _ query: String) -> [Picker.Choice] {
    choices(picker, query).filter { ActionList.Entry("", $0.title).matches(query) }
  }

  /// Does what is selected.
  mutating func pick(_ picker: Picker, _ query: Prompt, _ selection: Int) -> [Effect] {
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
    case .subject(let subject): showHistogram(of: subject)
    case .side(let choice): choose(choice, as: picker)
    case .percentiles(let percentiles): histogram.look.percentiles = percentiles
    }
    return []
  }
}
