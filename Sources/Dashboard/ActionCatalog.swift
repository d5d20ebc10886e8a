package import DashboardCore
import Essentials
import TerminalUI

/// All that can be done on the screens, by name.
package enum ActionCatalog {
  /// One action as lists of them show it.
  package struct Entry: Hashable, Sendable {
    package let name: String
    package let title: String
    package let keyText: String
    /// The names of the screens that have it.
    package internal(set) var screens: [String]
  }

  /// The actions in the order of their names.
  package static let entries: [Entry] = {
    var entries: [String: Entry] = [:]
    for (title, table) in tables(keys: KeyMap()) {
      for action in table.actions.map(\.description) {
        entries[
          action.name,
          default: Entry(name: action.name, title: action.title, keyText: action.keyText, screens: [])
        ].screens.append(title.name)
      }
    }
    return entries.values.sorted { $0.name < $1.name }
  }()

  package static let names = entries.map(\.name)

  /// The table of each tab, with the keys that were chosen: screens that share one have the same keys.
  static func tables(keys: KeyMap) -> [(title: ScreenTitle, table: ActionTable)] {
    let tables = zip(ScreenList.all.map(\.title), ActionTable.tables(of: ScreenList.all, keys: keys))
    return ScreenList.titles.compactMap { title in tables.first { $0.0 == title } }
  }
}

extension KeyMap {
  /// Two actions that want one key on the same screen.
  package struct Conflict: Hashable, Sendable {
    /// The action that does not get it.
    package let loser: String
    package let text: String
  }

  /// Actions that want a key another action already has, each once.
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
          let text = "wants \(key.text), which \(owner) has on the \(title.title) screen"
          if owner != name, !found.contains(where: { $0.loser == name }) {
            found.append(Conflict(loser: name, text: text))
          }
        }
      }
    }
    return found
  }
}
