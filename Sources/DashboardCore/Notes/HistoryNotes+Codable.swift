import Aggregation
import Essentials
import History
import Platform

/// The file format of notes: its names are stable, so that other versions of the program can read it.
private struct NotesRecord: Codable {
  struct Mark: Codable {
    var letter: String
    var time: Double
    var text: String?
  }

  package struct Series: Codable {
    var bucket: String?
    var name: String
    var type: String
    var field: String?
  }

  struct SavedView: Codable {
    var name: String
    var series: Series?
    var value: String?
    var from: Double?
    var to: Double?
    /// `time`, `largest` or `smallest`.
    var order: String?
    var filter: String?
  }

  struct Acknowledgement: Codable {
    var metric: String
    var start: Double
  }

  struct IgnoredChange: Codable {
    var metric: String?
    var kind: String?
  }

  struct LastView: Codable {
    var screen: String?
    var window: Double?
    var theme: String?
    var sensitivity: String?
    var limits: [String: String]?
    var acknowledged: [Acknowledgement]?
    var ignored: [IgnoredChange]?
    var screens: [String: [String: String]]?
  }

  var version: Int
  var marks: [Mark]?
  /// The saved views.
  var looks: [SavedView]?
  var last: LastView?
}

extension HistoryNotes {
  /// Maximum size of a notes file in bytes.
  package static let sizeLimit = 1 << 20

  /// The encoded notes.
  package var encoded: [UInt8] {
    let record = NotesRecord(
      version: 1,
      marks: marks.sorted { $0.key < $1.key }.map { letter, mark in
        NotesRecord.Mark(letter: String(letter), time: mark.time.seconds, text: mark.text)
      },
      looks: views.map(NotesRecord.SavedView.init),
      last: last.isEmpty ? nil : NotesRecord.LastView(last))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(record)).map(Array.init) ?? []
  }

  /// Decodes notes; `nil` for invalid bytes.
  ///
  /// The bytes are untrusted: values out of range are dropped or truncated.
  package static func decoded(_ bytes: [UInt8]) -> HistoryNotes? {
    guard bytes.count <= sizeLimit,
      let record = try? JSONDecoder().decode(NotesRecord.self, from: Data(bytes)), record.version == 1
    else { return nil }
    var notes = HistoryNotes()
    for mark in record.marks ?? [] {
      guard let letter = mark.letter.first, mark.letter.count == 1 else { continue }
      notes.set(Mark(time: Timestamp(mark.time), text: mark.text ?? ""), letter: letter)
    }
    for view in (record.looks ?? []).prefix(viewLimit) {
      if let view = SavedView(view) { notes.keep(view) }
    }
    if let last = record.last { notes.keep(LastView(last)) }
    return notes
  }
}

extension NotesRecord.LastView {
  fileprivate init(_ view: LastView) {
    (screen, window, theme, sensitivity) = (view.screen, view.window, view.theme, view.sensitivity)
    limits = view.limits.isEmpty ? nil : view.limits
    ignored =
      view.ignored.isEmpty
      ? nil : view.ignored.map { NotesRecord.IgnoredChange(metric: $0.metric, kind: $0.kind) }
    acknowledged =
      view.acknowledged.isEmpty
      ? nil : view.acknowledged.map { NotesRecord.Acknowledgement(metric: $0.metric, start: $0.start) }
    screens = view.screens.isEmpty ? nil : view.screens
  }
}

extension LastView {
  fileprivate init(_ record: NotesRecord.LastView) {
    self.init()
    (screen, window, theme, sensitivity) = (record.screen, record.window, record.theme, record.sensitivity)
    (limits, screens) = (record.limits ?? [:], record.screens ?? [:])
    ignored = (record.ignored ?? []).map { IgnoredChange(metric: $0.metric, kind: $0.kind) }
    acknowledged = (record.acknowledged ?? []).map { Acknowledgement(metric: $0.metric, start: $0.start) }
  }
}

extension NotesRecord.SavedView {
  fileprivate init(_ view: HistoryNotes.SavedView) {
    name = view.name
    series = view.focus.map {
      NotesRecord.Series(bucket: $0.bucket, name: $0.name, type: $0.typeName, field: $0.field)
    }
    value = view.narrowed
    from = view.window?.lowerBound.seconds
    to = view.window?.upperBound.seconds
    filter = view.filter
    switch view.order {
    case .time: order = "time"
    case .value(descending: true): order = "largest"
    case .value(descending: false): order = "smallest"
    }
  }
}

extension HistoryNotes.SavedView {
  /// The range of valid times.
  private static let times = Timestamp(-1e12)...Timestamp(1e12)

  fileprivate init?(_ record: NotesRecord.SavedView) {
    guard !record.name.isEmpty else { return nil }
    var window: Range<Timestamp>?
    if let from = record.from.map({ Timestamp($0) }), let to = record.to.map({ Timestamp($0) }) {
      guard from < to, Self.times.contains(from), Self.times.contains(to) else { return nil }
      window = from..<to
    }
    let focus = record.series.map {
      SeriesIdentity(bucket: $0.bucket, name: $0.name, typeName: $0.type, field: $0.field)
    }
    self.init(
      name: record.name, focus: focus, narrowed: record.value, window: window,
      order: record.order == "largest"
        ? .value(descending: true) : record.order == "smallest" ? .value(descending: false) : .time,
      filter: record.filter ?? "")
  }
}
