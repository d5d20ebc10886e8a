import Aggregation
import Codecs
import QueryLanguage
import TerminalUI

extension ScreenView {
  /// Draws what the curves of a chart are at its top.
  ///
  /// - Returns: How many rows that takes.
  func drawLegend(of curves: CurveSet, in area: Rect, into buffer: inout Buffer) -> Int {
    let room = max(0, area.width - 1)
    let lines = curves.legend(width: room, rows: max(1, area.height / 4), theme: theme)
    for (index, line) in lines.enumerated() {
      buffer.write(
        line, at: Position(x: area.x + 1, y: area.y + index), limit: room, overflow: .ellipsis)
    }
    return lines.count
  }

  /// Where a chart of a series draws a limit; `nil` beyond the axis.
  func tick(of limit: MetricLimit?, _ identity: SeriesIdentity, on axis: ValueAxis) -> Chart.Tick? {
    guard let limit, axis.shows(limit.bound) else { return nil }
    let text = "limit \(limit.figure.rawValue) \(session.unit(of: identity).text(limit.bound))"
    return Chart.Tick(axis.place(limit.bound), text)
  }

  // MARK: Keys

  /// A hint with its keys as they are on this screen.
  func hint(_ usual: String) -> Line { Line(session.keyHint(usual), theme[.dim]) }

  var zoomHint: Line { Line("\(session.keyText("+ -")) zoom", theme[.dim]) }
}
