import Foundation
package import TerminalUI

/// The keys that a person chose for actions, by the actions' names.
///
/// An action that is named has these keys and no others. A key that is chosen belongs to that action wherever the
/// action is: others lose it there.
package struct KeyMap: Hashable, Sendable {
  package var keys: [String: [KeyPress]]

  package init(_ keys: [String: [KeyPress]] = [:]) { self.keys = keys }

  /// Two actions that want one key on the same screen.
  package struct Conflict: Hashable, Sendable {
    /// The action that does not get it.
    package let loser: String
    package let text: String
  }

  /// What wants a key that another action has, each once.
  package var conflicts: [Conflict] {
    var found: [Conflict] = []
    for (title, table) in ActionCatalog.tables(keys: self) {
      var owners: [KeyPress: String] = [:]
      for name in Set(table.actions.map(\.description.name)).sorted() {
        for key in keys[name] ?? [] {
          guard let owner = owners[key] else {
            owners[key] = name
            continue
          }
          let text = "wants \(key.text), which \(owner) has on the \(title) screen"
          if owner != name, !found.contains(where: { $0.loser == name }) {
            found.append(Conflict(loser: name, text: text))
          }
        }
      }
    }
    return found
  }

  /// The action with the keys that were chosen for it.
  ///
  /// - Parameter claimed: The keys that were chosen for any action of the screen, and for which one.
  func applied(to description: ActionDescription, claimed: [KeyPress: String]) -> ActionDescription {
    let wanted = keys[description.name] ?? description.keys
    let kept = wanted.filter { key in claimed[key].map { $0 == description.name } ?? true }
    return kept == description.keys ? description : description.with(keys: kept)
  }

  /// The keys that were chosen for some actions, and for which; of two that want one the first by name.
  func claimed(by names: [String]) -> [KeyPress: String] {
    var claimed: [KeyPress: String] = [:]
    for name in Set(names).sorted() {
      for key in keys[name] ?? [] where claimed[key] == nil { claimed[key] = name }
    }
    return claimed
  }
}

/// How keys are written on a screen where some were chosen by the person.
package struct KeyLabels: Hashable, Sendable {
  private var texts: [String: String] = [:]

  init() {}

  /// - Parameters:
  ///   - usual: The actions with their usual keys.
  ///   - chosen: The same actions with those that they have.
  init(usual: [ActionDescription], chosen: [ActionDescription]) {
    let now = Dictionary(chosen.map { ($0.name, $0.keys) }, uniquingKeysWith: { first, _ in first })
    for action in usual {
      guard let keys = now[action.name], keys != action.keys else { continue }
      for (place, key) in action.keys.enumerated() where !keys.contains(key) {
        texts[key.text] = (keys.indices.contains(place) ? keys[place] : keys.first)?.text ?? ""
      }
    }
  }

  /// What is written for a usual key, or for several of them: `+ -`, `e/E`, `←→`.
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
