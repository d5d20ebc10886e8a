import Essentials
package import TerminalUI

/// The keys that a person chose for actions, by the actions' names.
///
/// An action that is named has these keys and no others. A key that is chosen belongs to that action wherever the
/// action is: others lose it there.
package struct KeyMap: Hashable, Sendable {
  package var keys: [String: [KeyPress]]

  package init(_ keys: [String: [KeyPress]] = [:]) { self.keys = keys }

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

extension KeyLabels {
  /// - Parameters:
  ///   - usual: The actions with their usual keys.
  ///   - chosen: The same actions with those that they have.
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
