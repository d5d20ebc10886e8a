import JSONLines
import MisterMetrics
import Platform
import Telemetry

/// Which figures of which payloads a store holds.
///
/// Payloads are recognised by the hash in the source of their entries, so what was uploaded twice, or is imported again from
/// other files, adds nothing.
struct HeldPayloads {
  private var numbers: [String: Int32] = [:]
  /// The numbers of the names of the figures that are held, by payload.
  private var held: [PayloadHash: [Int32]] = [:]

  /// A store without payloads.
  init() {}

  /// Reads what a store holds, its rotated files included.
  ///
  /// - Throws: `POSIXError` if a file of it cannot be read.
  init(store: String, workers: Int) async throws {
    let path = Posix.place(of: store)
    let files =
      NumberedFiles(path: path).existing
      + (Posix.status(at: path) == nil ? [] : [path])
    for file in files { try await read(file, workers: workers) }
  }

  /// What of a payload's entries is not held; none if it is held whole.
  ///
  /// Who was interrupted by force may have left some of them, in their order.
  func missing(_ entries: [MetricEntry], of hash: PayloadHash) -> [MetricEntry] {
    guard let names = held[hash] else { return entries }
    guard names.count < entries.count else { return [] }
    var left = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
    return entries.filter { entry in
      guard let number = numbers[entry.metric.name], let count = left[number], count > 0 else { return true }
      left[number] = count - 1
      return false
    }
  }

  /// Whether something of the payload is held.
  func holds(_ hash: PayloadHash) -> Bool { held[hash] != nil }

  private mutating func read(_ path: String, workers: Int) async throws {
    let file = try ReadableFile(path: path)
    defer { file.close() }
    let size = try file.size
    let bucket = PayloadMetrics.bucket.id
    try await FileScan(path: path, bytes: 0..<size).run(
      workers: workers, initial: [HeldFigure](),
      fold: { figures, batch, scanner in
        for sample in batch.samples where sample.kind == .object {
          guard scanner.catalogue[sample.metric].bucket == bucket,
            let hash = Self.hash(in: batch.payload(of: sample))
          else { continue }
          figures.append(HeldFigure(hash: hash, metric: sample.metric))
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
    held[hash, default: []].append(number)
  }

  private static func hash(in value: ArraySlice<UInt8>) -> PayloadHash? {
    value.withUnsafeBytes { bytes in
      guard let object = FlatObject(bytes), let place = object.place(of: "source"),
        let source = object.text(at: place)
      else { return nil }
      return RecordedSource(source)?.contentHash
    }
  }

  private struct HeldFigure: Sendable {
    let hash: PayloadHash
    let metric: MetricID
  }
}
