package import DashboardCore
import TerminalUI

extension Picker {
  /// Acts that can be performed on the simulation.
  static let acts = Picker(name: "acts", title: "Do something by hand")
  /// The change in another branch.
  static let branch = Picker(name: "branch", title: "New branch from here: what is different in it?")
  /// Scenarios that can be played.
  static let scenarios = Picker(name: "scenarios", title: "Play a scenario")
}

extension LetterUse {
  private static let faultName = "fault"

  /// Switches a fault on or off.
  static func fault(upTo key: String) -> LetterUse {
    LetterUse(
      name: faultName, label: "fault ", hint: "1-9, a-\(key) on or off, 0 all off",
      title: "Faults: the key switches one on or off")
  }

  var isOfFault: Bool { name == Self.faultName }
}

extension TypedLine {
  /// The name of a test, which begins at a mark or with the session.
  static func test(since mark: Character?) -> TypedLine {
    TypedLine(
      name: "test", label: "test of the session\(mark.map { " since mark \($0)" } ?? "") as ",
      hint: "a name such as ThreeLimits, then optionally a mark's letter")
  }

  var isOfTest: Bool { name == "test" }
}

// Lists to choose from.
extension EngineScreen {
  /// The faults with their keys and current state.
  var faultChoices: [LetterChoice] {
    let theme = session.theme
    let formatter = FaultFormatter<Simulated.Fault>(
      recorded: state.engine.faults, theme: theme)
    let faults = Simulated.Fault.allCases.map { fault in
      LetterChoice(
        key: fault.key,
        line: formatter.line(fault, isSelected: false, isDriven: true, isAlone: false))
    }
    return faults + [
      LetterChoice(key: "0", line: Line([Span("     0 ", theme[.key]), Span("all off", theme[.text])]))
    ]
  }

  package func choices(_ picker: Picker, query: String) -> [PickerChoice<Self>] {
    switch picker {
    case .acts:
      Self.byHand.choices(query).map { choice in PickerChoice(choice.title) { $0.perform(choice.act) } }
    case .branch:
      Self.byHand.changes(of: state.engine, query).map { choice in
        PickerChoice(choice.title) { $0.branch(with: choice.act) }
      }
    case .scenarios:
      (session.scenarios[Simulated.kind] ?? []).map { scenario in
        PickerChoice("\(scenario.name): \(scenario.title)") { $0.play(scenario: scenario.name) }
      }
    default: []
    }
  }
}
