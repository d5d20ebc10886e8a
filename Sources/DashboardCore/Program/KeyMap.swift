import Essentials
package import TerminalUI

/// The user's keys for actions, by action name.
///
/// An action in the map has these keys and no others. A chosen key belongs to its action on every screen that has the
/// action; other actions lose it there.
package struct KeyMap: Hashable, Sendable {
  package var keys: [String: [KeyPress]]

  package init(_ keys: [String: [KeyPress]] = [:]) { self.keys = keys }

  /// The action with its chosen keys.
  ///
  /// - Parameter claimed: The chosen keys of all actions of the screen, with the actions' names.
  func applied(to description: ActionDescription, claimed: [KeyPress: String]) -> ActionDescription {
    let wanted = keys[description.name] ?? description.keys
    let kept = wanted.filter { key in claimed[key].map { $0 == description.name } ?? true }
    return kept == description.keys ? description : description.with(keys: kept)
  }

  /// The chosen keys of some actions, with the actions' names; if two claim the same key, the first by name gets it.
  func claimed(by names: [String]) -> [KeyPress: String] {
    var claimed: [KeyPress: String] = [:]
    for name in Set(names).sorted() {
      for key in keys[name] ?? [] where claimed[key] == nil { claimed[key] = name }
    }
    return claimed
  }
}

extension KeyLabels {
  /// - Parameters:
  ///   - usual: The actions with their usual keys.
  ///   - chosen: The same actions with their chosen keys.
  init(usual: [ActionDescription], chosen: [ActionDescription]) {
    let now = Dictionary(chosen.map { ($0.name, $0.keys) }, uniquingKeysWith: { first, _ in first })
    var texts: [String: String] = [:]
    for action in usual {
      guard let keys = now[action.name], keys != action.keys else { continue }
      for (place, key) in action.keys.enumerated() where !keys.contains(key) {
        texts[key.text] = (keys.indices.contains(place) ? keys[place] : keys.first)?.text ?? ""
      }
    }
    self.init(texts: texts)
  }
}
