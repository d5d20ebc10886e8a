/// A row of small bars, one column each; blank for missing values.
package struct Sparkline: Widget {
  package var values: [Double?]
  /// Values of the lowest and the highest bar; by default, the range of the values.
  package var range: ClosedRange<Double>?
  package var style: Style
  package var theme: Theme

  package init(
    _ values: [Double?], range: ClosedRange<Double>? = nil, style: Style = .plain, theme: Theme
  ) {
    self.values = values
    self.range = range
    self.style = style
    self.theme = theme
  }

  package func render(in area: Rect, into buffer: inout Buffer) {
    guard !area.isEmpty else { return }
    buffer.write(text(width: area.width), at: area.origin, style: style, limit: area.width)
  }

  /// The bars as text of exactly `width` columns: the last values, right-aligned.
  package func text(width: Int) -> String {
    let signs = theme.signs.sparks
    return levels(width: width).reduce(into: "") { $0 += $1.map { signs[$0] } ?? " " }
  }

  /// A calmer variant at half the height, each bar colored by its height.
  package func quietLine(width: Int) -> Line {
    let signs = theme.signs.sparks
    var line = Line()
    var last: Int??
    for level in levels(width: width) {
      let level = level.map { $0 / 2 }
      let text = level.map { signs[$0] } ?? " "
      if last == level {
        line.spans[line.spans.count - 1].text += text
      } else {
        line.append(text, level.map { theme.height(Double($0) / 7) } ?? .plain)
      }
      last = level
    }
    return line
  }

  /// The height of each column's bar, from 0 to 7; `nil` for a missing value.
  private func levels(width: Int) -> [Int?] {
    guard width > 0 else { return [] }
    let shown = values.suffix(width)
    let known = shown.compactMap { $0 }.filter(\.isFinite)
    var low = range?.lowerBound ?? known.min() ?? 0
    var high = range?.upperBound ?? known.max() ?? 0
    if !low.isFinite || !high.isFinite { (low, high) = (0, 0) }
    return Array(repeating: nil, count: width - shown.count)
      + shown.map { value in
        value.flatMap { $0.isFinite ? Sparkline.level($0, low: low, high: high) : nil }
      }
  }

  /// The bar for a value, from 0 to 7; the lowest if all values are equal.
  static func level(_ value: Double, low: Double, high: Double) -> Int {
    // Halves keep the difference of two huge values finite.
    let span = high / 2 - low / 2
    guard span > 0 else { return 0 }
    let share = (value / 2 - low / 2) / span
    return Int((max(0, min(1, share)) * 7).rounded())
  }
}
