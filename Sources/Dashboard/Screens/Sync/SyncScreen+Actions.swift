import Sync
import SyncSimulation
import TerminalUI

// What can be done on the Sync screen alone: mostly orders to the simulation.
extension SyncScreen {
  static let comparing: [ScreenAction<SyncScreen>] = [
    ScreenAction(
      "The histogram of this metric, in this stretch of time", .comparing, keys: [KeyPress("i")]
    ) { $0.session.open(.distribution(of: [], .all, $0.returnTicket)) }
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
  ]

  static let travel: [ScreenAction<SyncScreen>] = [
    ScreenAction(
      "Trouble before", .travel, keys: [KeyPress("["), KeyPress(.left, .alt)],
      refusal: { $0.hasTroubles ? nil : "nothing has gone wrong" }
    ) { $0.moveToTrouble(-1) },
    ScreenAction(
      "Next trouble", .travel, keys: [KeyPress("]"), KeyPress(.right, .alt)],
      refusal: { $0.hasTroubles ? nil : "nothing has gone wrong" }
    ) { $0.moveToTrouble(1) },
  ]

  static let rows: [ScreenAction<SyncScreen>] = [
    ScreenAction(
      "Go to the moment of an entry, with all about it; again: its line in the file; among faults: on or off; in the queue: what happened to a change; in the engine: everything about it",
      .rows, keys: [KeyPress(.enter)],
      refusal: {
        ![.faults, .engine, .queue].contains($0.state.pane) && $0.state.entries.isEmpty
          ? "there is no entry" : nil
      }, effects: { $0.enter() }),
    .filterTimeline(hint: "words of an entry: 503, *timeout*, the id of a change, failure"),
  ]
}
