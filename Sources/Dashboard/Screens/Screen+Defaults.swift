package import Aggregation
package import Codecs
package import History
package import Platform
package import TerminalUI

// Default answers for most screens.
extension Screen {
  package static var actions: [ScreenAction<Self>] { [] }
  package static func stepBack(_ model: inout Context) -> Bool { false }
  package static func paneCount(_ model: Context) -> Int { 1 }
  package static func window(_ model: Context) -> Range<Timestamp> {
    Session.range(from: model.session.edge - model.session.window, length: model.session.window)
  }
  package static func query(_ model: Context) -> HistoryQuery? { nil }
  package static var asksHistory: Bool { false }
  package static func isAgedBySamples(_ model: Context) -> Bool { false }
  package static var scansPast: Bool { false }
  package static func deadline(_ model: Context) -> Timestamp? { nil }
  package static func subjects(_ model: Context) -> [SeriesIdentity] { [] }
  package static func filter(_ model: Context) -> RowFilter? { nil }
  package static func hasRows(_ model: Context) -> Bool { true }
  package static func orderText(_ model: Context) -> String? { nil }
  package static func sortNames(_ model: Context) -> [String] { [] }
  package static func description(_ model: Context) -> String {
    copiedLines(model)?.joined(separator: "\n") ?? "The \(title.title) screen"
  }
  package static func copiedLines(_ model: Context) -> [String]? { nil }
  package static func command(_ model: Context) -> [String] {
    model.snapshotWords + (model.session.isFrozen ? ["--at", "\(model.session.present)"] : [])
  }
  package static func mark(_ model: Context) -> (time: Timestamp, text: String) {
    (model.session.present, "")
  }
  package static func precision(_ model: Context) -> ClockZone.Precision { .seconds }
  package static func rawLine(_ model: Context) -> RawLine? { nil }
  package static func choices(_ model: Context, _ picker: Picker, query: String) -> [PickerChoice<Self>] {
    []
  }
  package static func letterChoices(_ model: Context, _ use: LetterUse) -> [LetterChoice] { [] }
  package static func unknownMetric(_ model: Context) -> String? { nil }
  package static func unknownField(_ model: Context) -> String? { nil }
  package static func legend(_ signs: Signs) -> [(sign: String, meaning: String)] { [] }
  package static func accepts(_ request: ScreenRequest) -> Bool { false }
  package static func open(_ model: inout Context, _ request: ScreenRequest) -> [Effect] { [] }
  package static func kept(_ model: Context) -> [String: String] { [:] }
  package static func restore(_ model: inout Context, _ kept: [String: String]) {}
  package static func arrange(_ model: inout Context, _ arrangement: Arrangement) {
    if let moment = arrangement.moment { model.session.freeze(at: moment) }
  }
}

extension ScreenModel {
  /// The words of the command that draws the screen at its size.
  var snapshotWords: [String] {
    ["snapshot", "--screen", Owner.title.name, "--size", "\(session.size.width)x\(session.size.height)"]
  }

  /// Does what a choice of a picker stands for.
  mutating func pick(_ picker: Picker, query: String, place: Int) -> [Effect] {
    let all = Owner.choices(self, picker, query: query)
    return all.indices.contains(place) ? all[place].run(&self) : []
  }
}

/// The pane a number of places further in a ring of panes.
func paneAfter<Pane: Equatable>(_ pane: Pane, _ direction: Int, in panes: [Pane]) -> Pane {
  guard !panes.isEmpty else { return pane }
  let index = panes.firstIndex(of: pane) ?? 0
  return panes[(index + direction + panes.count) % panes.count]
}
