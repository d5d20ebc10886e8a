/// A test of a name: a substring, a glob for the whole name, or a regular expression for a part of it.
enum NamePattern: Sendable, Hashable {
  /// A text that occurs in the name.
  case part(NamePart)
  /// `*` for any text, `?` for one character.
  case glob(String, NameAutomaton)
  /// A POSIX extended regular expression.
  case expression(String, NameAutomaton)

  /// Maximum length of a pattern, in UTF-8 bytes.
  static let longest = 200

  init(part text: String) { self = .part(NamePart(text)) }

  init(glob: String) throws(PatternFault) {
    self = .glob(glob, try NameAutomaton(PatternProgram(glob: glob)))
  }

  init(expression: String) throws(PatternFault) {
    self = .expression(expression, try NameAutomaton(PatternProgram(expression: expression)))
  }

  /// True if the name matches, ignoring case.
  func matches(_ name: String) -> Bool {
    switch self {
    case .part(let part): part.occurs(in: name)
    case .glob(_, let automaton), .expression(_, let automaton): automaton.accepts(name)
    }
  }

  static func == (left: NamePattern, right: NamePattern) -> Bool {
    switch (left, right) {
    case (.part(let one), .part(let other)): one == other
    case (.glob(let one, _), .glob(let other, _)): one == other
    case (.expression(let one, _), .expression(let other, _)): one == other
    case (.part, _), (.glob, _), (.expression, _): false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .part(let part): hasher.combine(part)
    case .glob(let text, _), .expression(let text, _): hasher.combine(text)
    }
  }
}

/// A text to search for in names.
struct NamePart: Sendable, Hashable {
  /// The text as typed.
  let text: String
  private let bytes: [UInt8]

  init(_ text: String) {
    self.text = text
    bytes = Array(text.lowercased().utf8)
  }

  func occurs(in name: String) -> Bool {
    guard !bytes.isEmpty else { return true }
    var name = name
    return name.withUTF8 { buffer in
      if occurs(in: buffer) { return true }
      // Other letters have their own lower case.
      guard buffer.contains(where: { $0 >= 0x80 }) else { return false }
      var lower = String(decoding: buffer, as: UTF8.self).lowercased()
      return lower.withUTF8 { occurs(in: $0) }
    }
  }

  /// True if the text occurs, ignoring the case of ASCII letters.
  private func occurs(in name: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      guard name.count >= bytes.count else { return false }
      let first = bytes[0]
      for start in 0...(name.count &- bytes.count) where CaseFolding.folded(name[start]) == first {
        var place = 1
        while place < bytes.count, CaseFolding.folded(name[start &+ place]) == bytes[place] { place &+= 1 }
        if place == bytes.count { return true }
      }
      return false
    }
  }
}
