import TerminalUI

/// An entry in the list of settings.
struct Setting: Sendable {
  /// The setting's name and current value.
  let title: @Sendable (Session) -> String
  /// Switches to the next value.
  let next: @Sendable (inout Model) -> [Effect]

  static let all = [
    Setting(title: { "Theme: \($0.theme.name)" }) { model in
      model.session.showNextTheme()
      return []
    },
    Setting(title: { "Glyphs: \($0.theme.glyphs.rawValue)" }) { model in
      model.session.nextGlyphs()
      return []
    },
    Setting(title: { "Colors: \($0.theme.capabilities.depth.name)" }) { model in
      model.session.nextColors()
      return []
    },
    Setting(title: { "Mouse: \($0.isMouseOn ? "on" : "off")" }) { $0.toggleMouse() },
    Setting(title: { "Value axis: \($0.hasLogarithmicAxis ? "logarithmic" : "linear")" }) { model in
      model.session.toggleLogarithmic()
      return []
    },
  ]
}

extension Picker {
  /// The available settings; the list stays open, so that the next value is one key press away.
  static let settings = Picker(name: "settings", title: "Settings: Enter changes one")
}
