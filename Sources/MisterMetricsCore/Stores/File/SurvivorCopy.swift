import Essentials
import Platform

/// Copies the surviving lines of a file: entries from the cutoff on, and every line that is not an entry, byte for
/// byte.
struct SurvivorCopy {
  private(set) var result = MetricOptimization()
  private var reader: LineReader
  private var pending: [UInt8] = []
  private let source: Int32
  /// The end of the file when the copy started, and the bytes before it.
  private let mark: (end: Int, bytes: [UInt8])
  private let target: ReplacementFile
  private let cutoff: Date
  private let decoder: LineDecoder

  init(
    from source: Int32, upTo size: Int, to target: ReplacementFile, cutoff: Date, decoder: LineDecoder
  ) throws(FileFailure) {
    reader = LineReader(source, upTo: size)
    mark = (size, try Self.bytes(of: source, before: size))
    self.source = source
    self.target = target
    self.cutoff = cutoff
    self.decoder = decoder
  }

  /// True if a file of this size has only grown since: if it was truncated and has grown again, it has other bytes
  /// there.
  func fits(size: Int) throws(FileFailure) -> Bool {
    guard size >= mark.end else { return false }
    return try Self.bytes(of: source, before: mark.end) == mark.bytes
  }

  private static func bytes(of source: Int32, before end: Int) throws(FileFailure) -> [UInt8] {
    let count = min(end, 4096)
    return try Posix.read(source, at: end - count, count: count)
  }

  /// Continues with what was appended since.
  mutating func extend(upTo size: Int) {
    reader = reader.extended(to: size)
  }

  /// Copies all complete lines.
  mutating func run() throws {
    while try copyPiece() {}
  }

  /// Copies the incomplete last line, if there is one.
  mutating func finish() throws(FileFailure) {
    pending += reader.rest
    try target.write(pending)
    pending = []
  }

  private mutating func copyPiece() throws -> Bool {
    var (result, pending) = (result, pending)
    let (decoder, cutoff) = (decoder, cutoff)
    let hasMore = try reader.readPiece { line, piece in
      guard piece != .part else { return pending.append(contentsOf: line) }
      let timestamp = piece == .line ? decoder.timestamp(line) : nil
      if let timestamp, timestamp < cutoff {
        result.removed += 1
        return
      }
      if timestamp == nil { result.undecodable += 1 }
      result.kept += 1
      pending.append(contentsOf: line)
      pending.append(UInt8(ascii: "\n"))
    }
    try target.write(pending)
    pending.removeAll(keepingCapacity: true)
    (self.result, self.pending) = (result, pending)
    return hasMore
  }
}

/// The result of `optimize`.
public struct MetricOptimization: Hashable, Sendable {
  /// Entries removed because they are older than the cutoff.
  public internal(set) var removed = 0
  /// Lines kept.
  public internal(set) var kept = 0
  /// Number of kept lines that are not entries; they are kept byte for byte.
  public internal(set) var undecodable = 0

  static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum += right
    return sum
  }

  static func += (sum: inout Self, other: Self) {
    sum.removed += other.removed
    sum.kept += other.kept
    sum.undecodable += other.undecodable
  }
}
