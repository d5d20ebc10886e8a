import Codecs
import History
import JSONLines
import MisterMetricsCore
import Platform
import TelemetryCore

/// The payloads that a store already holds.
///
/// A payload is identified by its hash in the source of its entries, so one that was uploaded twice, or is imported
/// again from another file, adds nothing.
struct StoredPayloads {
  private var numbers: [String: Int32] = [:]
  /// The entries stored of each payload by its reference, as indices of their names.
  private var stored: [String: [Int32]] = [:]

  /// Notes on rotated files that could be read only in part.
  private(set) var notes: [Note] = []

  /// A note on the missing part of a file.
  struct Note: Sendable {
    let path: String
    /// The text that follows the path.
    let text: String
  }

  /// A file or folder of the store that cannot be read at all.
  struct Unread: Error {
    let path: String
    let cause: any Error
  }

  /// Reads a store, including its rotated and packed files.
  ///
  /// - Parameter stop: Raised to stop it.
  /// - Throws: ``Unread``, because a file that cannot be read may hold any payload. `CancellationError` if it is
  ///   stopped.
  init(store: String, workers: Int, stop: WakeSignal) async throws {
    let path = Posix.place(of: store)
    // A folder that cannot be listed may contain rotated files.
    let folder = PathParts(path).directory
    if Posix.status(at: folder)?.kind == .directory {
      try await Self.naming(folder) { _ = try Posix.names(in: folder) }
    }
    for file in HistoryNames(limit: .max).files(of: [path])
    where PathKey(file.path) != PathKey(path) || Posix.status(at: path) != nil {
      try await Self.naming(file.path) { try await read(file, workers: workers, stop) }
    }
  }

  /// Wraps an error of `body` with the path of the file or folder.
  private static func naming(_ path: String, _ body: () async throws -> Void) async throws {
    do { try await body() } catch let error as CancellationError { throw error } catch {
      throw Unread(path: path, cause: error)
    }
  }

  /// The entries of a payload that are not stored yet; empty if it is complete.
  ///
  /// A killed import may have stored only the first ones.
  func missing(_ entries: [MetricEntry], of source: RecordedSource) -> [MetricEntry] {
    guard let names = stored[source.reference] else { return entries }
    guard names.count < entries.count else { return [] }
    var left = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
    return entries.filter { entry in
      guard let number = numbers[entry.metric.name], let count = left[number], count > 0 else { return true }
      left[number] = count - 1
      return false
    }
  }

  /// True if any entry of the payload is stored.
  func contains(_ source: RecordedSource) -> Bool { stored[source.reference] != nil }

  private mutating func read(_ name: HistoryName, workers: Int, _ stop: WakeSignal) async throws {
    let file = try ReadableFile(path: name.path)
    defer { file.close() }
    if GzipFile.isPacked(name.path) { return try unpack(name.path, stop) }
    let size = try file.size
    if name.isPacked, size > 0 { note("is not a gzip file; it was read as it is", of: name.path) }
    try await FileScan(path: name.path, bytes: 0..<size).run(
      workers: workers, initial: [StoredFigure](),
      fold: { figures, batch, scanner in
        if stop.isRaised { throw CancellationError() }
        figures += Self.figures(of: batch, scanner.catalogue)
      },
      deliver: { part in add(part.state, part.scanner.catalogue) })
  }

  private mutating func unpack(_ path: String, _ stop: WakeSignal) throws {
    let descriptor = try Posix.open(path)
    defer { Posix.close(descriptor) }
    var stream = SampleStream(descriptor: descriptor, mapping: nil)
    try stream.forEachBatch {
      if stop.isRaised { throw CancellationError() }
      add(Self.figures(of: $0, $1), $1)
    }
    if let missing = stream.outcome.note { note(missing.text, of: path) }
  }

  private mutating func note(_ text: String, of path: String) {
    notes.append(Note(path: path, text: "\(text); payloads that cannot be found in it count as new"))
  }

  private static func figures(of batch: SampleBatch, _ catalogue: MetricCatalogue) -> [StoredFigure] {
    let bucket = PayloadMetrics.bucket.id
    return batch.samples.compactMap { sample in
      guard sample.kind == .object, catalogue[sample.metric].bucket == bucket,
        let reference = reference(in: batch.payload(of: sample))
      else { return nil }
      return StoredFigure(reference: reference, metric: sample.metric)
    }
  }

  private mutating func add(_ figures: [StoredFigure], _ catalogue: MetricCatalogue) {
    for figure in figures { add(catalogue[figure.metric].name, of: figure.reference) }
  }

  private mutating func add(_ name: String, of reference: String) {
    let next = Int32(clamping: numbers.count)
    let number = numbers[name] ?? next
    if number == next { numbers[name] = number }
    stored[reference, default: []].append(number)
  }

  private static func reference(in value: ArraySlice<UInt8>) -> String? {
    value.withUnsafeBytes { bytes in
      guard let object = FlatObject(bytes), case .text(let source) = object["source"] else { return nil }
      return RecordedSource.reference(ofSource: source.string)
    }
  }

  private struct StoredFigure: Sendable {
    let reference: String
    let metric: MetricID
  }
}
