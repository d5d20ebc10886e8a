import TerminalUI

/// One answer to the question that waits for a letter.
package struct LetterChoice: Sendable {
  let key: String
  /// The answer with its key.
  let line: Line
}
