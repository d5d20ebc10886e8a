package import DashboardCore
import Sync
import SyncSimulation
import TerminalUI

extension LetterUse {
  /// Answers whether the queue is to be cleared.
  static let clearQueue = LetterUse(
    name: "clear", label: "clear the queue? This cannot be undone: ",
    hint: "y clears it, any other key does not")
}

extension SyncScreen {
  /// Handles a letter that was waited for.
  package mutating func handleLetter(_ letter: Character, _ use: LetterUse) -> [Effect] {
    if use.isOfFault { return handleFaultKey(letter) }
    return use == .clearQueue && letter == "y" ? perform(.clearPending) : []
  }
}
