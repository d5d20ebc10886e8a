package import Aggregation
package import Codecs
import Dashboard
package import DashboardCore
package import TerminalUI

/// The contents of the user's configuration file, as plain values.
///
/// Settings missing from the file stay unset, so that options and terminal capabilities apply.
package struct Configuration: Sendable, Equatable {
  /// One of ``Theme/names``, or ``Theme/automatic``.
  package var theme: String?
  package var glyphs: GlyphTier?
  package var colors: ColorDepth?
  package var keys = KeyMap()
  package var limits = LimitSet()
  /// Units by `bucket.name`.
  package var units: [String: ValueUnit] = [:]
  /// The better direction of metrics, by `bucket.name`.
  package var better: [String: BetterDirection] = [:]
  /// The figures of the Live screen, in order; `nil` for the default ones.
  package var columns: [LiveColumn]?
  /// Mappings for foreign lines, by name, as for `--map`.
  package var maps: [String: String] = [:]
  /// The number of false lines allowed among the incidents.
  package var sensitivity: DetectionBudget.Sensitivity?
  /// The length of the window, in seconds.
  package var window: Double?
  /// The name of the initial screen.
  package var start: String?

  package init() {}

  /// Applies the settings that belong to a session.
  func apply(to session: inout Session) {
    session.columns = columns
    session.better = better
    session.units = units
    session.sensitivity = sensitivity ?? session.sensitivity
    if let window { session.setWindow(window) }
  }

  /// All keys with a description for the manual.
  package static let settings = [
    ("theme", Arguments.list([Theme.automatic] + Theme.names) + " (default: auto)"),
    ("glyphs", list(GlyphTier.self) + " (default: the best that the terminal supports)"),
    (
      "colors",
      Arguments.list(ColorDepth.names.map(\.name)) + " (default: the best that the terminal supports)"
    ),
    ("keys", "which keys run an action, by the action's name: a key, a list of keys, or [] for none"),
    ("limits", "a list of limits"),
    (
      "units",
      "the unit of a metric, by bucket.name: \(Arguments.list(ConfigurationReader.units.map(\.key)))"
        + " (default: from the end of its name)"
    ),
    ("better", "which direction is better, by bucket.name: \(list(BetterDirection.self)) (default: lower)"),
    ("columns", "the figures of the Live screen, in their order, among \(list(LiveColumn.self))"),
    ("maps", "mappings of other programs' lines, by the names that --map takes"),
    (
      "sensitivity",
      "\(list(DetectionBudget.Sensitivity.self)): about 0.1, 1 or 10 false lines an hour among the incidents"
        + " (default: normal)"
    ),
    ("window", "the window at the start: 90s, 10m, or seconds"),
    ("start", "the first screen: \(Arguments.list(ScreenList.titles.map(\.name)))"),
  ]

  /// The names of all keys.
  package static let names = settings.map(\.0)

  private static func list<Value: CaseIterable & RawRepresentable<String>>(_ type: Value.Type) -> String {
    Arguments.list(Value.allCases.map(\.rawValue))
  }
}

/// A problem in a configuration file.
package struct ConfigurationProblem: Sendable, Equatable {
  /// The line number, from 1; `nil` for the file as a whole.
  package var line: Int?
  /// The path of the value, such as `limits[1].for`; empty for the file as a whole.
  package var place: String
  /// The problem, in a sentence.
  package var text: String

  package init(line: Int? = nil, place: String = "", text: String) {
    (self.line, self.place, self.text) = (line, place, text)
  }

  /// The problem with its location.
  package func message(path: String) -> String {
    let line = line.map { ", line \($0)" } ?? ""
    return SafeText.sanitized("\(path)\(line): " + (place.isEmpty ? "" : "\(place): ") + text)
  }
}
