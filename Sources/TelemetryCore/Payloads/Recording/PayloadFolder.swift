import Essentials
import MisterMetricsCore
import Platform

/// The folder of a recorder, held by one process for the lifetime of the object.
///
/// Files are written to a temporary name and moved into place. Files with unknown names are left alone.
final class PayloadFolder {
  /// The file of the open days; for the payloads beside it see ``PayloadFile``.
  static let ledgerName = "open-days.json"
  private static let lockName = "/recorder.lock"
  /// Maximum size of a file in bytes; larger ones count as unreadable.
  private static let sizeLimit = 1 << 28

  private let path: String
  private let lock: Int32
  private let identity: FileIdentity

  /// Takes a folder and creates it if it is missing.
  ///
  /// - Throws: `fileUnavailable` if the folder cannot be used, or another recorder holds it.
  init(_ path: String) throws(MetricError) {
    let opened: Int32?
    do throws(FileFailure) {
      opened = try Posix.openAlone(path + Self.lockName, permissions: 0o600, with: .system)
    } catch {
      throw MetricError(error)
    }
    guard let opened else { throw MetricError(.fileUnavailable, "another recorder has \(path)") }
    do throws(FileFailure) {
      identity = try Posix.status(of: opened).identity
    } catch {
      Posix.close(opened)
      throw MetricError(error)
    }
    self.path = path
    lock = opened
  }

  deinit {
    Posix.close(lock)
  }

  /// The waiting payloads; removes the temporary files of killed processes.
  func payloads() throws(MetricError) -> Set<PayloadFile> {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw MetricError(.readFailed, "cannot list \(path)", cause: error)
    }
    let files = Set(names.compactMap(PayloadFile.init(name:)))
    for name in names {
      let target = Self.target(of: name)
      if target == Self.ledgerName || target.flatMap(PayloadFile.init(name:)) != nil { remove(name) }
    }
    return files
  }

  /// The final name of a temporary file.
  private static func target(of name: String) -> String? {
    let parts = ReplacementFile.lockedName(for: "\u{0}").split(separator: "\u{0}")
    guard parts.count == 2, name.hasPrefix(parts[0]), name.hasSuffix(parts[1]) else { return nil }
    return String(name.dropFirst(parts[0].count).dropLast(parts[1].count))
  }

  /// True if it is still the same folder: removing it also removes the lock, and another recorder may take its place.
  private var isOurs: Bool { Posix.status(at: path + Self.lockName)?.identity == identity }

  /// Writes a file atomically.
  func write(_ bytes: some Sequence<UInt8>, to name: String) throws(MetricError) {
    guard isOurs else { throw MetricError(.fileUnavailable, "\(path) was removed") }
    let place = "\(path)/\(name)"
    do throws(FileFailure) {
      let file = try ReplacementFile(lockedFor: place)
      try file.write(Array(bytes))
      try file.putInPlace(permissions: 0o600)
    } catch {
      throw MetricError(error)
    }
  }

  /// The bytes of a file; `nil` if it does not exist, empty if it cannot be read.
  func read(_ name: String) -> Data? {
    let place = "\(path)/\(name)"
    guard let status = Posix.status(at: place) else { return nil }
    // Opening a pipe would block until it has a writer.
    guard status.kind == .regular, status.size <= Self.sizeLimit else { return Data() }
    return (try? Data(contentsOf: URL(fileURLWithPath: place))) ?? Data()
  }

  func remove(_ name: String) {
    guard isOurs else { return }
    Posix.unlink("\(path)/\(name)")
  }

  /// Renames an unreadable file, so that it is left alone from then on.
  func setAside(_ name: String) {
    guard isOurs else { return }
    let place = "\(path)/\(name)"
    // If that fails, the next process finds the file again and sets it aside.
    try? Posix.rename(place, to: place + ".unreadable")
  }
}
