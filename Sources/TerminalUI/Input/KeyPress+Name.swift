extension KeyPress {
  /// The key with a name as users write it: `x`, `X`, `Ctrl-L`, `Alt-Left`, `Shift-Tab`, `F5`, `Space`, `PgUp`, `↑`.
  ///
  /// Case matters only for single characters. Shift with a letter is the capital letter, as terminals report it.
  package init?(named name: String) {
    var rest = Substring(name)
    var held: Modifiers = []
    while let (modifier, length) = Self.modifier(at: rest) {
      held.insert(modifier)
      rest = rest.dropFirst(length)
    }
    if let key = Self.keys[rest.lowercased()] {
      let isBackTab = key == .tab && held.contains(.shift)
      self.init(isBackTab ? .backTab : key, isBackTab ? held.subtracting(.shift) : held)
    } else if let number = Self.functionNumber(rest) {
      self.init(.function(number), held)
    } else if let character = rest.first, rest.count == 1, Self.isTyped(character) {
      let isUpper = held.contains(.shift)
      let shown =
        held.contains(.control) ? character.lowercased() : isUpper ? character.uppercased() : "\(character)"
      // A key types one character, even if its uppercase form has several.
      guard let key = shown.first, shown.count == 1 else { return nil }
      self.init(.character(key), held.subtracting(.shift))
    } else {
      return nil
    }
  }

  private static func modifier(at text: Substring) -> (Modifiers, length: Int)? {
    let all: [(String, Modifiers)] = [
      ("ctrl", .control), ("control", .control), ("alt", .alt), ("meta", .alt), ("shift", .shift),
    ]
    for (word, modifier) in all where text.count > word.count + 1 {
      let sign = text[text.index(text.startIndex, offsetBy: word.count)]
      if sign == "-" || sign == "+", text.lowercased().hasPrefix(word) { return (modifier, word.count + 1) }
    }
    return nil
  }

  private static func functionNumber(_ text: Substring) -> Int? {
    guard text.first == "f" || text.first == "F", let number = Int(text.dropFirst()),
      (1...12).contains(number)
    else { return nil }
    return number
  }

  /// True if a character can be typed on a keyboard and shown on the screen.
  private static func isTyped(_ character: Character) -> Bool {
    guard let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1 else {
      return false
    }
    return SafeText.columns(of: scalar) != nil && scalar != " "
  }

  private static let keys: [String: Key] = [
    "space": .character(" "), "enter": .enter, "return": .enter, "esc": .escape, "escape": .escape,
    "tab": .tab,
    "backtab": .backTab, "backspace": .backspace, "del": .delete, "delete": .delete, "ins": .insert,
    "insert": .insert, "up": .up, "down": .down, "left": .left, "right": .right, "↑": .up, "↓": .down,
    "←": .left, "→": .right, "home": .home, "end": .end, "pgup": .pageUp, "pageup": .pageUp,
    "pgdn": .pageDown,
    "pagedown": .pageDown, "minus": .character("-"), "plus": .character("+"),
  ]
}
