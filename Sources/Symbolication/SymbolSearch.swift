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

/// Finds the builds with symbols in folders: in `.dSYM` bundles, in `.xcarchive` bundles, in any other folder,
/// and in zip archives of them.
///
/// Recognizes files by their contents. Of two files of one build, the one that knows lines is used: an archive also holds
/// the stripped program.
package struct SymbolSearch {
  /// Maximum depth of folders, and maximum number of files examined.
  private static let (depthLimit, fileLimit) = (24, 200_000)

  package private(set) var modules: [ModuleIdentifier: ModuleFile] = [:]
  /// Sentences about what could not be searched, with the path.
  package private(set) var problems: [String] = []
  /// Files of archives; their paths are good as long as these are held.
  private(set) var unpacked: [UnpackedFile] = []
  /// Bytes that may still be unpacked.
  private var unpackedLimit: UInt64 = 16 << 30
  private var visited: Set<FileIdentity> = []
  private var files = 0
  private let fileSystem: any TailFileSystem
  private let temporaryFolder: String

  /// - Parameter temporaryFolder: The folder for what is unpacked.
  package init(
    fileSystem: any TailFileSystem = PosixFileSystem(),
    temporaryFolder: String = FileManager.default.temporaryDirectory.path
  ) {
    (self.fileSystem, self.temporaryFolder) = (fileSystem, temporaryFolder)
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
    if path.hasByteSuffix(".zip"), file.read(0..<4) == [0x50, 0x4B, 0x03, 0x04] { return unpack(file, path) }
    add(ObjectFile.all(in: file), at: path)
  }

  /// - Returns: True if one of them is used.
  @discardableResult
  private mutating func add(_ objects: [ObjectFile], at path: String) -> Bool {
    var isUsed = false
    for object in objects {
      if let known = modules[object.identifier], known.object.hasLines || !object.hasLines { continue }
      modules[object.identifier] = ModuleFile(path: path, object: object)
      isUsed = true
    }
    return isUsed
  }

  /// Unpacks the debug information in an archive.
  private mutating func unpack(_ file: some ObjectBytes, _ path: String) {
    guard let archive = ZipArchive(file) else { return problems.append("\(path): is a damaged zip archive") }
    let wanted = archive.entries.filter {
      $0.unpacked > 0 && $0.name.contains(".dSYM/Contents/Resources/DWARF/")
    }
    if wanted.isEmpty { problems.append("\(path): no debug symbols in it") }
    for entry in wanted {
      guard entry.unpacked <= unpackedLimit else {
        return problems.append("\(path): is too large; unpack it first")
      }
      unpackedLimit -= entry.unpacked
      do {
        let file = try UnpackedFile(in: temporaryFolder) { write in try archive.unpack(entry, to: write) }
        if let file {
          if add(ObjectFile.all(in: file), at: file.path) { unpacked.append(file) }
        } else {
          problems.append("\(path): \(entry.name) cannot be unpacked")
        }
      } catch {
        return problems.append(
          "\(path): cannot be unpacked: \((error as? FileFailure)?.message ?? "\(error)")")
      }
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
