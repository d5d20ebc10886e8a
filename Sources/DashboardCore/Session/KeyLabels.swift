import Essentials

/// How keys are written on a screen where some were chosen by the person.
package struct KeyLabels: Hashable, Sendable {
  /// The keys that are written, by the usual ones.
  private let texts: [String: String]

  package init(texts: [String: String] = [:]) { self.texts = texts }

  /// The label of a usual key, or of several of them: `+ -`, `e/E`, `←→`.
  package func text(_ usual: String) -> String {
    guard !texts.isEmpty else { return usual }
    if let text = texts[usual] { return text }
    for separator in [" ", "/"] where usual.contains(separator) && usual.count > 1 {
      let words = usual.components(separatedBy: separator).map(text)
      return words.filter { !$0.isEmpty }.joined(separator: separator)
    }
    let letters = usual.map(String.init)
    guard letters.count == 2, letters.contains(where: { texts[$0] != nil }) else { return usual }
    return letters.map(text).filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// A hint with its keys as they are now: `a queue a change  C clear`, `c chooses other sides, - a longer range`.
  package func hint(_ usual: String) -> String {
    guard !texts.isEmpty else { return usual }
    for separator in ["  ", ", "] where usual.contains(separator) {
      let parts = usual.components(separatedBy: separator).map(hint)
      return parts.filter { !$0.isEmpty }.joined(separator: separator)
    }
    guard let end = usual.firstIndex(of: " ") else { return text(usual) }
    let key = text(String(usual[..<end]))
    return key.isEmpty ? "" : key + usual[end...]
  }

}
