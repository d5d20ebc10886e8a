import Aggregation
import Platform
import TerminalUI

extension Picker {
  /// Changes to ignore, and those that are ignored.
  static let ignored = Picker(name: "ignored", title: "Ignore in this file")
}

extension Model {
  /// Choices: the metric and the kind of change of the first line, and the metric in focus; then what is already
  /// ignored.
  var ignorable: [(title: String, change: IgnoredChange)] {
    let ignored = session.notes.last.ignored
    var offered: [IgnoredChange] = []
    if let event = namedProblem, case .incident = event.kind,
      let group = session.incidents.groups.last(where: { $0.start == event.time.seconds }),
      let entry = group.ranked.first(where: { $0.series == event.series })
    {
      let (metric, kind) = (entry.series.fullName, entry.incident.kind.name)
      offered = [IgnoredChange(metric: metric), IgnoredChange(metric: metric, kind: kind)]
      offered.append(IgnoredChange(metric: nil, kind: kind))
    }
    if let focus = front.subjects.first.map({ IgnoredChange(metric: $0.fullName) }), !offered.contains(focus)
    {
      offered.append(focus)
    }
    return offered.filter { !ignored.contains($0) }.map { ("Ignore \($0.text)", $0) }
      + ignored.map { ("Ignored: \($0.text) (Enter shows it again)", $0) }
  }
}
