import Essentials
package import JSONLines
import Platform

/// A build with symbols, and the file that has them.
package struct ModuleFile: Hashable, Sendable {
  package let path: String
  package let object: ObjectFile

  package init(path: String, object: ObjectFile) {
    (self.path, self.object) = (path, object)
  }
}

/// Finds the builds with symbols in folders: in `.dSYM` bundles, in `.xcarchive` bundles, and in any other folder.
///
/// Recognizes files by their contents. Of two files of one build, the one that knows lines is used: an archive also holds
/// the stripped program.
package struct SymbolSearch {
  /// Maximum depth of folders, and maximum number of files examined.
  private static let (depthLimit, fileLimit) = (24, 200_000)

  package private(set) var modules: [ModuleIdentifier: ModuleFile] = [:]
  /// Sentences about what could not be searched, with the path.
  package private(set) var problems: [String] = []
  private var visited: Set<FileIdentity> = []
  private var files = 0
  private let fileSystem: any TailFileSystem

  package init(fileSystem: any TailFileSystem = PosixFileSystem()) {
    self.fileSystem = fileSystem
  }

  /// Searches a folder, or a single file.
  package mutating func add(_ path: String) {
    let found = modules.count
    let before = problems.count
    search(path, depth: 0)
    if modules.count == found, problems.count == before { problems.append("\(path): no debug symbols in it") }
  }

  private mutating func search(_ path: String, depth: Int) {
    let status: FileStatus
    do throws(FileFailure) { status = try fileSystem.status(ofPath: path) } catch {
      // A dangling link in an archive does not matter.
      if depth == 0 { problems.append("\(path): \(error.text)") }
      return
    }
    switch status.kind {
    case .directory:
      guard depth < Self.depthLimit, visited.insert(status.identity).inserted else { return }
      do throws(FileFailure) {
        for name in try fileSystem.names(in: path).sortedByBytes() {
          search(PathParts.join(path, name), depth: depth + 1)
        }
      } catch {
        problems.append("\(path): \(error.text)")
      }
    case .regular:
      files += 1
      if files == Self.fileLimit {
        problems.append("\(path): too many files; those from here on were not searched")
      }
      if files < Self.fileLimit { examine(path, status.size) }
    case .fifo, .socket, .device, .other, .generated: break
    }
  }

  private mutating func examine(_ path: String, _ size: UInt64) {
    guard let token = try? fileSystem.open(path) else { return }
    defer { fileSystem.close(token) }
    let file = TailFileBytes(size: size, token: token, fileSystem: fileSystem)
    if path.hasByteSuffix(".zip"), file.read(0..<4) == [0x50, 0x4B, 0x03, 0x04] {
      return problems.append("\(path): is a zip archive; unpack it first")
    }
    for object in ObjectFile.all(in: file) {
      if let known = modules[object.identifier], known.object.hasLines || !object.hasLines { continue }
      modules[object.identifier] = ModuleFile(path: path, object: object)
    }
  }
}

private struct TailFileBytes: ObjectBytes {
  let size: UInt64
  let token: FileToken
  let fileSystem: any TailFileSystem

  func read(_ range: Range<UInt64>) -> [UInt8] {
    let count = Int(clamping: range.count)
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      while done < count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[done...])
        let read = (try? fileSystem.read(token, at: range.lowerBound + UInt64(done), into: rest)) ?? 0
        guard read > 0 else { return }
        done += min(read, count - done)
      }
    }
  }
}
