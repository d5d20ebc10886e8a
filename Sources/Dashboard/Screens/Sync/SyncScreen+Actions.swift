import Sync
import TerminalUI

// What can be done on the Sync screen alone: mostly orders to the simulation.
extension SyncScreen {
  static let comparing: [ScreenAction<SyncScreen>] = [
    ScreenAction(
      "The histogram of this metric, in this stretch of time", .comparing, keys: [KeyPress("i")]
    ) { $0.session.open(.distribution(of: [], .all)) }
  ]

  static let time: [ScreenAction<SyncScreen>] = [
    ScreenAction(
      "Run or pause the simulation; in the past: run on from there; for an app: freeze the picture",
      .acts, keys: [KeyPress(" "), KeyPress("p"), KeyPress("Z")], effects: { $0.toggleRunning() }),
    ScreenAction(
      "One step of the simulation; in the past: the next decision", .acts, keys: [KeyPress(".")],
      refusal: { $0.session.isFrozen ? nil : $0.actRefusal }, effects: { $0.stepForward() }),
    ScreenAction(
      "Back to the decision before", .acts, keys: [KeyPress(",")],
      refusal: { $0.state.engine.transitions.isEmpty ? "there is no decision" : nil }
    ) { $0.moveAlongTransitions(by: -1) },
    ScreenAction(
      "The decision before; among faults: less of the selected one", .acts,
      keys: [KeyPress(.left), KeyPress("h")], keyText: "← h", effects: { $0.moveSideways(-1) }),
    ScreenAction(
      "The next decision; among faults: more of the selected one", .acts,
      keys: [KeyPress(.right), KeyPress("l")], keyText: "→ l",
      refusal: { $0.session.isFrozen || $0.arrowsChangeFault ? nil : "this is the live end" },
      effects: { $0.moveSideways(1) }),
    ScreenAction(
      "Slower", .acts, keys: [KeyPress("<")], refusal: { $0.driveRefusal },
      effects: { _ in [.simulate(.sync(.changeSpeed(by: -1)))] }),
    ScreenAction(
      "Faster", .acts, keys: [KeyPress(">")], refusal: { $0.driveRefusal },
      effects: { _ in [.simulate(.sync(.changeSpeed(by: 1)))] }),
  ]

  static let acts: [ScreenAction<SyncScreen>] = [
    ScreenAction(
      "Request a sync", .acts, keys: [KeyPress("r")], refusal: { $0.actRefusal },
      effects: { $0.perform(.requestSync) }),
    ScreenAction(
      "Reset the breaker", .acts, keys: [KeyPress("b")], refusal: { $0.actRefusal },
      effects: { $0.perform(.resetBreaker) }),
    ScreenAction("Clear the queue (asks)", .acts, keys: [KeyPress("C")], refusal: { $0.actRefusal }) {
      $0.session.startLetter(.clearQueue)
    },
    ScreenAction(
      "Force a full resync", .acts, keys: [KeyPress("R")], refusal: { $0.actRefusal },
      effects: { $0.perform(.forceResync) }),
    ScreenAction(
      "Queue a change, or anything else by hand", .acts, keys: [KeyPress("a")], refusal: { $0.actRefusal }
    ) { $0.session.startPicker(.acts) },
    ScreenAction("Play a scenario", .acts, keys: [KeyPress("S")], refusal: { $0.driveRefusal }) {
      $0.session.startPicker(.scenarios)
    },
  ]

  static let faults: [ScreenAction<SyncScreen>] = [
    ScreenAction(
      "Go offline, or back", .acts, keys: [KeyPress("o")], refusal: { $0.actRefusal },
      effects: { [.simulate(.sync(.toggleFault(.offline, branch: $0.state.branch)))] }),
    ScreenAction(
      "A fault on or off: f and its key; f 0 is all off", .acts, keys: [KeyPress("f")],
      refusal: { $0.actRefusal }
    ) { $0.session.startLetter(.fault) },
    ScreenAction(
      "How likely the selected fault strikes", .acts, keys: [KeyPress("L")], refusal: { $0.actRefusal },
      effects: { [.simulate(.sync(.changeLikelihood($0.state.fault, branch: $0.state.branch)))] }),
    ScreenAction(
      "Which calls the selected fault strikes", .acts, keys: [KeyPress("w")], refusal: { $0.actRefusal },
      effects: { [.simulate(.sync(.changeScope($0.state.fault, branch: $0.state.branch)))] }),
    ScreenAction(
      "Take back the last fault set by hand", .acts, keys: [KeyPress("u")], refusal: { $0.actRefusal },
      effects: { [.simulate(.sync(.undoFault(branch: $0.state.branch)))] }),
  ]

  static let branches: [ScreenAction<SyncScreen>] = [
    ScreenAction(
      "Another future from here, with one change", .acts, keys: [KeyPress("B")],
      refusal: { $0.branchRefusal }
    ) { $0.session.startPicker(.branch) },
    ScreenAction(
      "Show the other future", .acts, keys: [KeyPress("T")],
      refusal: { $0.state.other == nil ? "there is one future" : nil }
    ) { $0.showNextBranch() },
    ScreenAction(
      "Give up the other future", .acts, keys: [KeyPress("x"), KeyPress(.delete)], keyText: "x Del",
      refusal: { $0.driveRefusal ?? ($0.state.other == nil ? "there is one future" : nil) },
      effects: { $0.dropBranch() }),
    ScreenAction(
      "Write the session since the last mark as a test", .acts, keys: [KeyPress("W")],
      refusal: { $0.branchRefusal }, effects: { $0.startTest() }),
  ]

  static let rows: [ScreenAction<SyncScreen>] = [
    ScreenAction(
      "Go to the moment of a decision; among faults: on or off; in the engine: everything about it",
      .rows, keys: [KeyPress(.enter)],
      refusal: {
        ![.faults, .engine].contains($0.state.pane) && $0.state.engine.transitions.isEmpty
          ? "there is no decision" : nil
      }, effects: { $0.enter() })
  ]
}
