/// A row of small bars, one column each; nothing where there is no value.
package struct Sparkline: Widget {
  package var values: [Double?]
  /// Values of the lowest and the highest bar; the values' own range when not given.
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

  /// The bars as text of exactly `width` columns: the last values, at the right.
  package func text(width: Int) -> String {
    let signs = theme.signs.sparks
    return levels(width: width).reduce(into: "") { $0 += $1.map { signs[$0] } ?? " " }
  }

  /// The same in half the height, each bar in the colour of its height: calm beside one that stands out.
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

  /// The height of the bar in each column, of eight; `nil` for none.
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

  /// Which of eight bars a value gets; the lowest when all values are the same.
  static func level(_ value: Double, low: Double, high: Double) -> Int {
    // Halves keep the difference of two huge values finite.
    let span = high / 2 - low / 2
    guard span > 0 else { return 0 }
    let share = (value / 2 - low / 2) / span
    return Int((max(0, min(1, share)) * 7).rounded())
  }
}
