package import Codecs
package import DashboardCore
package import TerminalUI

/// A person's deviations from the usual: the content of their configuration file, as plain values.
///
/// Nothing that a file leaves out is set, so that options and what the terminal offers come through.
package struct Configuration: Sendable, Equatable {
  /// One of ``Theme/names``, or ``Theme/automatic``.
  package var theme: String?
  package var glyphs: GlyphTier?
  package var colors: ColorDepth?
  package var keys = KeyMap()
  package var limits = LimitSet()
  /// Units by `bucket.name`.
  package var units: [String: ValueUnit] = [:]
  /// Which way is better, by `bucket.name`.
  package var better: [String: BetterDirection] = [:]
  /// The figures of the Live screen, in their order; `nil` for the usual ones.
  package var columns: [LiveColumn]?
  /// Mappings of foreign lines, by name, as for `--map`.
  package var maps: [String: String] = [:]
  /// The length of the window, in seconds.
  package var window: Double?
  /// The name of the screen to begin with.
  package var start: String?

  package init() {}

  /// Sets what a session has to do with.
  func apply(to session: inout Session) {
    session.columns = columns
    session.better = better
    session.units = units
    if let window { session.setWindow(window) }
  }

  /// The names of all keys.
  package static let names = [
    "theme", "glyphs", "colors", "keys", "limits", "units", "better", "columns", "maps", "window", "start",
  ]
}

/// Something that is wrong with a configuration file.
package struct ConfigurationProblem: Sendable, Equatable {
  /// The line, from 1; `nil` where it is about the file as a whole.
  package var line: Int?
  /// Such as `limits[1].for`; empty for the file as a whole.
  package var place: String
  /// The problem, in a sentence.
  package var text: String

  package init(line: Int? = nil, place: String = "", text: String) {
    (self.line, self.place, self.text) = (line, place, text)
  }

  /// The problem with where it is.
  package func message(path: String) -> String {
    let line = line.map { ", line \($0)" } ?? ""
    return SafeText.sanitized("\(path)\(line): " + (place.isEmpty ? "" : "\(place): ") + text)
  }
}
