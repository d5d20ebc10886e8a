internal import CNcurses
internal import TerminalUI

/// Sequences that take over and restore the terminal, and the keys of its terminfo entry.
struct TerminalSequences {
  private let knowsPrivateModes: Bool
  private let enterScreen: String
  private let leaveScreen: String
  private let hideCursor: String
  private let showCursor: String
  private let plain: String

  /// Reads the entry of the terminal that was set up last.
  init(knowsPrivateModes: Bool) {
    self.knowsPrivateModes = knowsPrivateModes
    enterScreen = TerminalSequences.text("smcup")
    let alternate = TerminalSequences.text("rmcup")
    // Without an alternate screen, the last frame would remain under the shell's prompt.
    leaveScreen = alternate.isEmpty ? TerminalSequences.text("clear") : alternate
    hideCursor = TerminalSequences.text("civis")
    showCursor = TerminalSequences.text("cnorm")
    plain = TerminalSequences.text("sgr0") + TerminalSequences.text("op")
  }

  static let mouseOn = "\u{1B}[?1002h\u{1B}[?1006h"
  static let mouseOff = "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l"

  /// Alternate screen, hidden cursor, bracketed paste, and the mouse if requested.
  func enter(mouse: Bool) -> String { enterScreen + plain + hideCursor + modes(mouse: mouse) }

  /// The same without the alternate screen: the first time, ncurses enters it by itself, and entering it twice would
  /// lose the cursor position of the main screen.
  func firstEnter(mouse: Bool) -> String { hideCursor + modes(mouse: mouse) }

  private func modes(mouse: Bool) -> String {
    knowsPrivateModes ? "\u{1B}[?2004h" + (mouse ? TerminalSequences.mouseOn : "") : ""
  }

  /// Undoes all of `enter`, even if only a part was sent.
  ///
  /// Starts with the terminator of any sequence that was cut off.
  var leave: String { modesOff + plain + leaveScreen + showCursor }

  /// The same if the alternate screen was not entered yet: leaving it would move the cursor.
  var firstLeave: String { modesOff + plain + showCursor }

  private var modesOff: String {
    knowsPrivateModes
      ? "\u{1B}\\\u{1B}[?2026l" + TerminalSequences.mouseOff + "\u{1B}[?2004l" : ""
  }

  /// A capability without its padding, which no modern terminal needs.
  private static func text(_ name: String) -> String {
    guard let value = shim_string(name) else { return "" }
    var text = ""
    var rest = Substring(String(cString: value))
    while let start = rest.firstRange(of: "$<") {
      text += rest[..<start.lowerBound]
      guard let end = rest[start.upperBound...].firstIndex(of: ">") else { break }
      rest = rest[rest.index(after: end)...]
    }
    return text + rest
  }

  /// The keys of this terminal that common tables may lack.
  static func keys() -> [[UInt8]: Key] {
    var named: [(String, Key)] = [
      ("kcuu1", .up), ("kcud1", .down), ("kcub1", .left), ("kcuf1", .right), ("khome", .home),
      ("kend", .end), ("kpp", .pageUp), ("knp", .pageDown), ("kich1", .insert), ("kdch1", .delete),
      ("kcbt", .backTab),
    ]
    named += (1...12).map { ("kf\($0)", .function($0)) }
    var keys: [[UInt8]: Key] = [:]
    for (name, key) in named {
      guard let value = shim_string(name) else { continue }
      let bytes = Array(String(cString: value).utf8)
      // Shorter sequences are keys by themselves, and some entries contain plain letters.
      if bytes.count > 1, bytes.first == 0x1B { keys[bytes] = key }
    }
    return keys
  }
}

extension Substring {
  fileprivate func range(of text: String) -> Range<Index>? { firstRange(of: text) }
}
