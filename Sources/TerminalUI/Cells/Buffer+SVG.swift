extension Buffer {
  /// The buffer as an SVG image: one text element per run of a single style, positioned by column.
  ///
  /// - Parameter theme: Provides colors for the terminal's own ones.
  package func svg(theme: Theme = Theme()) -> String {
    let (foreground, background) = (theme.foreground, theme.background)
    let width = Double(size.width) * SVG.cellWidth + 2 * SVG.margin
    let height = Double(size.height) * SVG.cellHeight + 2 * SVG.margin
    let (w, h) = (SVG.number(width), SVG.number(height))
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(w)" height="\(h)" viewBox="0 0 \(w) \(h)">
      <rect width="100%" height="100%" rx="6" fill="\(background.hex)"/>
      <g font-family="'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="13" xml:space="preserve">

      """
    for y in 0..<size.height {
      for run in looks(inRow: y) {
        text += SVG(run: run, buffer: self, foreground: foreground, background: background).elements
      }
    }
    return text + "</g>\n</svg>\n"
  }

  /// The row, split where the style changes.
  private func looks(inRow y: Int) -> [CellRun] {
    var runs: [CellRun] = []
    for x in 0..<size.width {
      let style = self[x, y].style
      if let last = runs.last, self[last.x, y].style == style {
        runs[runs.count - 1].count += 1
      } else {
        runs.append(CellRun(x: x, y: y, count: 1))
      }
    }
    return runs
  }
}

/// One run of cells as SVG.
private struct SVG {
  static let cellWidth = 7.8
  static let cellHeight = 16.0
  static let margin = 10.0

  let run: CellRun
  let buffer: Buffer
  let foreground: Color
  let background: Color

  var elements: String {
    let style = buffer[run.x, run.y].style
    var ink = style.foreground == .standard ? foreground : style.foreground
    var paper = style.background == .standard ? background : style.background
    if style.attributes.contains(.reverse) { swap(&ink, &paper) }
    let left = SVG.margin + Double(run.x) * SVG.cellWidth
    let top = SVG.margin + Double(run.y) * SVG.cellHeight
    let width = Double(run.count) * SVG.cellWidth
    var text = ""
    if paper != background {
      text +=
        "<rect x=\"\(SVG.number(left))\" y=\"\(SVG.number(top))\" width=\"\(SVG.number(width))\""
        + " height=\"\(SVG.number(SVG.cellHeight))\" fill=\"\(paper.hex)\"/>\n"
    }
    var content = ""
    for x in run.x..<run.x + run.count { content += buffer[x, run.y].text }
    guard content.contains(where: { $0 != " " }) else { return text }
    // textLength keeps columns aligned in any font.
    return text
      + "<text x=\"\(SVG.number(left))\" y=\"\(SVG.number(top + 12.5))\" textLength=\"\(SVG.number(width))\""
      + " fill=\"\(ink.hex)\"\(look(style.attributes))>\(SVG.escaped(content))</text>\n"
  }

  private func look(_ attributes: Style.Attributes) -> String {
    (attributes.contains(.bold) ? " font-weight=\"bold\"" : "")
      + (attributes.contains(.italic) ? " font-style=\"italic\"" : "")
      + (attributes.contains(.underline) ? " text-decoration=\"underline\"" : "")
      + (attributes.contains(.dim) ? " opacity=\"0.6\"" : "")
  }

  /// At most one decimal, so that the file is identical on all platforms.
  static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  static func escaped(_ text: String) -> String {
    // Scalars: a special character with a combining mark is a different `Character`, but still special in XML.
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
