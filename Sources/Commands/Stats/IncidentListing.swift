import Aggregation
import Codecs
import Dashboard
import Foundation
import History
import JSONLines
import Platform
import TerminalUI

/// The incidents of a file, as `stats --incidents` prints them.
struct IncidentListing {
  /// What there was to choose from in all files.
  struct Choice {
    private(set) var met = EmptySelection(of: "metric", seesFields: false)
    /// Whether a metric or a field was chosen, with incidents or without.
    private(set) var isChosen = false

    fileprivate mutating func note(
      _ catalogue: MetricCatalogue, _ series: some Sequence<SeriesIdentity>, _ selection: SampleSelection
    ) {
      guard selection.limitsMetrics else { return }
      var next = 0
      met.note(catalogue, from: &next)
      isChosen =
        isChosen
        || (0..<catalogue.count).contains { selection.admits(catalogue[MetricID(rawValue: Int32($0))]) }
        || series.contains { selection.admits($0) }
    }
  }

  let entries: [IncidentLog.Entry]
  /// What came of the lines.
  let outcome: ReadingOutcome

  /// Reads a whole file: what is usual is learned from all of it.
  ///
  /// - Parameters:
  ///   - path: `-` for standard input.
  ///   - selection: the metrics, and when incidents begin.
  ///   - mapping: how lines that are not those of MisterMetrics are read.
  ///   - choice: gets what there was to choose from.
  ///   - clock: What samples can be ahead of.
  ///   - input: what `-` is.
  /// - Throws: the system's reason.
  init(
    of path: String, _ selection: SampleSelection, mapping: LineMapping? = nil, noting choice: inout Choice,
    clock: () -> Timestamp, input: Int32 = STDIN_FILENO
  ) throws {
    let descriptor = path == "-" ? input : try Self.open(path)
    defer { if path != "-" { Posix.close(descriptor) } }
    var stream = SampleStream(descriptor: descriptor, mapping: mapping)
    var log = IncidentLog(\.incidentSubjects)
    var fold = IncidentFold()
    try stream.forEachBatch {
      // Whoever writes to a pipe may do so for hours.
      log.latest = (clock() + Session.tolerance).seconds
      fold.fold($0, $1, into: &log)
    }
    outcome = stream.outcome
    choice.note(stream.catalogue, log.series, selection)
    entries = log.entries.filter { entry in
      selection.window.contains(Timestamp(entry.incident.start)) && selection.admits(entry.series)
    }
  }

  private static func open(_ path: String) throws -> Int32 {
    // Refuses folders, devices and pipes, as for the other figures.
    try ReadableFile.seekable(path: path).close()
    return try Posix.open(path)
  }

  /// One line for what began together; times are in the zone of the person.
  ///
  /// - Parameter now: the day whose times need no date.
  func text(zone: ClockZone, now: Timestamp) -> String {
    let formatter = IncidentFormatter(zone: zone, now: now)
    return IncidentGroup.groups(of: entries).map { SafeText.sanitized(formatter.line($0)) + "\n" }.joined()
  }

  /// An array of objects, one to a line; times are seconds since 2001, as in the file.
  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let lines = try entries.map { entry in
      "  " + StatsFormat.harmless(String(decoding: try encoder.encode(Record(entry)), as: UTF8.self))
    }
    return lines.isEmpty ? "[]\n" : "[\n" + lines.joined(separator: ",\n") + "\n]\n"
  }

  /// An incident as it is written.
  private struct Record: Encodable {
    let bucket: String?
    let name: String
    let field: String?
    let kind: String
    let start: Double
    let end: Double?
    let stays: Bool
    let peak: Double
    let peakTime: Double
    let usual: Double
    let outcome: String?
    let usualOutcome: String?

    init(_ entry: IncidentLog.Entry) {
      let (series, incident) = (entry.series, entry.incident)
      (bucket, name, field) = (series.bucket, series.name, series.field)
      kind = "\(incident.kind)"
      (start, end) = (incident.start, incident.end.time)
      if case .adopted = incident.end { stays = true } else { stays = false }
      (peak, peakTime, usual) = (incident.peak, incident.peakTime, incident.usual)
      let isOutcome = incident.kind == .outcome
      (outcome, usualOutcome) = (isOutcome ? incident.outcome : nil, isOutcome ? incident.usualOutcome : nil)
    }
  }
}
