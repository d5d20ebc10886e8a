/// The name of a figure that covers one state of the app: `stateMetrics.DOMAIN/LABEL.FIGURE`.
package struct StateFigureName {
  /// The domain and the label, as in the name: `com.example.screen/checkout`.
  package let state: String
  /// The figure in that state: `memoryMetrics.peakMemoryUsage`, or `duration`.
  package let figure: String

  /// `nil` for a figure of the whole day.
  package init?(_ name: String) {
    let prefix = "stateMetrics."
    guard name.hasPrefix(prefix), let slash = name.firstIndex(of: "/") else { return nil }
    let parts = name[name.index(after: slash)...].split(separator: ".", omittingEmptySubsequences: false)
    // Both the domain and the label may contain points, but no section of a payload does.
    let section = parts.dropFirst().firstIndex { $0.hasSuffix("Metrics") }
    guard parts.count > 1, section != nil || parts.last == "duration" else { return nil }
    let start = section ?? parts.count - 1
    state = name[..<slash].dropFirst(prefix.count) + "/" + parts[..<start].joined(separator: ".")
    figure = parts[start...].joined(separator: ".")
  }

  /// The label of the state alone, as the app wrote it.
  var label: String {
    let start = state.firstIndex(of: "/").map(state.index(after:)) ?? state.startIndex
    return String(state[start...]).replacing("%2F", with: "/").replacing("%25", with: "%")
  }
}
