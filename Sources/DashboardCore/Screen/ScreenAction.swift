package import Aggregation
package import TerminalUI

/// An action available to the user on a screen: its texts, keys, availability and effect.
///
/// Keys, help and footer all come from the tables of actions, so they cannot disagree.
package struct ScreenAction<Owner: Screen>: Sendable {
  package let description: ActionDescription
  /// The reason that it is unavailable now; `nil` if it is available.
  package let refusal: @Sendable (Owner) -> String?
  package let run: @Sendable (inout Owner) -> [Effect]

  package init(
    _ title: String, _ group: ActionGroup, name: String? = nil, keys: [KeyPress], keyText: String? = nil,
    refusal: @escaping @Sendable (Owner) -> String? = { _ in nil },
    effects run: @escaping @Sendable (inout Owner) -> [Effect]
  ) {
    description = ActionDescription(title: title, group: group, name: name, keys: keys, keyText: keyText)
    self.refusal = refusal
    self.run = run
  }

  /// Creates an action that changes only the screen.
  package init(
    _ title: String, _ group: ActionGroup, name: String? = nil, keys: [KeyPress], keyText: String? = nil,
    refusal: @escaping @Sendable (Owner) -> String? = { _ in nil },
    change: @escaping @Sendable (inout Owner) -> Void
  ) {
    self.init(
      title, group, name: name, keys: keys, keyText: keyText, refusal: refusal,
      effects: { screen in
        change(&screen)
        return []
      })
  }
}

/// The groups of the help, in order.
package enum ActionGroup: Int, Comparable, Sendable {
  case screens, comparing, time, acts, window, cursor, rows, alerts, lines, travel, taking, looking, settings
  case leaving

  /// The heading in the list of all actions.
  package var title: String {
    switch self {
    case .screens: "Screens"
    case .comparing: "Histograms"
    case .time: "Time"
    case .acts: "The engine"
    case .window: "Window and axes"
    case .cursor: "Moving"
    case .rows: "Rows"
    case .alerts: "Alerts"
    case .lines: "Lines"
    case .travel: "Marks and moments"
    case .taking: "Ranges, lines and files"
    case .looking: "Panes, copies, mouse, help"
    case .settings: "Settings"
    case .leaving: "Leaving"
    }
  }

  package static func < (left: ActionGroup, right: ActionGroup) -> Bool { left.rawValue < right.rawValue }
}

/// The description of an action in help and footer.
package struct ActionDescription: Hashable, Sendable {
  /// The action's effect, for help.
  package let title: String
  /// The stable name for configured keys; independent of the text of the help.
  package let name: String
  package let group: ActionGroup
  /// The keys that run it; the first one is shown.
  package let keys: [KeyPress]
  /// The keys as shown in help and footer.
  package let keyText: String

  /// - Parameter name: The beginning of the title, in lower case, by default.
  package init(
    title: String, group: ActionGroup, name: String? = nil, keys: [KeyPress], keyText: String? = nil
  ) {
    self.title = title
    self.name = name ?? Self.name(title)
    self.group = group
    self.keys = keys
    self.keyText = keyText ?? keys.map(\.text).joined(separator: " ")
  }

  /// A copy without keys that are taken; `nil` if none is left.
  package func without(_ taken: Set<KeyPress>) -> ActionDescription? {
    let left = keys.filter { !taken.contains($0) }
    if left.count == keys.count { return self }
    return left.isEmpty ? nil : with(keys: left)
  }

  /// A copy with other keys.
  package func with(keys: [KeyPress]) -> ActionDescription {
    ActionDescription(title: title, group: group, name: name, keys: keys)
  }

  /// The name of a title, for instance `zoom-in` of «Zoom in: a shorter window».
  private static func name(_ title: String) -> String {
    let head = title.prefix { !",;:(".contains($0) }.lowercased()
    let words = head.split { !$0.isLetter && !$0.isNumber }
    return (words.first == "the" ? words.dropFirst() : words[...]).joined(separator: "-")
  }
}

// Actions of several screens, with parameters for the differences.
extension ScreenAction {
  /// Freezes the playhead, and moves it in the screen's steps.
  package static var freezing: [ScreenAction] {
    [
      ScreenAction(
        "Freeze the screen, or follow live again", .time, keys: [KeyPress(" "), KeyPress("p"), KeyPress("Z")]
      ) {
        $0.session.toggleFreeze()
      },
      ScreenAction(
        "Move the playhead back", .time, keys: [KeyPress(.left), KeyPress("h")], keyText: "← h",
        refusal: { $0.session.knownRange == nil ? "there are no samples" : nil },
        effects: { $0.handle(.movePlayhead(by: -1)) }),
      ScreenAction(
        "Move the playhead forward", .time, keys: [KeyPress(.right), KeyPress("l")], keyText: "→ l",
        refusal: { $0.session.isFrozen ? nil : "this is the live end" },
        effects: { $0.handle(.movePlayhead(by: 1)) }),
    ]
  }

