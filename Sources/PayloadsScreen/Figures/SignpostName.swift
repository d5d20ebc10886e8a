/// The parts of a signpost figure's name: `signpostMetrics.com.app.sync/Decode.totalCount`.
struct SignpostName: Hashable, Sendable {
  let category: String
  let name: String
  /// The property, in Apple's naming: `totalCount`.
  let property: String

  /// `nil` for the name of any other figure.
  init?(_ figure: String) {
    let prefix = "signpostMetrics."
    guard figure.hasPrefix(prefix), let dot = figure.lastIndex(of: "."),
      let slash = figure.firstIndex(of: "/"), slash < dot
    else { return nil }
    let start = figure.index(figure.startIndex, offsetBy: prefix.count)
    guard start <= slash else { return nil }
    category = Self.plain(figure[start..<slash])
    name = Self.plain(figure[figure.index(after: slash)..<dot])
    property = String(figure[figure.index(after: dot)...])
  }

  private static func plain(_ part: Substring) -> String {
    String(part.replacing("%2F", with: "/").replacing("%25", with: "%"))
  }

  /// All parts as text: `Decode duration, com.app.sync`.
  var label: String { "\(name) \(Self.words[property] ?? property), \(category)" }

  private static let words = [
    "totalCount": "count", "histogrammedSignpostDuration": "duration", "cumulativeCPUTime": "CPU time",
    "averageMemory": "memory", "cumulativeLogicalWrites": "writes", "cumulativeHitchTimeRatio": "hitches",
  ]
}
