import DashboardCore
import DeliverySimulation
import TerminalUI

// Actions specific to the Delivery screen.
extension DeliveryScreen {
  static let acts: [ScreenAction<DeliveryScreen>] = [
    ScreenAction(
      "Flush: send what is queued", .acts, keys: [KeyPress("r")], refusal: { $0.actRefusal },
      effects: { $0.perform(.flush) }),
    ScreenAction(
      "Send again what the endpoint refused", .acts, name: "send-set-aside-events-again",
      keys: [.control("r")],
      refusal: { $0.actRefusal ?? ($0.state.engine.setAside > 0 ? nil : "no event is set aside") },
      effects: { $0.perform(.sendRefusedAgain) }),
    ScreenAction(
      "Send the app to the background, or bring it back", .acts, name: "app-to-the-background",
      keys: [KeyPress("A")],
      refusal: { $0.actRefusal ?? $0.processRefusal },
      effects: { $0.perform($0.state.engine.isForeground ? .background : .foreground) }),
    ScreenAction(
      "Kill the process, or restart it from its disk", .acts, keys: [KeyPress("K")],
      refusal: { $0.actRefusal }, effects: { $0.perform($0.isAlive ? .kill : .start) }),
    ScreenAction(
      "Reset the client: forget the user and drop the queue (asks first)", .acts, keys: [KeyPress("R")],
      refusal: { $0.actRefusal ?? $0.processRefusal }
    ) { $0.session.startLetter(confirmed.use) },
    ScreenAction(
      "Track events, or do anything else by hand", .acts, keys: [KeyPress("a")], refusal: { $0.actRefusal }
    ) { $0.session.startPicker(.acts) },
  ]

  static let rows: [ScreenAction<DeliveryScreen>] = [
    ScreenAction(
      "Show everything about an entry; again: its line in the file; among faults: switch on or off", .rows,
      name: "all-about-an-entry",
      keys: [KeyPress(.enter)],
      refusal: {
        $0.state.pane == .timeline && $0.state.entries.isEmpty ? "there is no entry" : nil
      }, effects: { $0.enter() }),
    .filterTimeline(hint: "words of an entry: batch 503, *timeout*, not sent"),
  ]
}

extension DeliveryScreen {
  var isAlive: Bool { state.engine.simulation?.alive ?? true }

  /// The reason why the process cannot be controlled; `nil` if one is running.
  var processRefusal: String? { isAlive ? nil : "the app is not running; K starts it" }
}
