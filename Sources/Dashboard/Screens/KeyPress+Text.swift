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
    if let key = KeyPress(named: hint) {
      self = key
    } else if hint == signs.leftRight || hint == signs.above + signs.below {
      let isFirst = offset < hint.count / 2 || offset >= hint.count
      self.init(hint == signs.leftRight ? (isFirst ? .left : .right) : isFirst ? .up : .down)
    } else {
      let words = hint.split(separator: " ")
      let chosen = words.last { $0.startIndex.utf16Offset(in: hint) <= offset } ?? words.first
      guard let word = offset < hint.count ? chosen : words.first, let key = KeyPress(named: String(word))
      else {
        return nil
      }
      self = key
    }
  }
}
