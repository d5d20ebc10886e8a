import Codecs
import DashboardCore

// The description of the Histogram screen.
extension HistogramScreen {
  /// True once there are figures to show.
  package var hasNumbers: Bool { state.content.figures != nil }

  /// The compared sides, and the result of the comparison.
  package var description: String {
    guard let figures = state.content.figures else { return "There are no numbers yet." }
    let name = state.subject?.name ?? ""
    let a = "\(figures.a.name), \(NumberFormat.grouped(figures.a.count)) samples"
    guard let b = figures.b else { return "\(name): \(a). Nothing is compared with it." }
    let sides = "\(name): A is \(a); B is \(b.name), \(NumberFormat.grouped(b.count)) samples"
    let verdict = state.content.verdict.map { ". \($0.sentence)" } ?? ""
    return sides + verdict + "."
  }
}
