import Essentials

/// Labels of keys on a screen whose bindings the user changed in part.
package struct KeyLabels: Hashable, Sendable {
  /// The displayed keys, by the default ones.
  private let texts: [String: String]

  package init(texts: [String: String] = [:]) { self.texts = texts }

  /// The label of a default key, or of several: `+ -`, `e/E`, `←→`.
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

  /// A hint with the current keys in it: `a queue a change  C clear`, `c chooses other sides, - a longer range`.
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
