import DashboardCore
import Sync
import SyncSimulation
import TerminalUI

// Actions specific to the Sync screen: mostly orders to the simulation.
extension SyncScreen {
  static let acts: [ScreenAction<SyncScreen>] = [
    ScreenAction(
      "Request a sync", .acts, keys: [KeyPress("r")], refusal: { $0.actRefusal },
      effects: { $0.perform(.requestSync) }),
    ScreenAction(
      "Reset the breaker", .acts, keys: [KeyPress("b")], refusal: { $0.actRefusal },
      effects: { $0.perform(.resetBreaker) }),
    ScreenAction("Clear the queue (asks first)", .acts, keys: [KeyPress("C")], refusal: { $0.actRefusal }) {
      $0.session.startLetter(confirmed.use)
    },
    ScreenAction(
      "Force a full resync", .acts, keys: [KeyPress("R")], refusal: { $0.actRefusal },
      effects: { $0.perform(.forceResync) }),
    ScreenAction(
      "Queue a change, or do anything else by hand", .acts, keys: [KeyPress("a")], refusal: { $0.actRefusal }
    ) { $0.session.startPicker(.acts) },
  ]

  static let rows: [ScreenAction<SyncScreen>] = [
    ScreenAction(
      "Go to an entry's moment and show everything about it; again: its line in the file; among faults: switch on or off; in the queue: a change's story; in the engine: everything about it",
      .rows, name: "go-to-the-moment-of-an-entry", keys: [KeyPress(.enter)],
      refusal: {
        ![.faults, .engine, .queue].contains($0.state.pane) && $0.state.entries.isEmpty
          ? "there is no entry" : nil
      }, effects: { $0.enter() }),
    .filterTimeline(hint: "words of an entry: 503, *timeout*, the id of a change, failure"),
  ]
}
