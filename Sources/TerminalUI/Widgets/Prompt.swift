/// A one-line editor: the text, the cursor, and the effect of keys on them.
package struct Prompt: Hashable, Sendable {
  /// The effect of an event on the prompt.
  package enum Outcome: Hashable, Sendable {
    case edited, moved, submitted, cancelled, ignored
  }

  /// Maximum length in characters: a filter is a few words, but a paste may be megabytes.
  package static let limit = 1024

  private var characters: [Character]
  /// The position of the next character, counted in characters.
  package private(set) var cursor: Int

  /// True if the next input replaces the whole text, which is only proposed.
  package private(set) var isSelected = false

  /// - Parameter isSelected: True if the text is only a proposal: input replaces it, unless the cursor is moved or
  ///   something is deleted first.
  package init(_ text: String = "", isSelected: Bool = false) {
    characters = Array(text.prefix(Prompt.limit))
    cursor = characters.count
    self.isSelected = isSelected && !text.isEmpty
  }

  package var text: String { String(characters) }
  package var isEmpty: Bool { characters.isEmpty }
  var beforeCursor: ArraySlice<Character> { characters[..<cursor] }

  /// Handles an event; keys without a meaning here are ignored, so that the caller may use them.
  package mutating func handle(_ event: InputEvent) -> Outcome {
    let outcome: Outcome
    switch event {
    case .key(let press): outcome = handle(press)
    case .paste(let text): outcome = insert(text)
    case .mouse, .resize, .focus, .background, .trueColor, .unevenSigns, .resumed, .hangup:
      return .ignored
    }
    if outcome != .ignored { isSelected = false }
    return outcome
  }

  private mutating func handle(_ press: KeyPress) -> Outcome {
    if press.modifiers.contains(.control) { return handleControl(press.key) }
    if press.modifiers.contains(.alt) { return .ignored }
    switch press.key {
    case .character(let character): return insert(String(character))
    case .enter: return .submitted
    case .escape: return .cancelled
    case .backspace:
      return isEmpty ? .cancelled : remove(cursor - 1..<cursor)
    case .delete: return remove(cursor..<cursor + 1)
    case .left: return move(to: cursor - 1)
    case .right: return move(to: cursor + 1)
    case .home: return move(to: 0)
    case .end: return move(to: characters.count)
    case .tab, .backTab, .insert, .up, .down, .pageUp, .pageDown, .function: return .ignored
    }
  }

  /// Handles the line editing keys of a shell.
  private mutating func handleControl(_ key: Key) -> Outcome {
    switch key {
    case .character("a"): return move(to: 0)
    case .character("e"): return move(to: characters.count)
    case .character("b"): return move(to: cursor - 1)
    case .character("f"): return move(to: cursor + 1)
    case .character("d"): return remove(cursor..<cursor + 1)
    case .character("h"), .backspace: return remove(cursor - 1..<cursor)
    case .character("k"): return remove(cursor..<characters.count)
    case .character("u"): return remove(0..<cursor)
    case .character("w"): return remove(wordStart..<cursor)
    default: return .ignored
    }
  }

  private var wordStart: Int {
    var index = cursor
    while index > 0, characters[index - 1] == " " { index -= 1 }
    while index > 0, characters[index - 1] != " " { index -= 1 }
    return index
  }

  private mutating func insert(_ text: String) -> Outcome {
    if isSelected { (characters, cursor, isSelected) = ([], 0, false) }
    guard characters.count < Prompt.limit else { return .ignored }
    let line = String(text.prefix(Prompt.limit).map { $0.isNewline || $0 == "\t" ? " " : $0 })
    // Sanitized together with the preceding character, to which a combining mark typed by itself belongs.
    let joint = max(0, cursor - 1)..<cursor
    let cleaned = SafeText.sanitized(String(characters[joint]) + line)
      .prefix(Prompt.limit - characters.count + joint.count)
    guard !cleaned.elementsEqual(characters[joint]) else { return .ignored }
    characters.replaceSubrange(joint, with: cleaned)
    cursor = joint.lowerBound + cleaned.count
    return .edited
  }

  private mutating func remove(_ range: Range<Int>) -> Outcome {
    let range = range.clamped(to: 0..<characters.count)
    guard !range.isEmpty else { return .moved }
    characters.removeSubrange(range)
    cursor = range.lowerBound
    return .edited
  }

  private mutating func move(to place: Int) -> Outcome {
    cursor = max(0, min(characters.count, place))
    return .moved
  }
}
