import Codecs
import Essentials
import MisterMetricsCore
import Platform
import TelemetryCore

/// One file that was read: its payloads, ready to be recorded, and what is wrong with it.
struct PayloadFileContents: Sendable {
  /// One payload.
  struct Item: Sendable {
    let hash: PayloadHash
    let entries: [MetricEntry]
    let facts: PayloadFacts
  }

  /// The most errors of one file that are listed; of further ones the number is.
  private static let errorLimit = 5

  let path: String
  private(set) var size = 0
  private(set) var items: [Item] = []
  /// Payloads that are in the same file twice.
  private(set) var duplicates = 0
  /// The number of oddities.
  private(set) var notes = 0
  /// Parts that could not be read, with the place.
  private(set) var errors: [String] = []

  /// Reads a file and makes entries of its payloads.
  ///
  /// - Parameters:
  ///   - path: The file; `-` for standard input.
  ///   - input: What `-` stands for.
  ///   - timeZone: The zone of times that are written without one.
  ///   - now: The time of payloads without one that come from no file.
  init(path: String, input: Int32, timeZone: ZoneOffsets, now: Date) {
    self.path = path
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
    var reader = PayloadReader()
    let reading = reader.read(bytes)
    duplicates = reading.duplicates.count
    notes = reading.notes.count
    let name = path == "-" ? "" : PathParts.end(of: path)
    items = reading.items.map { item in
      let time = item.payload.recordingTime(by: timeZone)
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

extension ZoneOffsets: ClockOffsets {}
