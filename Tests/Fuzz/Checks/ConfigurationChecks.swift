import Dashboard
import DashboardCore
import TerminalUI

@testable import Commands

/// Checks of the configuration file.
enum ConfigurationChecks {
  /// Any text gives values within their limits, and problems that can be written on a terminal.
  static func configuration(_ input: UnsafeRawBufferPointer) -> String? {
    let reader = ConfigurationReader(String(decoding: input, as: UTF8.self))
    for problem in reader.problems {
      let message = problem.message(path: "c")
      if problem.text.isEmpty { return "a problem without words" }
      if let scalar = message.unicodeScalars.first(where: { ForbiddenScalars.contains($0.value) }) {
        return "U+\(String(scalar.value, radix: 16)) comes out"
      }
    }
    let configuration = reader.configuration
    for limit in configuration.limits.all {
      let isFinite = limit.bound.isFinite && limit.clear?.isFinite != false
      guard isFinite, !limit.metric.isEmpty, (0...MetricLimit.longest).contains(limit.duration),
        LimitText.isSound(limit)
      else { return "a limit that cannot be: \(limit)" }
    }
    if let window = configuration.window, !(1...86_400 * 366).contains(window) {
      return "a window of \(window)"
    }
    if let theme = configuration.theme, theme != Theme.automatic, !Theme.names.contains(theme) {
      return theme
    }
    return configuration.keys.keys.keys.first { !ActionCatalog.names.contains($0) }
  }
}
