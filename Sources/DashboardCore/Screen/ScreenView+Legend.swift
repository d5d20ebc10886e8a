package import Aggregation
import Codecs
package import Platform
import QueryLanguage
package import TerminalUI

extension ScreenView {
  /// The tick for a limit on a chart of a series; `nil` if it is outside the axis.
  package func tick(of limit: MetricLimit?, _ identity: SeriesIdentity, on axis: ValueAxis) -> Chart.Tick? {
    guard let limit, axis.shows(limit.bound) else { return nil }
    let text = "limit \(limit.figure.rawValue) \(session.unit(of: identity).text(limit.bound))"
    return Chart.Tick(axis.place(limit.bound), text)
  }

  // MARK: Keys

  /// A hint with this screen's keys.
  package func hint(_ usual: String) -> Line { Line(hint: session.keyHint(usual), theme[.dim]) }

  /// The same as parts of a frame; empty if the keys were taken away.
  package func hints(_ usual: String) -> [Line] { [hint(usual)].filter { !$0.isEmpty } }

  /// The key of the filter, with its current text.
  package func filterHint(_ filter: String) -> [Line] {
    filter.isEmpty
      ? hints("/ filter")
      : [Line("\(session.keyText("/")) \(filter)", theme[.accent]).hinting(session.keyText("/"))]
  }

  package var zoomHint: Line { Line(hint: "\(session.keyText("+ -")) zoom", theme[.dim]) }

  // MARK: A selected range

  /// Marks a time range behind the curve.
  package func draw(
    selection range: Range<Timestamp>, of chart: Chart, in area: Rect, into buffer: inout Buffer
  ) {
    let plot = chart.plot(in: area)
    let look = theme[.selection]
    for x in plot.x..<plot.maxX {
      guard let time = chart.time(atColumn: x, in: area), time >= range.lowerBound.seconds,
        time <= range.upperBound.seconds
      else { continue }
      buffer.restyle(Rect(x: x, y: plot.y, width: 1, height: plot.height)) { look.over($0) }
    }
  }
}
