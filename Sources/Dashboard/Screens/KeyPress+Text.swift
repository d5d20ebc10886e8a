import TerminalUI

extension KeyPress {
  /// The key as it is written for a person.
  var text: String {
    let name: String
    switch key {
    case .character(" "): name = "Space"
    case .character(let character):
      name = modifiers.contains(.control) ? String(character).uppercased() : String(character)
    case .enter: name = "Enter"
    case .escape: name = "Esc"
    case .tab: name = "Tab"
    case .backTab: name = "Shift-Tab"
    case .backspace: name = "Backspace"
    case .delete: name = "Del"
    case .insert: name = "Ins"
    case .up: name = "↑"
    case .down: name = "↓"
    case .left: name = "←"
    case .right: name = "→"
    case .home: name = "Home"
    case .end: name = "End"
    case .pageUp: name = "PgUp"
    case .pageDown: name = "PgDn"
    case .function(let number): name = "F\(number)"
    }
    let held = (modifiers.contains(.control) ? "Ctrl-" : "") + (modifiers.contains(.alt) ? "Alt-" : "")
    return held + (modifiers.contains(.shift) && key != .backTab ? "Shift-" : "") + name
  }
}

extension KeyPress {
  /// The key that a hint of the footer names; of several the one under the pointer.
  ///
  /// - Parameters:
  ///   - hint: such as `Space`, `+ -`, `←→` or `Shift x10`.
  ///   - offset: how far into the hint the pointer is, in columns.
  init?(hint: String, offset: Int, signs: Signs) {
    if let key = Self.named[hint] {
      self.init(key)
    } else if hint == signs.leftRight || hint == signs.above + signs.below {
      let isFirst = offset < hint.count / 2 || offset >= hint.count
      self.init(hint == signs.leftRight ? (isFirst ? .left : .right) : isFirst ? .up : .down)
    } else {
      let words = hint.split(separator: " ")
      let chosen = words.last { $0.startIndex.utf16Offset(in: hint) <= offset } ?? words.first
      guard let word = offset < hint.count ? chosen : words.first else { return nil }
      if let key = Self.named[String(word)] {
        self.init(key)
      } else if word.count == 1, let character = word.first {
        self.init(.character(character))
      } else {
        return nil
      }
    }
  }

  /// Keys that are no character, by their names.
  private static let named: [String: Key] = [
    "Space": .character(" "), "Enter": .enter, "Esc": .escape, "Tab": .tab, "Backspace": .backspace,
    "PgUp": .pageUp, "PgDn": .pageDown, "Home": .home, "End": .end,
  ]
}
