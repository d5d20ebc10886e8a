/// A file beside another that will take its place, or vanish.
///
/// It has one fixed name, so a killed process leaves one file at most and the next compaction uses it; its own lock keeps
/// two compactions apart.
package final class TemporaryFile {
  private let path: String
  private var descriptor: Int32
  /// Whether it has the other's name by now.
  package private(set) var isInPlace = false

  /// Takes the temporary file of the file at `path`, empty; a new one has the permissions `mode`.
  package init(beside path: String, mode: UInt32 = 0o644) throws(MetricError) {
    let name = Self.name(beside: path)
    while true {
      guard let opened = try Posix.open(name, creates: true, mode: mode) else { continue }
      if try Posix.lock(opened), Posix.status(at: name)?.identity == (try Posix.status(of: opened)).identity {
        try Posix.truncate(opened, to: 0)
        self.path = name
        descriptor = opened
        return
      }
      Posix.close(opened)
    }
  }

  deinit {
    if !isInPlace { Posix.unlink(path) }
    if descriptor >= 0 { Posix.close(descriptor) }
  }

  /// The name of the temporary file of the file at `path`.
  package static func name(beside path: String) -> String {
    let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    return "\(path[..<slash]).\(path[slash...]).optimizing"
  }

  /// Hands on the open file with its lock; nothing can be done with this value afterwards.
  package func takeDescriptor() -> Int32 {
    defer { descriptor = -1 }
    return descriptor
  }

  /// Appends bytes.
  package func write(_ bytes: [UInt8]) throws(MetricError) {
    try bytes.withTypedBytes { (raw) throws(MetricError) in
      var written = 0
      while written < raw.count {
        let rest = UnsafeRawBufferPointer(rebasing: raw[written...])
        let count = Posix.retrying { FileOperations.system.write(descriptor, rest) }
        guard count > 0 else { throw Posix.failure(.writeFailed, "cannot write to \(path)") }
        written += count
      }
    }
  }

  /// Makes this the file of that name, durably.
  package func replace(_ name: String, mode: UInt32) throws(MetricError) {
    Posix.setMode(mode, of: descriptor)
    guard Posix.retrying({ FileOperations.system.sync(descriptor) }) == 0 else {
      throw Posix.failure(.syncFailed, "cannot sync \(path)")
    }
    try Posix.rename(path, to: name)
    isInPlace = true
    try Posix.syncFolder(of: name)
  }
}
