import Aggregation
import Codecs
import QueryLanguage
import TerminalUI

extension ScreenView {
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
