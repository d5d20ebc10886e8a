import Codecs
import JSONLines
import MisterMetrics
import Platform
import Telemetry

/// The payloads that a store has already.
///
/// A payload is recognized by the hash in the source of its entries, so one that was uploaded twice, or is imported again
/// from another file, adds nothing.
struct StoredPayloads {
  private var numbers: [String: Int32] = [:]
  /// The names of the stored figures, as numbers, by payload.
  private var stored: [PayloadHash: [Int32]] = [:]

  /// An empty store.
  init() {}

  /// Reads a store, its rotated files included.
  ///
  /// - Throws: `POSIXError` if a file of it cannot be read.
  init(store: String, workers: Int) async throws {
    let path = Posix.place(of: store)
    let files =
      NumberedFiles(path: path).existing
      + (Posix.status(at: path) == nil ? [] : [path])
    for file in files { try await read(file, workers: workers) }
  }

  /// The entries of a payload that are not stored; none if it is complete.
  ///
  /// An import that was killed may have stored the first of them.
  func missing(_ entries: [MetricEntry], of hash: PayloadHash) -> [MetricEntry] {
    guard let names = stored[hash] else { return entries }
    guard names.count < entries.count else { return [] }
    var left = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
    return entries.filter { entry in
      guard let number = numbers[entry.metric.name], let count = left[number], count > 0 else { return true }
      left[number] = count - 1
      return false
    }
  }

  /// Whether any of the payload is stored.
  func contains(_ hash: PayloadHash) -> Bool { stored[hash] != nil }

  private mutating func read(_ path: String, workers: Int) async throws {
    let file = try ReadableFile(path: path)
    defer { file.close() }
    let size = try file.size
    let bucket = PayloadMetrics.bucket.id
    try await FileScan(path: path, bytes: 0..<size).run(
      workers: workers, initial: [StoredFigure](),
      fold: { figures, batch, scanner in
        for sample in batch.samples where sample.kind == .object {
          guard scanner.catalogue[sample.metric].bucket == bucket,
            let hash = Self.hash(in: batch.payload(of: sample))
          else { continue }
          figures.append(StoredFigure(hash: hash, metric: sample.metric))
        }
      },
      deliver: { part in
        for figure in part.state { add(part.scanner.catalogue[figure.metric].name, of: figure.hash) }
      })
  }

  private mutating func add(_ name: String, of hash: PayloadHash) {
    let next = Int32(clamping: numbers.count)
    let number = numbers[name] ?? next
    if number == next { numbers[name] = number }
    stored[hash, default: []].append(number)
  }

  private static func hash(in value: ArraySlice<UInt8>) -> PayloadHash? {
    value.withUnsafeBytes { bytes in
      guard let object = FlatObject(bytes), case .text(let source) = object["source"] else { return nil }
      return RecordedSource(source.string)?.contentHash
    }
  }

  private struct StoredFigure: Sendable {
    let hash: PayloadHash
    let metric: MetricID
  }
}
