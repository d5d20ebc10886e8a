/// A key as a user knows it.
package enum Key: Hashable, Sendable {
  case character(Character)
  case enter, escape, tab, backTab, backspace, delete, insert
  case up, down, left, right, home, end, pageUp, pageDown
  case function(Int)
}

/// A key with its modifiers.
package struct KeyPress: Hashable, Sendable {
  /// Shift, Alt and Control.
  ///
  /// Shift is not reported for characters: the character itself shows it.
  package struct Modifiers: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let shift = Modifiers(rawValue: 1)
    package static let alt = Modifiers(rawValue: 2)
    package static let control = Modifiers(rawValue: 4)
  }

  package var key: Key
  package var modifiers: Modifiers

  package init(_ key: Key, _ modifiers: Modifiers = []) {
    self.key = key
    self.modifiers = modifiers
  }
}

/// A mouse action and its position.
package struct MouseEvent: Hashable, Sendable {
  /// The kind of action.
  package enum Action: Hashable, Sendable {
    case press, release, drag, move, wheelUp, wheelDown, wheelLeft, wheelRight
  }

  /// The mouse button; none for moving and for the wheel.
  package enum Button: Hashable, Sendable {
    case none, left, middle, right
  }

  package var action: Action
  package var button: Button
  package var position: Position
  package var modifiers: KeyPress.Modifiers

  package init(
    _ action: Action, button: Button = .none, at position: Position,
    modifiers: KeyPress.Modifiers = []
  ) {
    self.action = action
    self.button = button
    self.position = position
    self.modifiers = modifiers
  }
}

/// Input from the user and their terminal.
package enum InputEvent: Hashable, Sendable {
  case key(KeyPress)
  /// Pasted text without control characters other than line feed and tab.
  case paste(String)
  case mouse(MouseEvent)
  case resize(Size)
  case focus(Bool)
  /// The terminal's background, in reply to a query.
  case background(Color)
  /// The terminal shows 24-bit colors, in reply to a query.
  case trueColor
  /// The terminal does not draw one of our signs in one column, in reply to a query.
  case unevenSigns
  /// Continued after a stop: the screen contents are lost, and the next `present` redraws them.
  case resumed
  /// The terminal is gone; nothing can be shown any more.
  case hangup
}
