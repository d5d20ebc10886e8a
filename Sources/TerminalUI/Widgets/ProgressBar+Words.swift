extension ProgressBar {
  /// An amount with at most three digits before its unit prefix, and the name of the counted things.
  func amount(_ value: Double, isNamed: Bool = true) -> String {
    guard value.isFinite else { return "?" }
    switch unit {
    case .bytes: return ProgressBar.scaled(value, prefixes: [" B", " kB", " MB", " GB", " TB", " PB"])
    case .count(let name):
      let number = ProgressBar.scaled(value, prefixes: ["", "k", "M", "G", "T"])
      return name.isEmpty || !isNamed ? number : number + " " + name
    }
  }

  private static func scaled(_ value: Double, prefixes: [String]) -> String {
    var value = max(0, value)
    var index = 0
    while value >= 999.5, index < prefixes.count - 1 {
      value /= 1000
      index += 1
    }
    let digits = value >= 9.95 || index == 0 ? whole(value) : tenths(value)
    return digits + prefixes[index]
  }

  private static func whole(_ value: Double) -> String { String(Int(min(value, 1e15).rounded())) }

  private static func tenths(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// The remaining time in at most two units: `42 s`, `5 min 3 s`, `2 h 10 min`.
  ///
  /// - Parameter seconds: The time in seconds; `?` if it is negative, not finite or absurdly long.
  package static func time(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "?" }
    let whole = Int(seconds.rounded(.up))
    if whole < 60 { return "\(whole) s" }
    if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
    return "\(whole / 3600) h \(whole % 3600 / 60) min"
  }
}
