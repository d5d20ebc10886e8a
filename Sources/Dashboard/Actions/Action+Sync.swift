import Sync
import TerminalUI

extension Action {
  /// What can be done on the Sync screen alone: mostly orders to the simulation.
  static let syncing: [Action] = time + acts + faults + futures

  private static let time: [Action] = [
    Action(
      "Run or pause the simulation; in the past: run on from there; for an app: freeze the picture",
      on: [.sync], keys: [KeyPress(" "), KeyPress("p"), KeyPress("Z")], effects: { $0.toggleRunning() }),
    Action(
      "One step of the simulation; in the past: the next decision", on: [.sync], keys: [KeyPress(".")],
      refusal: { $0.isFrozen ? nil : $0.actRefusal }, effects: { $0.stepForward() }),
    Action(
      "Back to the decision before", on: [.sync], keys: [KeyPress(",")],
      refusal: { $0.sync.picture.transitions.isEmpty ? "there is no decision" : nil }
    ) { $0.moveAlongTransitions(by: -1) },
    Action(
      "The decision before; among faults: less of the selected one", on: [.sync],
      keys: [KeyPress(.left), KeyPress("h")], keyText: "← h", effects: { $0.moveSideways(-1) }),
    Action(
      "The next decision; among faults: more of the selected one", on: [.sync],
      keys: [KeyPress(.right), KeyPress("l")], keyText: "→ l",
      refusal: { $0.isFrozen || $0.arrowsChangeFault ? nil : "this is the live end" },
      effects: { $0.moveSideways(1) }),
    Action(
      "Slower", on: [.sync], keys: [KeyPress("<")], refusal: { $0.driveRefusal },
      effects: { _ in [.simulate(.changeSpeed(by: -1))] }),
    Action(
      "Faster", on: [.sync], keys: [KeyPress(">")], refusal: { $0.driveRefusal },
      effects: { _ in [.simulate(.changeSpeed(by: 1))] }),
  ]

  private static let acts: [Action] = [
    Action(
      "Request a sync", on: [.sync], keys: [KeyPress("r")], refusal: { $0.actRefusal },
      effects: { $0.perform(.requestSync) }),
    Action(
      "Reset the breaker", on: [.sync], keys: [KeyPress("b")], refusal: { $0.actRefusal },
      effects: { $0.perform(.resetBreaker) }),
    Action(
      "Clear the queue (asks)", on: [.sync], keys: [KeyPress("C")], refusal: { $0.actRefusal }
    ) { $0.startLetter(.clearQueue) },
    Action(
      "Force a full resync", on: [.sync], keys: [KeyPress("R")], refusal: { $0.actRefusal },
      effects: { $0.perform(.forceResync) }),
    Action(
      "Queue a change, or anything else by hand", on: [.sync], keys: [KeyPress("a")],
      refusal: { $0.actRefusal }
    ) { $0.startPicker(.acts) },
    Action(
      "Play a scenario", on: [.sync], keys: [KeyPress("S")], refusal: { $0.driveRefusal }
    ) { $0.startPicker(.scenarios) },
  ]

  private static let faults: [Action] = [
    Action(
      "Go offline, or back", on: [.sync], keys: [KeyPress("o")], refusal: { $0.actRefusal },
      effects: { [.simulate(.toggleFault(.offline, branch: $0.sync.branch))] }),
    Action(
      "A fault on or off: f and its key; f 0 is all off", on: [.sync], keys: [KeyPress("f")],
      refusal: { $0.actRefusal }
    ) { $0.startLetter(.fault) },
    Action(
      "How likely the selected fault strikes", on: [.sync], keys: [KeyPress("L")], refusal: { $0.actRefusal },
      effects: { [.simulate(.changeLikelihood($0.sync.fault, branch: $0.sync.branch))] }),
    Action(
      "Which calls the selected fault strikes", on: [.sync], keys: [KeyPress("w")],
      refusal: { $0.actRefusal },
      effects: { [.simulate(.changeScope($0.sync.fault, branch: $0.sync.branch))] }),
    Action(
      "Take back the last fault set by hand", on: [.sync], keys: [KeyPress("u")], refusal: { $0.actRefusal },
      effects: { [.simulate(.undoFault(branch: $0.sync.branch))] }),
  ]

  private static let futures: [Action] = [
    Action(
      "Another future from here, with one change", on: [.sync], keys: [KeyPress("B")],
      refusal: { $0.branchRefusal }
    ) { $0.startPicker(.branch) },
    Action(
      "Show the other future", on: [.sync], keys: [KeyPress("T")],
      refusal: { $0.sync.other == nil ? "there is one future" : nil }
    ) { $0.showNextFuture() },
    Action(
      "Give up the other future", on: [.sync], keys: [KeyPress("x"), KeyPress(.delete)], keyText: "x Del",
      refusal: { $0.driveRefusal ?? ($0.sync.other == nil ? "there is one future" : nil) },
      effects: { $0.dropFuture() }),
    Action(
      "Write the session since the last mark as a test", on: [.sync], keys: [KeyPress("W")],
      refusal: { $0.branchRefusal }
    ) { $0.startTest() },
  ]
}
