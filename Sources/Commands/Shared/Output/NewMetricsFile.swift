import Essentials
import MisterMetricsCore
import Platform

/// A new metrics file: written completely or not at all, and never over an existing one.
///
/// A file that was not put in place is removed with the value.
struct NewMetricsFile {
  private let file: ReplacementFile

  /// Starts a file that is to be put at `path`.
  ///
  /// - Throws: `.other(EEXIST)` if anything exists there.
  init(_ path: String) throws(FileFailure) {
    // Makes the file size limit an error instead of a fatal signal that leaves a temporary file behind.
    signal(SIGXFSZ, SIG_IGN)
    file = try ReplacementFile(for: path, readers: .usual, links: .followed)
    guard !Posix.isTaken(file.path) else { throw .other(EEXIST) }
  }

  /// Writes entries, in order.
  ///
  /// - Throws: `MetricError` for an entry that cannot be encoded, `FileFailure` if the file cannot be written.
  func append(_ entries: [MetricEntry]) throws {
    var lines: [UInt8] = []
    lines.reserveCapacity(192 * entries.count)
    for entry in entries { try LineEncoder.append(entry, to: &lines) }
    try file.write(lines)
  }

  /// Moves the file to its path.
  ///
  /// - Throws: `.other(EEXIST)` if anything has been created there in the meantime.
  func put() throws(FileFailure) { try file.putInFreePlace() }

  /// Moves the empty file to its path, for a store that writes to it from now on.
  func putForStore() throws(FileFailure) {
    try put()
    // The store takes the lock.
    Posix.unlock(file.descriptor)
  }

  /// Removes a file placed for a store that wrote nothing.
  func takeBackIfEmpty() {
    guard (try? Posix.status(of: file.descriptor))?.size == 0 else { return }
    try? file.takeBack()
  }

  /// The reason why a new file was not created, as text that follows its name and a colon.
  static func problem(_ error: any Error) -> String {
    if let failure = error as? FileFailure, failure == .other(EEXIST) {
      return "already exists; name another file"
    }
    return FileErrorFormatter.problem(error)
  }
}
