package import TerminalUI

/// One answer to a prompt for a single letter.
package struct LetterChoice: Sendable {
  package let key: String
  /// The answer with its key.
  package let line: Line

  package init(key: String, line: Line) {
    self.key = key
    self.line = line
  }
}
