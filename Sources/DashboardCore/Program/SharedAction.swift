import TerminalUI

/// An action available to the user on one screen or on all of them.
package struct SharedAction: Sendable {
  package let description: ActionDescription
  /// The reason that it is unavailable now; `nil` if it is available.
  let refusal: @Sendable (Model) -> String?
  let run: @Sendable (inout Model) -> [Effect]

  init(
    _ description: ActionDescription, refusal: @escaping @Sendable (Model) -> String?,
    run: @escaping @Sendable (inout Model) -> [Effect]
  ) {
    self.description = description
    self.refusal = refusal
    self.run = run
  }

  init(
    _ title: String, _ group: ActionGroup, name: String? = nil, keys: [KeyPress], keyText: String? = nil,
    refusal: @escaping @Sendable (Model) -> String? = { _ in nil },
    effects run: @escaping @Sendable (inout Model) -> [Effect]
  ) {
    self.init(
      ActionDescription(title: title, group: group, name: name, keys: keys, keyText: keyText),
      refusal: refusal, run: run)
  }

  /// Creates an action that changes only the session.
  init(
    _ title: String, _ group: ActionGroup, name: String? = nil, keys: [KeyPress], keyText: String? = nil,
    refusal: @escaping @Sendable (Model) -> String? = { _ in nil },
    change: @escaping @Sendable (inout Session) -> Void
  ) {
    self.init(
      title, group, name: name, keys: keys, keyText: keyText, refusal: refusal,
      effects: { model in
        change(&model.session)
        return []
      })
  }
}

/// Actions available on one screen, by key and in the order of the help.
package struct ActionTable: Sendable {
  package let actions: [SharedAction]
  /// The labels of the usual keys on this screen.
  let labels: KeyLabels
  private let byKey: [KeyPress: SharedAction]

  /// - Parameters:
  ///   - own: The screen's own actions; their keys take precedence over shared ones.
  ///   - place: The screen's index.
  ///   - keys: The user's keys.
  init(own: [ActionDescription], of place: Int, shared: [SharedAction], keys: KeyMap = KeyMap()) {
    let usual = Set(own.flatMap(\.keys))
    let left = shared.compactMap { action in
      action.description.without(usual).map { SharedAction($0, refusal: action.refusal, run: action.run) }
    }
    let mine = own.enumerated().map { index, description in
      SharedAction(
        description, refusal: { $0.screen(at: place).refusal(ofAction: index) },
        run: { $0.perform(index, on: place) })
    }
    let claimed = keys.claimed(by: (mine + left).map(\.description.name))
    let chosen = (mine + left).map { action in
      SharedAction(
        keys.applied(to: action.description, claimed: claimed), refusal: action.refusal, run: action.run)
    }
    labels =
      claimed.isEmpty && keys.keys.isEmpty
      ? KeyLabels() : KeyLabels(usual: (mine + left).map(\.description), chosen: chosen.map(\.description))
    // Stable: within a group, the screen's own actions come first.
    let all = chosen.enumerated().sorted {
      ($0.element.description.group, $0.offset) < ($1.element.description.group, $1.offset)
    }
    actions = all.map(\.element)
    byKey = Dictionary(
      actions.flatMap { action in action.description.keys.map { ($0, action) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// The tables of all screens, with the user's keys.
  package static func tables(of screens: [any Screen], keys: KeyMap) -> [ActionTable] {
    let shared = SharedAction.shared(screens: ScreenTabs.titles(of: screens))
    return screens.enumerated().map {
      ActionTable(own: $1.actionDescriptions, of: $0, shared: shared, keys: keys)
    }
  }

  /// The action for a key.
  func action(for press: KeyPress) -> SharedAction? { byKey[press] }
}
