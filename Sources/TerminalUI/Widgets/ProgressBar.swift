/// The progress of a long operation: a bar, the amount, the rate and the remaining time.
package struct ProgressBar: Widget {
  /// The counted unit.
  package enum Unit: Hashable, Sendable {
    case bytes
    case count(String)
  }

  package var label: String
  package var done: Double
  /// The total, if known.
  package var total: Double?
  package var perSecond: Double?
  package var unit: Unit
  package var theme: Theme

  package init(
    _ label: String, done: Double, total: Double?, perSecond: Double? = nil, unit: Unit = .bytes,
    theme: Theme
  ) {
    self.label = label
    self.done = done
    self.total = total
    self.perSecond = perSecond
    self.unit = unit
    self.theme = theme
  }

  /// From 0 to 1; `nil` while the total is unknown.
  package var share: Double? {
    guard let total, total > 0, done.isFinite, total.isFinite else { return nil }
    return max(0, min(1, done / total))
  }

  /// The details: `31 %  312 MB of 1.0 GB  120 MB/s  6 s left`.
  package var details: String {
    var parts: [String] = []
    if let share { parts.append("\(Int(share * 100)) %") }
    parts.append(total.map { amount(done, isNamed: unit == .bytes) + " of " + amount($0) } ?? amount(done))
    if let perSecond, perSecond > 0, perSecond.isFinite {
      parts.append(amount(perSecond) + "/s")
      if let total, done.isFinite { parts.append(ProgressBar.time((total - done) / perSecond) + " left") }
    }
    return parts.joined(separator: "  ")
  }

  package func render(in area: Rect, into buffer: inout Buffer) {
    guard !area.isEmpty else { return }
    let named = buffer.write(
      label, at: area.origin, style: theme[.title], limit: area.width, overflow: .ellipsis)
    let text = details
    let width = SafeText.width(of: text, repertoire: buffer.repertoire)
    let rest = area.width - named - (named > 0 ? 1 : 0)
    let barWidth = rest - width - 1
    let barX = area.maxX - rest
    if barWidth >= 4 {
      bar(width: barWidth, at: Position(x: barX, y: area.y), into: &buffer)
      buffer.write(text, endingAt: area.maxX, y: area.y, style: theme[.value])
    } else {
      buffer.write(
        text, at: Position(x: barX, y: area.y), style: theme[.value], limit: max(0, rest),
        overflow: .ellipsis)
    }
  }

  private func bar(width: Int, at position: Position, into buffer: inout Buffer) {
    buffer.write(theme.bar(share ?? 0, width: width, .accent), at: position)
  }
}

extension Theme {
  /// A bar in a track of the given width in columns.
  ///
  /// - Parameter share: The filled share, from 0 to 1.
  package func bar(_ share: Double, width: Int, _ role: Role) -> Line {
    let width = max(0, width)
    let full = share.isFinite ? Int((max(0, min(1, share)) * Double(width)).rounded(.down)) : 0
    return [
      Span(String(repeating: signs.barFull, count: full), self[role]),
      Span(String(repeating: signs.barEmpty, count: width - full), self[.border]),
    ]
  }
}
