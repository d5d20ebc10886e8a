import Codecs
package import TerminalUI

extension Chart.Tick {
  /// The ticks of a value axis with their labels.
  ///
  /// If three digits do not distinguish neighbours, the lowest label has its whole value and the others their
  /// difference to it: `1.10T`, `+200`, `+400`.
  ///
  /// - Parameters:
  ///   - width: maximum columns of a label.
  ///   - text: formats a value in a number of columns.
  package static func ticks(_ values: [Double], width: Int, _ text: (Double, Int) -> String) -> [Chart.Tick] {
    let labels = values.map { text($0, width) }
    guard let base = values.min(), Set(labels).count < labels.count else {
      return zip(values, labels).map { Chart.Tick($0, $1) }
    }
    return values.map { Chart.Tick($0, $0 == base ? text($0, width) : "+" + text($0 - base, width - 1)) }
  }
}
