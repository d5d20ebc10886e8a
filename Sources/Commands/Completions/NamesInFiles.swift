import History
import JSONLines
import Platform

/// The metrics in files, as far as they are found within the time that someone waits for a completion.
enum NamesInFiles {
  /// Seconds for all files together.
  private static let time = 0.05
  /// Bytes at the end of a file that are read first, for the metrics of now.
  private static let tailSize: UInt64 = 256 << 10

  private struct TimeIsUp: Error {}

  /// Reads the ends of files, then the files from their beginning until the time is up.
  static func read(
    _ paths: [String], now: () -> MonotonicInstant = { .now() }
  ) -> Set<MetricIdentity> {
    let deadline = now() + time
    var found: Set<MetricIdentity> = []
    let files = FileOperands.files(paths) { _ in }.filter { Posix.status(at: $0)?.kind == .regular }
    for path in files where now() < deadline { readEnd(of: path, into: &found) }
    for path in files where now() < deadline { read(path, while: { now() < deadline }, into: &found) }
    return found
  }

  private static func readEnd(of path: String, into found: inout Set<MetricIdentity>) {
    guard !StreamedFile.isNeeded(path), let file = try? ReadableFile(path: path) else { return }
    defer { file.close() }
    guard let size = try? file.size, size > tailSize else { return }
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(tailSize)) { room, count in
      count = (try? file.read(into: UnsafeMutableRawBufferPointer(room), at: size - tailSize)) ?? 0
    }
    var (scanner, batch) = (SampleScanner(), SampleBatch())
    bytes.withUnsafeBytes { scanner.scan($0, into: &batch) }
    found.formUnion(scanner.catalogue.all)
  }

  private static func read(
    _ path: String, while hasTime: () -> Bool, into found: inout Set<MetricIdentity>
  ) {
    guard let descriptor = try? Posix.open(path) else { return }
    defer { Posix.close(descriptor) }
    var stream = SampleStream(descriptor: descriptor, mapping: nil)
    // A file that cannot be read has no names to offer.
    try? stream.forEachBatch { _, _ in
      guard hasTime() else { throw TimeIsUp() }
    }
    found.formUnion(stream.catalogue.all)
  }
}

extension MetricCatalogue {
  fileprivate var all: [MetricIdentity] {
    (0..<Int32(clamping: count)).map { self[MetricID(rawValue: $0)] }
  }
}
