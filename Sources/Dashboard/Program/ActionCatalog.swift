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
    for (screen, table) in zip(ScreenList.all.map { $0.title.name }, tables(keys: KeyMap()).map { $0.table })
    {
      for action in table.actions.map(\.description) {
        entries[
          action.name,
          default: Entry(name: action.name, title: action.title, keyText: action.keyText, screens: [])
        ].screens.append(screen)
      }
    }
    return entries.values.sorted { $0.name < $1.name }
  }()

  package static let names = entries.map(\.name)

  /// The table of each screen, with the keys that were chosen.
  static func tables(keys: KeyMap) -> [(title: String, table: ActionTable)] {
    let rooms = ScreenList.all.enumerated().map { Model.room($1, place: $0) }
    let shared = SharedAction.shared(screens: rooms.map(\.title))
    return rooms.enumerated().map {
      ($1.title.title, ActionTable(own: $1.actions, of: $0, shared: shared, keys: keys))
    }
  }
}
