import DashboardCore
import TerminalUI

// Actions available on every screen of an engine: mostly orders to the simulation.
extension ScreenAction where Owner: EngineScreen {
  static var running: [ScreenAction] {
    [
      ScreenAction(
        "Run or pause the simulation; in the past: continue from there; for an app: freeze the screen",
        .acts, keys: [KeyPress(" "), KeyPress("p"), KeyPress("Z")], effects: { $0.toggleRunning() }),
      ScreenAction(
        "One step of the simulation; in the past: the next \(Owner.step)", .acts, keys: [KeyPress(".")],
        refusal: { $0.session.isFrozen ? nil : $0.actRefusal }, effects: { $0.stepForward() }),
      ScreenAction(
        "Previous \(Owner.step)", .acts, name: "back-to-the-\(Owner.step)-before", keys: [KeyPress(",")],
        refusal: { $0.hasSteps ? nil : "there is no \(Owner.step)" }
      ) { $0.moveAlong(by: -1) },
      ScreenAction(
        "Previous \(Owner.step); among faults: less of the selected one", .acts,
        name: "\(Owner.step)-before", keys: [KeyPress(.left), KeyPress("h")], keyText: "← h",
        effects: { $0.moveSideways(-1) }),
      ScreenAction(
        "Next \(Owner.step); among faults: more of the selected one", .acts,
        keys: [KeyPress(.right), KeyPress("l")], keyText: "→ l",
        refusal: { $0.session.isFrozen || $0.arrowsChangeFault ? nil : "this is the live end" },
        effects: { $0.moveSideways(1) }),
      ScreenAction(
        "Slower", .acts, keys: [KeyPress("<")], refusal: { $0.driveRefusal },
        effects: { _ in [Owner.order(.changeSpeed(by: -1))] }),
      ScreenAction(
        "Faster", .acts, keys: [KeyPress(">")], refusal: { $0.driveRefusal },
        effects: { _ in [Owner.order(.changeSpeed(by: 1))] }),
    ]
  }

  static var playing: [ScreenAction] {
    [
      ScreenAction("Play a scenario", .acts, keys: [KeyPress("S")], refusal: { $0.driveRefusal }) {
        $0.session.startPicker(.scenarios)
      }
    ]
  }

  static var breaking: [ScreenAction] {
    [
      ScreenAction(
        "Go offline, or back online", .acts, keys: [KeyPress("X")], refusal: { $0.actRefusal },
        effects: { [Owner.order(.toggleFault(Owner.offline, branch: $0.state.branch))] }),
      ScreenAction(
        "List the faults and switch one: f and its key; f 0 switches all off", .acts,
        name: "a-fault-on-or-off", keys: [KeyPress("f")],
        refusal: { $0.actRefusal }
      ) { $0.session.startLetter(.fault(upTo: Owner.Simulated.Fault.lastKey)) },
      ScreenAction(
        "How often the selected fault strikes", .acts, name: "how-likely-the-selected-fault-strikes",
        keys: [KeyPress("%")], refusal: { $0.actRefusal },
        effects: { [Owner.order(.changeLikelihood($0.state.fault, branch: $0.state.branch))] }),
      ScreenAction(
        "Which calls the selected fault affects", .acts, name: "which-calls-the-selected-fault-strikes",
        keys: [KeyPress("w")], refusal: { $0.actRefusal },
        effects: { [Owner.order(.changeScope($0.state.fault, branch: $0.state.branch))] }),
      ScreenAction(
        "Undo the last fault set by hand", .acts, name: "take-back-the-last-fault-set-by-hand",
        keys: [KeyPress("u")], refusal: { $0.actRefusal },
        effects: { [Owner.order(.undoFault(branch: $0.state.branch))] }),
    ]
  }

  static func travelling(_ trouble: String) -> [ScreenAction] {
    [
      ScreenAction(
        "Previous \(trouble)", .travel, name: "\(trouble)-before",
        keys: [KeyPress("["), KeyPress(.left, .alt)], refusal: { $0.troubleRefusal }
      ) { $0.moveToTrouble(-1) },
      ScreenAction(
        "Next \(trouble)", .travel, keys: [KeyPress("]"), KeyPress(.right, .alt)],
        refusal: { $0.troubleRefusal }
      ) { $0.moveToTrouble(1) },
    ]
  }

  static var comparing: ScreenAction {
    ScreenAction(
      "The histogram of this metric over this window", .comparing, name: "histogram-of-this-metric",
      keys: [KeyPress("i")]
    ) { $0.session.open(.distribution(of: [], .all, $0.returnTicket)) }
  }

  static var branching: [ScreenAction] {
    [
      ScreenAction(
        "Branch from here, with one change", .acts, keys: [KeyPress("B")],
        refusal: { $0.branchRefusal }
      ) { $0.session.startPicker(.branch) },
      ScreenAction(
        "Show the other branch", .acts, keys: [KeyPress("U")],
        refusal: { $0.state.other == nil ? "there is only one branch" : nil }
      ) { $0.showNextBranch() },
      ScreenAction(
        "Drop the other branch", .acts, keys: [KeyPress(.delete)], keyText: "Del",
        refusal: { $0.driveRefusal ?? ($0.state.other == nil ? "there is only one branch" : nil) },
        effects: { $0.dropBranch() }),
      ScreenAction(
        "Write the session since the last mark as a test", .acts, keys: [KeyPress("W")],
        refusal: { $0.testRefusal }, effects: { $0.startTest() }),
    ]
  }
}
