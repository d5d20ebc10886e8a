import Essentials
import MisterMetricsCore
import Platform

/// A metrics file that a command makes: whole or not at all, and never over another one.
///
/// A file that was not put in place goes with the value.
struct NewMetricsFile {
  private let file: ReplacementFile

  /// Begins a file that is to be at `path`.
  ///
  /// - Throws: `.other(EEXIST)` if anything is there.
  init(_ path: String) throws(FileFailure) {
    // A limit of the file's size is an error then, and no death that leaves a temporary file.
    signal(SIGXFSZ, SIG_IGN)
    file = try ReplacementFile(for: path, readers: .usual, links: .followed)
    guard !Posix.isTaken(file.path) else { throw .other(EEXIST) }
  }

  /// Writes entries, in order.
  ///
  /// - Throws: `MetricError` for an entry that has no line, `FileFailure` where it cannot be written.
  func append(_ entries: [MetricEntry]) throws {
    var lines: [UInt8] = []
    lines.reserveCapacity(192 * entries.count)
    for entry in entries { try LineEncoder.append(entry, to: &lines) }
    try file.write(lines)
  }

  /// Puts the file into its place.
  ///
  /// - Throws: `.other(EEXIST)` if something has come there meanwhile.
  func put() throws(FileFailure) { try file.putInFreePlace() }

  /// Puts the empty file into its place, for a store that writes to it from now on.
  func putForStore() throws(FileFailure) {
    try put()
    // The store takes the lock.
    Posix.unlock(file.descriptor)
  }

  /// Removes what was put for a store that wrote nothing.
  func takeBackIfEmpty() {
    guard (try? Posix.status(of: file.descriptor))?.size == 0 else { return }
    try? file.takeBack()
  }

  /// Why a new file was not made, in words that follow its name and a colon.
  static func problem(_ error: any Error) -> String {
    if let failure = error as? FileFailure, failure == .other(EEXIST) {
      return "already exists; name another file"
    }
    return FileErrorFormatter.problem(error)
  }
}
