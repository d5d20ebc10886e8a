package import TerminalUI

/// One thing a person can do: its words, its keys, when it can be done, and how.
///
/// Keys, help and footer all come from the one table `Action.all`, so none of them can say what is not so.
package struct Action: Sendable {
  /// What the action does, for help.
  package let title: String
  /// The keys that run it; the first one is shown.
  package let keys: [KeyPress]
  /// How the keys are written in help and footer.
  package let keyText: String
  /// The screens on which it means something.
  package let screens: Set<Screen>
  /// Why it cannot be done now; `nil` when it can.
  let refusal: @Sendable (Model) -> String?
  let run: @Sendable (inout Model) -> [Effect]

  init(
    _ title: String, on screens: Set<Screen> = Set(Screen.allCases), keys: [KeyPress], keyText: String? = nil,
    refusal: @escaping @Sendable (Model) -> String? = { _ in nil },
    effects run: @escaping @Sendable (inout Model) -> [Effect]
  ) {
    self.title = title
    self.keys = keys
    self.keyText = keyText ?? keys.map(\.text).joined(separator: " ")
    self.screens = screens
    self.refusal = refusal
    self.run = run
  }

  /// An action that changes nothing but the model.
  init(
    _ title: String, on screens: Set<Screen> = Set(Screen.allCases), keys: [KeyPress], keyText: String? = nil,
    refusal: @escaping @Sendable (Model) -> String? = { _ in nil },
    change: @escaping @Sendable (inout Model) -> Void
  ) {
    self.init(
      title, on: screens, keys: keys, keyText: keyText, refusal: refusal,
      effects: { model in
        change(&model)
        return []
      })
  }

  private static let byKey: [Screen: [KeyPress: Action]] = {
    var tables: [Screen: [KeyPress: Action]] = [:]
    for action in all {
      for screen in action.screens {
        for key in action.keys { tables[screen, default: [:]][key] = action }
      }
    }
    return tables
  }()

  /// The action that a key runs on a screen.
  package static func action(for press: KeyPress, on screen: Screen) -> Action? { byKey[screen]?[press] }

  /// What can be done on a screen, in the order of help.
  package static func valid(on screen: Screen) -> [Action] { all.filter { $0.screens.contains(screen) } }
}

extension KeyPress {
  init(_ character: Character) { self.init(.character(character)) }

  static func control(_ character: Character) -> KeyPress { KeyPress(.character(character), .control) }

  /// The key as it is written for a person.
  var text: String {
    let name: String
    switch key {
    case .character(" "): name = "Space"
    case .character(let character):
      name = modifiers.contains(.control) ? String(character).uppercased() : String(character)
    case .enter: name = "Enter"
    case .escape: name = "Esc"
    case .tab: name = "Tab"
    case .backTab: name = "Shift-Tab"
    case .backspace: name = "Backspace"
    case .delete: name = "Del"
    case .insert: name = "Ins"
    case .up: name = "↑"
    case .down: name = "↓"
    case .left: name = "←"
    case .right: name = "→"
    case .home: name = "Home"
    case .end: name = "End"
    case .pageUp: name = "PgUp"
    case .pageDown: name = "PgDn"
    case .function(let number): name = "F\(number)"
    }
    let held = (modifiers.contains(.control) ? "Ctrl-" : "") + (modifiers.contains(.alt) ? "Alt-" : "")
    return held + (modifiers.contains(.shift) && key != .backTab ? "Shift-" : "") + name
  }
}
