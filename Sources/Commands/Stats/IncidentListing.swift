import Aggregation
import Codecs
import Dashboard
import Foundation
import History
import JSONLines
import Platform
import TerminalUI

/// The incidents of files, as `stats --incidents` prints them.
struct IncidentListing {
  let entries: [IncidentLog.Entry]
  /// What is missing at the end of what was unpacked; `nil` for nothing.
  let note: String?

  /// Reads a whole file: what is usual is learned from all of it.
  ///
  /// - Parameters:
  ///   - selection: the metrics, and when incidents begin.
  ///   - mapping: how lines that are not those of MisterMetrics are read.
  /// - Throws: the system's reason.
  init(of path: String, _ selection: SampleSelection, mapping: LineMapping? = nil) throws {
    let (bytes, damage) = try Self.open(path, mapping)
    note = damage.map { PlainStream.Note.damaged($0).text }
    let file = HistoryFile(name: path, path: path, bytes: bytes)
    let reader = IncidentReader(\.incidentSubjects)
    while try reader.advance([file]) {}
    entries = reader.entries.filter { entry in
      selection.window.contains(Timestamp(entry.incident.start)) && selection.admits(entry.series)
    }
  }

  /// A file to be read at any place; a packed one is unpacked into one without a name.
  private static func open(_ path: String, _ mapping: LineMapping?) throws -> (OpenFile, GzipDamage?) {
    guard GzipFile.isPacked(path) else { return (try OpenFile(path: path, mapping: mapping), nil) }
    let unpacked = try Posix.openUnnamed(in: NSTemporaryDirectory())
    defer { Posix.close(unpacked) }
    let file: UnpackedFile
    do { file = try Gunzip().unpack(path, toDescriptor: unpacked) } catch {
      throw FileFailure.other(error == .tooLarge ? EFBIG : EIO)
    }
    return (try OpenFile(path: "/dev/fd/\(unpacked)", mapping: mapping), file.damage)
  }

  /// One line for what began together; times are in the zone of the person.
  func text(zone: ClockZone) -> String {
    // Incidents of several days have dates.
    let newest = Timestamp(entries.last?.incident.start ?? 0)
    let formatter = IncidentFormatter(zone: zone, now: newest)
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
