import Essentials
import MisterMetricsCore
import Platform

/// The folder of a recorder, held by one process as long as the object lives.
///
/// Every file is written beside its place and put there whole. Files of other names are left alone.
final class PayloadFolder {
  /// The open days; payloads lie beside it, see ``PayloadFile``.
  static let ledgerName = "open-days.json"
  private static let lockName = "/recorder.lock"
  /// Maximum size of a file in bytes; larger ones count as unreadable.
  private static let sizeLimit = 1 << 28

  private let path: String
  private let lock: Int32
  private let identity: FileIdentity

  /// Takes a folder, which is made if there is none.
  ///
  /// - Throws: `fileUnavailable` if it cannot be used, or another recorder has it.
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

  /// The payloads that wait; what a killed process left half written is removed.
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

  /// True if it is still the folder that was taken: who removes it takes the lock along, and another recorder may come.
  private var isOurs: Bool { Posix.status(at: path + Self.lockName)?.identity == identity }

  /// Writes a file, whole or not at all.
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

  /// The bytes of a file, nil if there is none; empty if it cannot be read.
  func read(_ name: String) -> Data? {
    let place = "\(path)/\(name)"
    guard let status = Posix.status(at: place) else { return nil }
    // To open a pipe would be to wait for its writer.
    guard status.kind == .regular, status.size <= Self.sizeLimit else { return Data() }
    return (try? Data(contentsOf: URL(fileURLWithPath: place))) ?? Data()
  }

  func remove(_ name: String) {
    guard isOurs else { return }
    Posix.unlink("\(path)/\(name)")
  }

  /// Gives a file that cannot be read another name, under which it is left alone.
  func setAside(_ name: String) {
    guard isOurs else { return }
    let place = "\(path)/\(name)"
    // If that fails, the file is found again by the next process, and set aside again.
    try? Posix.rename(place, to: place + ".unreadable")
  }
}
