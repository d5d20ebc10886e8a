import Codecs
import Essentials
import MisterMetricsCore
import Platform
import TelemetryCore

/// The contents of one file: its payloads, ready to be recorded, and its problems.
struct PayloadFileContents: Sendable {
  struct Item: Sendable {
    let source: RecordedSource
    let entries: [MetricEntry]
    let facts: PayloadFacts
  }

  /// Maximum errors listed per file; the rest are only counted.
  private static let errorLimit = 5

  let path: String
  private let userKey: String?
  private(set) var size = 0
  private(set) var items: [Item] = []
  /// Payloads that occur more than once in the file.
  private(set) var duplicates = 0
  /// The number of notes on unusual content.
  private(set) var notes = 0
  /// Values that were left out, for example because of an impossible unit.
  private(set) var leftOut: [String] = []
  /// Parts that could not be read, with their location.
  private(set) var errors: [String] = []

  /// Reads a file and converts its payloads to entries.
  ///
  /// - Parameters:
  ///   - path: The file; `-` for standard input.
  ///   - input: The descriptor that `-` stands for.
  ///   - timeZone: The zone of times that are written without one.
  ///   - now: The time of payloads that have none and do not come from a file.
  ///   - userKey: See ``PayloadReader/init(userKey:)``.
  init(path: String, input: Int32, timeZone: ZoneOffsets, userKey: String? = nil, now: Date) {
    self.path = path
    self.userKey = userKey
    let found: PayloadBytes
    do throws(PayloadBytes.Problem) {
      found = try PayloadBytes(path: path, input: input)
    } catch {
      errors = [error.description]
      return
    }
    size = found.bytes.count
    if found.problem == nil || !found.bytes.isEmpty { read(found.bytes, in: timeZone, now) }
    if let problem = found.problem { errors.append("\(problem)") }
  }

  private mutating func read(_ bytes: [UInt8], in timeZone: ZoneOffsets, _ now: Date) {
    guard !MetricLines.begin(bytes) else {
      errors = ["is a metrics file already and needs no import"]
      return
    }
    var reader = PayloadReader(userKey: userKey)
    let reading = reader.read(bytes)
    duplicates = reading.duplicates.count
    notes = reading.notes.count
    leftOut = reading.leftOut.map { "\($0.place): \($0.text)" }
    let name = path == "-" ? "" : PathParts.end(of: path)
    var refused: [String] = []
    items = reading.items.compactMap { item in
      let time = item.payload.recordingTime(by: timeZone)
      let source = RecordedSource(name: name, contentHash: item.contentHash)
      let entries = item.payload.entries(
        at: time ?? fileTime ?? now, source: source, isLocalized: item.isLocalized, origin: item.origin)
      // Its document and the payload as it was read surround its figures and diagnostics.
      guard entries.count > 1, entries[1].metric.name != PayloadMetrics.original else {
        refused.append("\(item.place): \(item.origin.keys)")
        return nil
      }
      return Item(source: source, entries: entries, facts: PayloadFacts(item.payload, time: time))
    }
    refused += reading.errors.map { "\($0.place): \($0.text)" }
    errors = Array(refused.prefix(Self.errorLimit))
    let hidden = refused.count - errors.count
    if hidden > 0 { errors.append("and \(hidden) more errors") }
  }

  /// The modification time of the file.
  private var fileTime: Date? {
    path == "-" ? nil : (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
  }
}

extension ZoneOffsets: ClockOffsets {}
