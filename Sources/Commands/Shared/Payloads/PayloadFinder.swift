import Essentials
import JSONLines
import Platform

/// The files named by operands: files themselves, and in folders all files that may contain payloads.
///
/// In folders, hidden names are skipped and links are followed, but no folder is read twice. The order is that of the
/// operands, then that of the names in a folder, so a tree is always read in the same order.
struct PayloadFinder {
  struct Found: Hashable, Sendable {
    let path: String
    /// The size in bytes, as far as known before reading.
    let size: UInt64
  }

  /// The reason why something was skipped.
  struct Problem: Equatable {
    let path: String
    let text: String
  }

  /// The file name extensions that are read in folders.
  static let endings = [".json", ".jsonl", ".ndjson", ".gz"]

  private(set) var files: [Found] = []
  private(set) var problems: [Problem] = []
  /// Number of files in folders that have another ending.
  private(set) var skipped = 0
  private var visited: Set<FileIdentity> = []
  private let store: FileIdentity?
  private let fileSystem: any TailFileSystem

  /// - Parameter store: The metrics file to be written, which must not be read as well.
  init(store: FileIdentity?, fileSystem: any TailFileSystem = PosixFileSystem()) {
    (self.store, self.fileSystem) = (store, fileSystem)
  }

  /// Adds the files of an operand.
  mutating func add(_ path: String) {
    guard path != "-" else { return files.append(Found(path: path, size: 0)) }
    guard let status = status(of: path) else { return }
    guard status.kind == .directory else {
      guard status.identity != store else {
        return refuse(path, "is the store itself, so it cannot be imported")
      }
      return files.append(Found(path: path, size: status.size))
    }
    let before = (files.count, problems.count)
    walk(path, status.identity)
    if before == (files.count, problems.count) {
      refuse(path, "contains no file ending with \(Arguments.list(Self.endings))")
    }
  }

  private mutating func walk(_ folder: String, _ identity: FileIdentity) {
    guard visited.insert(identity).inserted else { return }
    let names: [String]
    do throws(FileFailure) {
      names = try fileSystem.names(in: folder)
    } catch { return refuse(folder, Self.words(error)) }
    for name in names.sortedByBytes() where !name.hasBytePrefix(".") {
      let path = PathParts.join(folder, name)
      let mayHold = Self.endings.contains { name.lowercased().hasByteSuffix($0) }
      // A file with another extension that has vanished does not matter.
      guard mayHold || (try? fileSystem.status(ofPath: path))?.kind == .directory else {
        skipped += 1
        continue
      }
      guard let status = status(of: path) else { continue }
      if status.kind == .directory {
        walk(path, status.identity)
      } else if status.identity != store {
        files.append(Found(path: path, size: status.size))
      }
    }
  }

  private mutating func status(of path: String) -> FileStatus? {
    do throws(FileFailure) {
      return try fileSystem.status(ofPath: path)
    } catch {
      let isNameless = error.kind == .missing && PathParts.isRepaired(path)
      refuse(path, isNameless ? "is skipped: its name is not valid UTF-8" : Self.words(error))
      return nil
    }
  }

  private static func words(_ failure: FileFailure) -> String {
    switch failure.kind {
    case .missing: FileErrorFormatter.problem(POSIXError(.ENOENT))
    case .denied: FileErrorFormatter.problem(POSIXError(.EACCES))
    case .exhausted, .other: failure.text
    }
  }

  private mutating func refuse(_ path: String, _ text: String) {
    problems.append(Problem(path: path, text: text))
  }
}
