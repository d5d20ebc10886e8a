import Foundation
import MisterMetrics
import Telemetry

/// What came of one file: its payloads, ready to be recorded, and what is wrong with it.
struct ReadPayloads: Sendable {
  /// One payload.
  struct Item: Sendable {
    let hash: PayloadHash
    let entries: [MetricEntry]
    let facts: PayloadFacts
  }

  /// So many errors of one file are told; of further ones the number.
  private static let errorLimit = 5

  let path: String
  private(set) var size = 0
  private(set) var items: [Item] = []
  /// Payloads that stood in the same file before.
  private(set) var duplicates = 0
  /// How much was odd.
  private(set) var notes = 0
  /// What could not be read, with the place.
  private(set) var errors: [String] = []

  /// Reads a file and makes entries of its payloads.
  ///
  /// - Parameters:
  ///   - path: The file; `-` for standard input.
  ///   - input: What `-` stands for.
  ///   - timeZone: The zone of times that are written without one.
  ///   - now: The time of payloads that tell none and come from no file.
  init(path: String, input: Int32, timeZone: TimeZone, now: Date) {
    self.path = path
    let found: PayloadBytes
    do throws(PayloadBytes.Problem) {
      found = try PayloadBytes(path: path, input: input)
    } catch {
      errors = [error.text]
      return
    }
    size = found.bytes.count
    if found.problem == nil || !found.bytes.isEmpty { read(found.bytes, in: timeZone, now) }
    if let problem = found.problem { errors.append(problem.text) }
  }

  private mutating func read(_ bytes: [UInt8], in timeZone: TimeZone, _ now: Date) {
    guard !MetricLines.begin(bytes) else {
      errors = ["is a metrics file, which needs no import"]
      return
    }
    var reader = PayloadReader()
    let reading = reader.read(bytes)
    duplicates = reading.duplicates.count
    notes = reading.notes.count
    let name = path == "-" ? "" : URL(fileURLWithPath: path).lastPathComponent
    items = reading.items.map { item in
      let time = item.payload.recordingTime(in: timeZone)
      let source = RecordedSource(name: name, contentHash: item.contentHash)
      return Item(
        hash: item.contentHash,
        entries: item.payload.entries(
          at: time ?? fileTime ?? now, source: source, isLocalized: item.isLocalized),
        facts: PayloadFacts(item.payload, time: time))
    }
    errors = reading.errors.prefix(Self.errorLimit).map { "\($0.place): \($0.text)" }
    let hidden = reading.errors.count - errors.count
    if hidden > 0 { errors.append("and \(hidden) more errors") }
  }

  /// When the file was written last.
  private var fileTime: Date? {
    path == "-" ? nil : (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
  }
}

/// What the summary of an import tells of a payload.
struct PayloadFacts: Sendable {
  /// How many diagnostics of each kind; nil for a payload of metrics.
  let diagnostics: [(kind: String, count: Int)]?
  let versions: [String]
  let isSimulated: Bool
  let isMixed: Bool
  let isZoneUnknown: Bool
  /// The moment of its entries, if it tells one.
  let time: Date?
  let day: String?

  init(_ payload: Payload, time: Date?) {
    self.time = time
    let end = payload.timeStampEnd ?? payload.timeStampBegin
    isZoneUnknown = end?.isZoneUnknown ?? false
    day = payload.timeStampBegin?.calendarDay
    isSimulated = payload.isSimulated
    switch payload {
    case .metric(let payload):
      diagnostics = nil
      versions = [payload.latestApplicationVersion ?? ""].filter { !$0.isEmpty }
      isMixed = payload.includesMultipleApplicationVersions
    case .diagnostic(let payload):
      diagnostics = payload.countsByKind
      versions = payload.applicationVersions.filter { !$0.isEmpty }
      isMixed = false
    }
  }
}

extension DiagnosticPayload {
  /// How many diagnostics there are of each kind, in a person's words.
  var countsByKind: [(kind: String, count: Int)] {
    [
      ("crash", crashDiagnostics?.count), ("hang", hangDiagnostics?.count),
      ("CPU exception", cpuExceptionDiagnostics?.count),
      ("disk write exception", diskWriteExceptionDiagnostics?.count),
      ("slow launch", appLaunchDiagnostics?.count), ("call stack", unclassifiedDiagnostics?.count),
    ].compactMap { kind, count in count.map { (kind, $0) } }
  }
}
