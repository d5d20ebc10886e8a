package import TerminalUI

extension KeyPress {
  /// The key as text for people.
  package var text: String {
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
  /// The keys for a press on a hint: of several the one under the pointer, of `f0` one after the other.
  ///
  /// - Parameters:
  ///   - hint: such as `Space`, `+ - zoom`, `←→`, `e/E next/prev alert`, `U other  Del drop` or `y: auto (_)`.
  ///   - offset: the pointer's column in the hint.
  package static func presses(on hint: String, at offset: Int, signs: Signs) -> [KeyPress] {
    let characters = Array(hint)
    var parts: [Range<Int>] = []
    var start = 0
    for index in characters.indices.dropLast() where [" ", ","].contains(characters[index]) {
      guard index >= start, characters[index + 1] == " " else { continue }
      parts.append(start..<index)
      start = index + 2
    }
    parts.append(min(start, characters.count)..<characters.count)
    let part = parts.last { $0.lowerBound <= offset } ?? parts[0]
    let found = keys(of: characters[part], signs)
    let end = found.last?.end ?? 0
    return (found.last { $0.start <= offset && offset < end } ?? found.first)?.keys ?? []
  }

  private typealias Found = (start: Int, end: Int, keys: [KeyPress])

  /// The keys at the start of a hint, or the one in parentheses at its end.
  private static func keys(of part: ArraySlice<Character>, _ signs: Signs) -> [Found] {
    var found: [Found] = []
    for word in part.split(separator: " ") {
      let keys = keys(ofWord: word, signs)
      // «Enter = its line» contains one key.
      guard !keys.isEmpty, found.isEmpty || word != ["="] else { break }
      found += keys
    }
    guard found.isEmpty, let last = part.split(separator: " ").last, last.first == "(", last.last == ")"
    else {
      return found
    }
    return keys(ofWord: last.dropFirst().dropLast(), signs)
  }

  private static func keys(ofWord word: ArraySlice<Character>, _ signs: Signs) -> [Found] {
    let text = String(word)
    // A truncated hint names no key.
    guard text != "…" else { return [] }
    if let key = KeyPress(named: text) { return [(word.startIndex, word.endIndex, [key])] }
    for (pair, first, second) in [
      (signs.leftRight, Key.left, Key.right), (signs.above + signs.below, .up, .down),
    ] where text == pair {
      let middle = word.startIndex + word.count / 2
      return [
        (word.startIndex, middle, [KeyPress(first)]), (middle, word.endIndex, [KeyPress(second)]),
      ]
    }
    if word.count == 2, word.last == "0", let first = word.first {
      return [(word.startIndex, word.endIndex, [KeyPress(first), KeyPress("0")])]
    }
    let parts = word.split(separator: "/")
    let keys = parts.compactMap { part in
      KeyPress(named: String(part)).map { (part.startIndex, part.endIndex, [$0]) }
    }
    return parts.count > 1 && keys.count == parts.count ? keys : []
  }
}
