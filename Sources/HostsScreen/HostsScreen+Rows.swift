import Aggregation
import Codecs
import DashboardCore
import History
import Platform
import QueryLanguage
import TerminalUI

// The metric, and the rows of the hosts.
extension HostsScreen {
  /// The newest comparison, if it is about the metric in focus.
  var hosts: HostsAnswer? { state.known.flatMap { $0.focus == state.focus ? $0.hosts : nil } }

  mutating func adoptAnswer() {
    guard let answer = session.history.answer, let hosts = answer.hosts else { return }
    state.known = (answer.query.focus, hosts)
  }

  var unit: ValueUnit { state.focus.map { session.unit(of: $0) } ?? .plain }

  mutating func refresh() {
    if state.focus == nil || state.wantedFocus != nil { chooseFocus() }
    refreshWindow()
    refreshRows()
  }

  // MARK: The metric

  mutating func appear(about subjects: [SeriesIdentity]) { focus(on: subjects) }

  /// Compares by the first of some metrics that is numeric.
  mutating func focus(on subjects: [SeriesIdentity]) {
    if let subject = subjects.first(where: session.isNumeric) { state.focus = subject }
  }

  private mutating func chooseFocus() {
    guard let answer = session.history.answer else { return }
    let all = answer.series.map(\.identity).sorted { $0.isListed(before: $1) }
    guard let wanted = state.wantedFocus else {
      return focus(on: all.filter { !$0.isEngineRecord && !$0.isPayloadText })
    }
    state.wantedFocus = nil
    let fitting = all.named(wanted) { $0 }
    focus(on: fitting)
    guard fitting.isEmpty else { return }
    state.unknownFocus = wanted
    session.showToast("No metric is called \(wanted)\(session.amongKept)")
  }

  // MARK: Rows

  private mutating func refreshRows() {
    let all = hosts?.rows ?? []
    // An older comparison does not tell who goes on.
    let isCurrent = session.history.answer?.hosts != nil && !session.isFrozen
    state.silence = isCurrent ? HostSilence(of: all, now: session.clock) : HostSilence()
    let matches = state.rowFilter.query
    let listed = all.enumerated().lazy.filter { matches.matches(name: $1.name) }
      .map { ListedHost(row: $1, place: $0) }
    // A host that has just become silent goes to the others before the next answer moves it.
    let silence = state.silence
    state.rows =
      listed.filter { silence.age(of: $0.row) == nil } + listed.filter { silence.age(of: $0.row) != nil }
    if state.selectedIndex == nil, let first = state.rows.first { state.selection = first.row.name }
    state.offset = Table.offset(
      showing: state.selectedIndex, of: state.rows.count, height: layout.tableRows, from: state.offset)
  }

  // MARK: Words

  var sentence: HostSentence {
    HostSentence(
      hosts: hosts ?? HostsAnswer(), silence: state.silence, metric: state.focus?.fullName, unit: unit)
  }

  package var copiedLines: [String]? {
    guard let index = state.selectedIndex else { return nil }
    return [
      SafeText.row(["host", "share above p95", "n", "p50", "p95", "last"]), text(of: state.rows[index]),
    ]
  }

  private func text(of host: ListedHost) -> String {
    let row = host.row
    func figure(_ value: Double?) -> String { value.map(unit.text) ?? "" }
    return SafeText.row([
      row.name, row.share.map(NumberFormat.share) ?? "", "\(row.count)", figure(row.p50), figure(row.p95),
      row.lastTime.map { "\($0)" } ?? "",
    ])
  }

  package var description: String {
    let words = sentence.wordings.first?.text ?? ""
    guard let index = state.selectedIndex else { return words + "." }
    let cells = text(of: state.rows[index]).split(separator: "\t").joined(separator: ", ")
    return "\(words). Selected: \(cells)."
  }

  package var legend: [(sign: String, meaning: String)] {
    let signs = session.theme.signs
    let meanings = [
      "p95 below half of the way from the fleet's median to its p95", "near the fleet's p95", "above it",
      "far above it", "very far above it",
    ]
    return Array(zip(signs.densities, meanings)) + [(signs.silent, "no sample for 30 seconds")]
  }
}
