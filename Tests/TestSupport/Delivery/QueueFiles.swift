import Foundation
package import Platform

@testable package import DeliveryCore

/// The files of a closed disk queue, for tests that damage them.
package struct QueueFiles {
  package let folder: String

  package init(_ folder: String) {
    self.folder = folder
  }

  /// Length of the version line of a segment, in bytes.
  package static let versionSize = SegmentHeader.line.count
  /// Bytes before the first record.
  package static let headerSize = SegmentHeader.size
  /// Bytes written for a checkpoint of removed events.
  package static let checkpointSize = SegmentHeader.Checkpoint(base: 0, first: 0, generation: 0).bytes.count

  /// All paths, sorted by name.
  package var all: [String] {
    ((try? Posix.names(in: folder)) ?? []).sorted().map { PathParts.join(folder, $0) }
  }

  /// The paths of the segments.
  package var segments: [String] {
    all.filter { PathParts($0).name.hasPrefix("queue.v1.") && !$0.contains(DamagedFile.suffix) }
  }

  /// Opens a queue with small segments that need not survive a power failure, which keeps tests fast.
  package static func open(
    _ folder: String, events: Int = 4, operations: FileOperations = quick
  ) throws(StorageFailure) -> SegmentedEventStorage {
    try SegmentedEventStorage(
      folder: folder, limits: Segment.Limits(events: events, bytes: 1 << 20), operations: operations)
  }

  /// The system's calls, without syncing.
  package static var quick: FileOperations {
    var operations = FileOperations.system
    operations.sync = { _ in 0 }
    operations.syncFolder = { _ in 0 }
    return operations
  }

  package func bytes(_ path: String) -> [UInt8] {
    (try? Data(contentsOf: URL(fileURLWithPath: path))).map(Array.init) ?? []
  }

  /// Writes a file without syncing it, like Foundation.
  package func write(_ bytes: [UInt8], to path: String) throws {
    let descriptor = try Posix.open(path, flags: O_WRONLY | O_CREAT | O_TRUNC, permissions: 0o600)
    defer { Posix.close(descriptor) }
    try bytes.withUnsafeBytes { try Posix.write($0, to: descriptor) }
  }

  /// The range of an event's JSON in the bytes of a segment.
  package func place(of number: Int, in bytes: [UInt8]) -> Range<Int>? {
    guard let mark = Data(bytes).range(of: Data(EventSamples.mark(of: number).utf8)) else { return nil }
    let start = bytes[..<mark.lowerBound].lastIndex(of: UInt8(ascii: "{"))
    let end = bytes[mark.upperBound...].firstIndex(of: UInt8(ascii: "}"))
    guard let start, let end else { return nil }
    return start..<end + 1
  }

  /// The segment that contains an event.
  package func segment(of number: Int) -> String? {
    segments.first { place(of: number, in: bytes($0)) != nil }
  }
}
