import Aggregation
import History
import Platform
import TerminalUI

/// The root's questions to any screen; see ``Screen``.
protocol ScreenFacts {
  var page: Int { get }
  var paneCount: Int { get }
  var query: HistoryQuery? { get }
  var isAgedBySamples: Bool { get }
  var deadline: Timestamp? { get }
  var subjects: [SeriesIdentity] { get }
  var filter: RowFilter? { get }
  var hasRows: Bool { get }
  var sortNames: [String] { get }
  var description: String { get }
  var copiedLines: [String]? { get }
  var command: [String] { get }
  var footerHints: [Footer.Hint] { get }
  var mark: (time: Timestamp, text: String) { get }
  var rawLine: RawLine? { get }
  var unknownMetric: String? { get }
  var unknownField: String? { get }
  var legend: [(sign: String, meaning: String)] { get }
  func letterChoices(_ use: LetterUse) -> [LetterChoice]
  /// The titles of what can be chosen of a picker.
  func choices(_ picker: Picker, query: String) -> [String]
  func draw(into frame: inout Frame)
}

extension ScreenModel: ScreenFacts {
  var page: Int { Owner.page(self) }
  var paneCount: Int { Owner.paneCount(self) }
  var query: HistoryQuery? { Owner.query(self) }
  var isAgedBySamples: Bool { Owner.isAgedBySamples(self) }
  var deadline: Timestamp? { Owner.deadline(self) }
  var subjects: [SeriesIdentity] { Owner.subjects(self) }
  var filter: RowFilter? { Owner.filter(self) }
  var hasRows: Bool { Owner.hasRows(self) }
  var sortNames: [String] { Owner.sortNames(self) }
  var description: String { SpokenText.words(of: Owner.description(self)) }
  var copiedLines: [String]? { Owner.copiedLines(self) }
  var footerHints: [Footer.Hint] { Owner.view(of: self).footerHints }
  var command: [String] { Owner.command(self) }
  var mark: (time: Timestamp, text: String) { Owner.mark(self) }
  var rawLine: RawLine? { Owner.rawLine(self) }
  var unknownMetric: String? { Owner.unknownMetric(self) }
  var unknownField: String? { Owner.unknownField(self) }
  var legend: [(sign: String, meaning: String)] { Owner.legend(session.theme.signs) }
  func letterChoices(_ use: LetterUse) -> [LetterChoice] { Owner.letterChoices(self, use) }
  func choices(_ picker: Picker, query: String) -> [String] {
    Owner.choices(self, picker, query: query).map(\.title)
  }
  func draw(into frame: inout Frame) { Owner.view(of: self).draw(into: &frame) }
}
