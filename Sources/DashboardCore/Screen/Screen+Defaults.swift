package import Aggregation
package import Codecs
package import History
package import Platform

// Defaults for most screens.
extension Screen {
  package static var actions: [ScreenAction<Self>] { [] }
  package mutating func stepBack() -> Bool { false }
  package var page: Int { 10 }
  package var paneCount: Int { 1 }
  package var railWindow: Range<Timestamp> {
    Session.range(from: session.edge - session.window, length: session.window)
  }
  package var query: HistoryQuery? { nil }
  package static var asksHistory: Bool { false }
  package var isNarrowed: Bool { Self.asksHistory }
  package var isAgedBySamples: Bool { false }
  package var headline: ChangeEvent? { nil }
  package static var scansPast: Bool { false }
  package var deadline: Timestamp? { nil }
  package var subjects: [SeriesIdentity] { [] }
  package var filter: RowFilter? { nil }
  package var hasRows: Bool { true }
  package var orderText: String? { nil }
  package var sortNames: [String] { [] }
  package var description: String {
    copiedLines?.joined(separator: "\n") ?? "The \(Self.title.title) screen"
  }
  package var hasNumbers: Bool { true }
  package var listedMetrics: [SeriesIdentity] { [] }
  package func figures(of identity: SeriesIdentity) -> String? { nil }
  package var copiedLines: [String]? { nil }
  package var screenTable: ScreenTable? { nil }
  package var command: [String] { snapshotWords + (session.isFrozen ? ["--at", "\(session.present)"] : []) }
  package var mark: (time: Timestamp, text: String) { (session.present, "") }
  package var precision: ClockZone.Precision { .seconds }
  package var rawLine: RawLine? { nil }
  package func choices(_ picker: Picker, query: String) -> [PickerChoice<Self>] { [] }
  package func letterChoices(_ use: LetterUse) -> [LetterChoice] { [] }
  package var unknownMetric: String? { nil }
  package var unknownField: String? { nil }
  package var legend: [(sign: String, meaning: String)] { [] }
  package static func accepts(_ request: ScreenRequest) -> Bool { false }
  package mutating func open(_ request: ScreenRequest) -> [Effect] { [] }
  package var kept: [String: String] { [:] }
  package mutating func restore(_ kept: [String: String]) {}
  package mutating func arrange(_ arrangement: Arrangement) {
    if let moment = arrangement.moment { session.freeze(at: moment) }
  }
}

/// The pane `direction` places further in a ring of panes.
package func paneAfter<Pane: Equatable>(_ pane: Pane, _ direction: Int, in panes: [Pane]) -> Pane {
  guard !panes.isEmpty else { return pane }
  let index = panes.firstIndex(of: pane) ?? 0
  return panes[(index + direction + panes.count) % panes.count]
}
