import DeliveryCore
import TerminalUI

// What can be done on the Delivery screen alone.
extension DeliveryScreen {
  static let acts: [ScreenAction<DeliveryScreen>] = [
    ScreenAction(
      "Flush: send what waits", .acts, keys: [KeyPress("r")], refusal: { $0.actRefusal },
      effects: { $0.perform(.flush) }),
    ScreenAction(
      "The app to the background, or back to the foreground", .acts, keys: [KeyPress("A")],
      refusal: { $0.actRefusal ?? $0.processRefusal },
      effects: { $0.perform($0.state.engine.isForeground ? .background : .foreground) }),
    ScreenAction(
      "Kill the process, or start it again from its disk", .acts, keys: [KeyPress("K")],
      refusal: { $0.actRefusal }, effects: { $0.perform($0.isAlive ? .kill : .start) }),
    ScreenAction(
      "Reset the client, which forgets the user and what waits (asks)", .acts, keys: [KeyPress("R")],
      refusal: { $0.actRefusal ?? $0.processRefusal }
    ) { $0.session.startLetter(.resetClient) },
    ScreenAction(
      "Track events, or anything else by hand", .acts, keys: [KeyPress("a")], refusal: { $0.actRefusal }
    ) { $0.session.startPicker(.acts) },
  ]

  static let rows: [ScreenAction<DeliveryScreen>] = [
    ScreenAction(
      "All about an entry; again: its line in the file; among faults: on or off", .rows,
      keys: [KeyPress(.enter)],
      refusal: {
        $0.state.pane == .timeline && $0.state.entries.isEmpty ? "there is no entry" : nil
      }, effects: { $0.enter() }),
    .filterTimeline(hint: "words of an entry: batch 503, *timeout*, not sent"),
    ScreenAction(
      "Failure before", .travel, keys: [KeyPress("["), KeyPress(.left, .alt)],
      refusal: { $0.hasFailures ? nil : "no batch has failed" }
    ) { $0.moveToFailure(-1) },
    ScreenAction(
      "Next failure", .travel, keys: [KeyPress("]"), KeyPress(.right, .alt)],
      refusal: { $0.hasFailures ? nil : "no batch has failed" }
    ) { $0.moveToFailure(1) },
    ScreenAction(
      "The histogram of this metric, in this stretch of time", .comparing, keys: [KeyPress("i")]
    ) { $0.session.open(.distribution(of: [], .all, $0.returnTicket)) },
  ]
}

extension LetterUse {
  /// Answers whether the client is to be reset.
  static let resetClient = LetterUse(
    name: "reset", label: "reset and drop what waits? ",
    hint: "y resets, any other key does not")
}

extension ScreenModel where Owner == DeliveryScreen {
  var isAlive: Bool { state.engine.simulation?.alive ?? true }

  /// Why nothing can be done to the process; `nil` where one runs.
  var processRefusal: String? { isAlive ? nil : "the app is not running; K starts it" }

  mutating func handleLetter(_ letter: Character, _ use: LetterUse) -> [Effect] {
    if use.isOfFault { return handleFaultKey(letter) }
    return use == .resetClient && letter == "y" ? perform(.reset) : []
  }

}
