/// A command line up to the cursor as bash hands it over: with quotes, and a last word of which bash replaces only what
/// follows a break.
struct BashLine: Equatable {
  /// The words without their quotes, the program's name first and the unfinished one last.
  private(set) var words: [String] = []
  /// The quote that is open at the cursor.
  private(set) var quote: Character?
  /// Characters of the last word before its last break.
  private var broken = 0

  /// - Parameter breaks: `COMP_WORDBREAKS`.
  init(_ line: String, breaks: String) {
    var word: String?
    var isEscaped = false
    broken = 0
    for character in line {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character == " " || character == "\t" {
        if let whole = word { words.append(whole) }
        (word, broken) = (nil, 0)
      } else {
        word = (word ?? "") + String(character)
        if breaks.contains(character) { broken = word?.count ?? 0 }
      }
    }
    words.append(word ?? "")
  }

  /// The part of a word that bash inserts, quoted where no quote is open.
  func insertion(of word: String) -> String {
    let rest = word.dropFirst(broken)
    guard quote == nil else { return String(rest) }
    return rest.map { Self.special.contains($0) ? "\\\($0)" : String($0) }.joined()
  }

  /// Characters with a meaning for the shell.
  private static let special = Set(" \t\\'\"`$&|;<>()*?[]{}!#~")
}
