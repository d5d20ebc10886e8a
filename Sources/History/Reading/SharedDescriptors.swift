import Essentials
package import JSONLines
package import Platform

/// Files that are read occasionally, at most ``limit`` of which are open at a time: thousands would exceed the limit of a process.
///
/// A file stays open as long as there are no more than ``limit``. A closed file is reopened by its path; if that is
/// another file by then, reading fails.
package final class SharedDescriptors: Sendable {
  /// Maximum number of open files, besides those being read at the moment.
  package static let limit = 256

  private struct State {
    var open: [ObjectIdentifier: OpenFile] = [:]
    var order = UseOrder<ObjectIdentifier>()
  }

  private let state = Locked(State())

  package init() {}

  /// Number of open files.
  package var count: Int { state.withLock { $0.open.count } }

  /// The open file of `owner`, if there is one.
  fileprivate func opened(for owner: SharedFile) -> OpenFile? {
    state.withLock { state in
      guard let file = state.open[ObjectIdentifier(owner)] else { return nil }
      state.order.use(ObjectIdentifier(owner))
      return file
    }
  }

  fileprivate func keep(_ file: OpenFile, for owner: SharedFile) {
    // Closed outside the lock, when the last reader is done.
    _ = state.withLock { state -> OpenFile? in
      state.open[ObjectIdentifier(owner)] = file
      state.order.use(ObjectIdentifier(owner))
      guard state.open.count > Self.limit, let oldest = state.order.removeLeastRecent() else { return nil }
      return state.open.removeValue(forKey: oldest)
    }
  }

  fileprivate func forget(_ owner: SharedFile) {
    _ = state.withLock { state in
      state.order.remove(ObjectIdentifier(owner))
      return state.open.removeValue(forKey: ObjectIdentifier(owner))
    }
  }
}

/// A local file that is open while it is read, and usually in between; it is always the same file.
package final class SharedFile: HistoryBytes {
  private let path: String
  private let identity: FileIdentity
  private let descriptors: SharedDescriptors
  package let mapping: LineMapping?

  /// Opens a file.
  ///
  /// - Parameter mapping: the mapping of lines that do not come from MisterMetrics; `nil` to detect them.
  /// - Throws: as ``OpenFile``.
  package init(path: String, mapping: LineMapping? = nil, of descriptors: SharedDescriptors) throws {
    let file = try OpenFile(path: path, mapping: mapping)
    (self.path, self.mapping, self.descriptors) = (path, mapping, descriptors)
    identity = try file.status.identity
    descriptors.keep(file, for: self)
  }

  deinit { descriptors.forget(self) }

  package var status: FileStatus {
    get throws {
      if let file = descriptors.opened(for: self) { return try file.status }
      // Every query asks for the status of all files, possibly thousands: none is opened for it.
      guard let status = Posix.status(at: path), status.identity == identity else {
        throw POSIXError(.ESTALE)
      }
      return status
    }
  }

  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws -> Int {
    try file.read(into: buffer, at: offset)
  }

  private var file: OpenFile {
    get throws {
      if let file = descriptors.opened(for: self) { return file }
      let file = try OpenFile(path: path, mapping: mapping)
      guard try file.status.identity == identity else { throw POSIXError(.ESTALE) }
      descriptors.keep(file, for: self)
      return file
    }
  }
}
