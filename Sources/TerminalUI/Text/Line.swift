/// Text in one style.
package struct Span: Hashable, Sendable {
  package var text: String
  package var style: Style
  /// The key that a click on it stands for, or a hint that starts with one: `+ - zoom`.
  package var hint: String?

  package init(_ text: String, _ style: Style = .plain, hint: String? = nil) {
    self.text = text
    self.style = style
    self.hint = hint
  }
}

/// Adjacent spans in one row.
package struct Line: Hashable, Sendable, ExpressibleByStringInterpolation,
  ExpressibleByArrayLiteral
{
  package var spans: [Span]

  package init(_ spans: [Span] = []) { self.spans = spans }
  package init(_ text: String, _ style: Style = .plain) { spans = [Span(text, style)] }
  package init(stringLiteral text: String) { self.init(text) }
  package init(arrayLiteral spans: Span...) { self.spans = spans }

  /// A key hint; a click on it presses the key.
  package init(hint: String, _ style: Style) { spans = [Span(hint, style, hint: hint)] }

  /// The same line, with clicks standing for a key unless they already stand for another one.
  package func hinting(_ key: String) -> Line {
    Line(spans.map { Span($0.text, $0.style, hint: $0.hint ?? key) })
  }

  package var isEmpty: Bool { spans.allSatisfy { $0.text.isEmpty } }
  package var text: String { spans.map(\.text).joined() }

  /// Width in columns when drawn.
  package func width(_ repertoire: Repertoire = .unicode) -> Int {
    spans.reduce(0) { $0 + SafeText.width(of: $1.text, repertoire: repertoire) }
  }

  /// Appends text.
  package mutating func append(_ text: String, _ style: Style = .plain) {
    spans.append(Span(text, style))
  }
}

extension Buffer {
  /// Writes a line of several styles; returns the columns used.
  ///
  /// - Parameter base: The style below spans that do not define their own.
  @discardableResult
  package mutating func write(
    _ line: Line, at position: Position, base: Style = .plain, limit: Int = .max,
    overflow: Overflow = .clip
  ) -> Int {
    let room = min(limit, size.width - min(position.x, size.width))
    let isCut = overflow == .ellipsis && line.width(repertoire) > room
    var used = 0
    for span in line.spans where used < room {
      let width = SafeText.width(of: span.text, repertoire: repertoire)
      let isLast = isCut && used + width >= room
      // A span that ends exactly at the edge must still be cut if more follows, so make it longer.
      let text = isLast && used + width == room ? span.text + " " : span.text
      let start = Position(x: position.x + used, y: position.y)
      let drawn = write(
        text, at: start, style: span.style.over(base), limit: room - used,
        overflow: isLast ? .ellipsis : .clip)
      if let hint = span.hint { note(hint, at: start, width: drawn) }
      used += drawn
      if isLast { break }
    }
    return used
  }

  /// Writes a line so that it ends before column `right`; returns the columns used.
  @discardableResult
  package mutating func write(
    _ line: Line, endingAt right: Int, y: Int, base: Style = .plain, limit: Int = .max
  ) -> Int {
    let width = min(line.width(repertoire), limit)
    return write(
      line, at: Position(x: right - width, y: y), base: base, limit: width, overflow: .ellipsis)
  }
}
