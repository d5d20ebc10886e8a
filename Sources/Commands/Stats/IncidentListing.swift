import Aggregation
import Codecs
import DashboardCore
import Essentials
import History
import JSONLines
import Platform
import TerminalUI

/// The incidents in files, as printed by `stats --incidents`.
struct IncidentListing {
  /// The incidents in all files, sorted by start.
  private(set) var entries: [IncidentLog.Entry] = []
  /// The candidates of the selection.
  private(set) var met = EmptySelection(of: "metric", seesFields: false)
  /// True if any metric or field was selected, with or without incidents.
  private(set) var isChosen = false

  private let selection: SampleSelection
  private let sensitivity: DetectionBudget.Sensitivity
  private let mapping: LineMapping?
  private let clock: () -> Timestamp
  private let input: Int32

  /// - Parameters:
  ///   - selection: The metrics, and the time range in which incidents begin.
  ///   - sensitivity: The number of false lines allowed.
  ///   - mapping: The mapping for lines in foreign formats; `nil` to recognize the format.
  ///   - clock: Samples may be ahead of this clock.
  ///   - input: The descriptor that `-` stands for.
  init(
    _ selection: SampleSelection, sensitivity: DetectionBudget.Sensitivity = .normal,
    mapping: LineMapping? = nil, clock: @escaping () -> Timestamp,
    input: Int32 = STDIN_FILENO
  ) {
    (self.selection, self.sensitivity, self.mapping) = (selection, sensitivity, mapping)
    (self.clock, self.input) = (clock, input)
  }

  /// Reads whole files, each after its rotated files, like the screens do: baselines are learned from all of them.
  ///
  /// - Parameters:
  ///   - paths: The files; `-` for standard input.
  ///   - note: Called with the result for each file, or the reason why it cannot be read.
  mutating func read(_ paths: [String], note: (String, Result<ReadingOutcome, any Error>) -> Void) {
    // Folders, pipes and missing files take the other path, on which they are rejected.
    let parts = Dictionary(grouping: paths) { $0 != "-" && Posix.status(at: $0)?.kind == .regular }
    let files = HistoryNames.courses(of: HistoryNames().files(of: parts[true] ?? []), name: \.name)
      .sorted { $0.key < $1.key }
    for course in (parts[false] ?? []).map({ [$0] }) + files.map({ $0.value.map(\.path) }) {
      var log = IncidentLog(sensitivity: sensitivity, \.incidentSubjects)
      // All are opened first: one may be rotated while another is read.
      for (path, file) in course.map({ path in (path, Result { try open(path) }) }) {
        note(path, Result { try read(try file.get(), into: &log) })
      }
      isChosen = isChosen || selection.limitsMetrics && log.series.contains { selection.admits($0) }
      entries += log.entries.filter { entry in
        selection.window.contains(Timestamp(entry.incident.start)) && selection.admits(entry.series)
      }
    }
    entries.sort { $0.precedes($1) }
  }

  private mutating func read(_ descriptor: Int32, into log: inout IncidentLog) throws -> ReadingOutcome {
    defer { if descriptor != input { Posix.close(descriptor) } }
    var stream = SampleStream(descriptor: descriptor, mapping: mapping)
    var fold = IncidentFold()
    defer { note(stream.catalogue) }
    try stream.forEachBatch {
      // A pipe may stay open for hours, so the clock is read for each batch.
      log.latest = (clock() + Session.tolerance).seconds
      fold.fold($0, $1, into: &log)
    }
    return stream.outcome
  }

  private mutating func note(_ catalogue: MetricCatalogue) {
    guard selection.limitsMetrics else { return }
    var next = 0
    met.note(catalogue, from: &next)
    isChosen =
      isChosen
      || (0..<catalogue.count).contains { selection.admits(catalogue[MetricID(rawValue: Int32($0))]) }
  }

  private func open(_ path: String) throws -> Int32 {
    if path == "-" { return input }
    // Rejects folders, devices and pipes, like the other reports.
    try ReadableFile.seekable(path: path).close()
    return try Posix.open(path)
  }

  /// One line per group of simultaneous incidents, and per release; times are in the user's zone.
  ///
  /// - Parameter now: The current time; times of the same day are printed without a date.
  func text(zone: ClockZone, now: Timestamp) -> String {
    let formatter = IncidentFormatter(zone: zone, now: now)
    let found = FoundIncidents(entries, isWhole: true)
    let lines =
      found.groups.map { ($0.start, formatter.line($0)) }
      + found.annotations.map { ($0.time.seconds, formatter.line($0)) }
    return lines.sorted { $0.0 < $1.0 }.map { SafeText.sanitized($0.1) + "\n" }.joined()
  }

  /// A JSON array of objects, one per line; times are seconds since 2001, as in the file.
  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let lines = try entries.map { entry in
      "  " + StatsFormat.harmless(String(decoding: try encoder.encode(Record(entry)), as: UTF8.self))
    }
    return lines.isEmpty ? "[]\n" : "[\n" + lines.joined(separator: ",\n") + "\n]\n"
  }

  /// The JSON form of an incident.
  private struct Record: Encodable {
    let bucket: String?
    let name: String
    let field: String?
    let kind: String
    let start: Double
    let found: Double
    let end: Double?
    let stays: Bool
    let peak: Double
    let peakTime: Double
    let usual: Double
    let median: Double
    let outcome: String?
    let usualOutcome: String?

    init(_ entry: IncidentLog.Entry) {
      let (series, incident) = (entry.series, entry.incident)
      (bucket, name, field) = (series.bucket, series.name, series.field)
      kind = incident.isRelease ? "release" : "\(incident.kind)"
      (start, found, end) = (incident.start, incident.found, incident.end.time)
      if case .adopted = incident.end { stays = true } else { stays = false }
      (peak, peakTime) = (incident.peak, incident.peakTime)
      (usual, median) = (incident.usual, incident.median)
      let isOutcome = incident.kind == .outcome
      (outcome, usualOutcome) = (isOutcome ? incident.outcome : nil, isOutcome ? incident.usualOutcome : nil)
    }
  }
}
