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
