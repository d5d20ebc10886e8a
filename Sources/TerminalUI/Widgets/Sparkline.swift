/// A row of small bars, one column each; nothing where there is no value.
package struct Sparkline: Widget {
  package var values: [Double?]
  /// What the lowest and the highest bar stand for; the values' own range when not given.
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
    guard width > 0 else { return "" }
    let shown = values.suffix(width)
    let known = shown.compactMap { $0 }.filter(\.isFinite)
    var low = range?.lowerBound ?? known.min() ?? 0
    var high = range?.upperBound ?? known.max() ?? 0
    if !low.isFinite || !high.isFinite { (low, high) = (0, 0) }
    let signs = theme.signs.sparks
    var text = String(repeating: " ", count: width - shown.count)
    for value in shown {
      guard let value, value.isFinite else {
        text += " "
        continue
      }
      text += signs[Sparkline.level(value, low: low, high: high)]
    }
    return text
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