  /// Switches the value axis of the chart.
  ///
  /// - Parameters:
  ///   - hasChart: True if there is space for a chart.
  ///   - hasAxis: True if the metric has numeric values rather than texts.
  package static func scaling(
    hasChart: @escaping @Sendable (Owner) -> Bool,
    hasAxis: @escaping @Sendable (Owner) -> Bool
  ) -> ScreenAction {
    ScreenAction(
      "Logarithmic or linear value axis", .window, keys: [KeyPress("L")],
      refusal: { screen in
        if !hasChart(screen) { return "there is no chart at this size" }
        return hasAxis(screen) ? nil : "a text metric has no value axis"
      }
    ) { $0.session.toggleLogarithmic() }
  }

  /// Pins the metric in focus.
  ///
  /// - Parameters:
  ///   - subject: The metric in focus; `nil` if there is none, or if it has no curve.
  ///   - hasChart: True if there is space for a chart.
  package static func pinning(
    _ subject: @escaping @Sendable (Owner) -> SeriesIdentity?,
    hasChart: @escaping @Sendable (Owner) -> Bool
  ) -> ScreenAction {
    ScreenAction(
      "Pin the metric's curve in the chart, or unpin it", .window, keys: [KeyPress("H")],
      refusal: { screen in
        if !hasChart(screen) { return "there is no chart at this size" }
        return subject(screen) == nil ? "there is no curve to pin" : nil
      },
      effects: { screen in
        // Keys from the same burst may have selected another row.
        let effects = screen.handle(.refresh)
        if let subject = subject(screen) { screen.session.togglePin(subject) }
        return effects
      })
  }

  /// Opens the histogram of the metric in focus, or the choice of what to compare of it.
  ///
  /// - Parameter timeSpan: The times that the histogram covers.
  package static func comparing(over timeSpan: @escaping @Sendable (Owner) -> TimeSpan) -> [ScreenAction] {
    [
      ScreenAction(
        "The histogram of this metric over this window", .comparing, name: "histogram-of-this-metric",
        keys: [KeyPress("i")],
        effects: { screen in
          // Keys from the same burst may have selected another row or range.
          let effects = screen.handle(.refresh)
          screen.session.open(.distribution(of: screen.subjects, timeSpan(screen), screen.returnTicket))
          return effects
        }),
      ScreenAction(
        "Compare two versions, files, periods or values of this metric", .comparing, keys: [KeyPress("c")],
        effects: { screen in
          let effects = screen.handle(.refresh)
          screen.session.open(.comparison(of: screen.subjects, screen.returnTicket))
          return effects
        }),
    ]
  }

  /// Reverses the order of the rows, and moves between the matches of their filter.
  package static func matching(
    hasFilter: @escaping @Sendable (Owner) -> Bool,
    invert: @escaping @Sendable (inout Owner) -> Void,
    next: @escaping @Sendable (inout Owner, _ direction: Int) -> Void
  ) -> [ScreenAction] {
    let needsFilter: @Sendable (Owner) -> String? = { hasFilter($0) ? nil : "there is no filter" }
    return [
      ScreenAction(
        "Reverse the order", .rows, name: "turn-the-order-round", keys: [KeyPress("I")], change: invert),
      ScreenAction("Next match of the filter", .rows, keys: [KeyPress("n")], refusal: needsFilter) {
        next(&$0, 1)
      },
      ScreenAction(
        "Previous match of the filter", .rows, name: "match-of-the-filter-before", keys: [KeyPress("N")],
        refusal: needsFilter
      ) { next(&$0, -1) },
    ]
  }

  /// Shortens or lengthens the window.
  ///
  /// - Parameter canZoom: True if there is a shorter (-1) or a longer (1) one.
  package static func zooming(_ canZoom: @escaping @Sendable (Owner, Int) -> Bool) -> [ScreenAction] {
    [
      ScreenAction(
        "Zoom in: a shorter window", .window, keys: [KeyPress("+")],
        refusal: { canZoom($0, -1) ? nil : "this is the shortest window" },
        effects: { $0.handle(.zoom(-1)) }),
      ScreenAction(
        "Zoom out: a longer window", .window, keys: [KeyPress("-")],
        refusal: { canZoom($0, 1) ? nil : "this is the longest window" },
        effects: { $0.handle(.zoom(1)) }),
      ScreenAction(
        "Usual window and zoom; on Histogram: all times, with bins that fit", .window,
        keys: [KeyPress("="), KeyPress("0")], effects: { $0.handle(.resetZoom) }),
    ]
  }
}

extension KeyPress {
  package init(_ character: Character) { self.init(.character(character)) }

  package static func control(_ character: Character) -> KeyPress {
    KeyPress(.character(character), .control)
  }
}
