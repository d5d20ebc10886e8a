import Foundation
import Platform
import TestDelivery
import TestSupport
import Testing

@testable import DeliveryCore

@Suite("A disk queue on a file system that fails")
struct QueueFailureTests {
  /// System calls that fail when they are told to.
  private struct Faults {
    /// How many bytes the disk still takes.
    let space = Locked(Int.max)
    /// How many calls of sync succeed.
    let syncs = Locked(Int.max)
    let folderSyncs = Locked(Int.max)
    let isReadLost = Locked(false)

    var operations: FileOperations {
      var operations = FileOperations(
        write: { descriptor, bytes in
          let room = Self.take(bytes.count, of: space)
          guard room > 0 else { return Self.fail(ENOSPC) }
          return FileOperations.system.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes[..<room]))
        },
        sync: { _ in Self.take(1, of: syncs) == 1 ? 0 : Int32(Self.fail(EIO)) })
      operations.syncFolder = { _ in Self.take(1, of: folderSyncs) == 1 ? 0 : Int32(Self.fail(EIO)) }
      operations.read = { descriptor, buffer, offset in
        if isReadLost.withLock({ $0 }) { return Self.fail(EIO) }
        return FileOperations.system.read(descriptor, buffer, offset)
      }
      return operations
    }

    private static func take(_ wanted: Int, of stock: Locked<Int>) -> Int {
      stock.withLock { stock in
        let taken = min(wanted, stock)
        stock -= taken
        return taken
      }
    }

    private static func fail(_ number: Int32) -> Int {
      errno = number
      return -1
    }
  }

  private let folder: TemporaryFolder
  private let files: QueueFiles
  private let faults = Faults()

  init() throws {
    folder = try TemporaryFolder()
    files = QueueFiles(folder.path("queue"))
  }

  private func open() throws -> SegmentedEventStorage {
    try QueueFiles.open(files.folder, operations: faults.operations)
  }

  private func numbers(_ storage: SegmentedEventStorage) throws -> [Int] {
    try storage.first(100).map(\.number)
  }

  /// The names and contents of all files.
  private func state() -> [String: [UInt8]] {
    Dictionary(uniqueKeysWithValues: files.all.map { ($0, files.bytes($0)) })
  }

  @Test("On a disk that is full at any byte a call fails with a reason, and leaves nothing behind")
  func fullDisk() throws {
    let storage = try open()
    try storage.append(EventSamples.events(10..<13))
    let before = state()
    for prepends in [false, true] {
      for room in 0..<1000 {
        faults.space.withLock { $0 = room }
        let failure = #expect(throws: StorageFailure.self) {
          prepends
            ? try storage.prepend(EventSamples.events(0..<9))
            : try storage.append(EventSamples.events(13..<22))
        }
        #expect(failure?.message.hasSuffix("No space left on device") == true)
        guard state() == before, storage.count == 3 else {
          Issue.record("something is left with \(room) bytes")
          return
        }
      }
    }
    faults.space.withLock { $0 = .max }
    try storage.append(EventSamples.events(13..<22))
    try storage.prepend(EventSamples.events(1..<10))
    #expect(try numbers(storage) == Array(1..<22))
    #expect(storage.takeDamage().isEmpty)
  }

  @Test("On a disk that is full from the start, what is stored is read and removed")
  func fullAtStart() throws {
    do { try open().append(EventSamples.events(0..<6)) }
    var operations = QueueFiles.quick
    operations.write = { descriptor, bytes in
      // As on a file system: what is there may be written over, and nothing grows.
      let isNew = (try? Posix.status(of: descriptor))?.size == 0
      guard !isNew, fcntl(descriptor, F_GETFL) & O_APPEND == 0 else {
        errno = ENOSPC
        return -1
      }
      return FileOperations.system.write(descriptor, bytes)
    }
    do {
      let storage = try QueueFiles.open(files.folder, operations: operations)
      #expect(try numbers(storage) == Array(0..<6))
      try storage.removeFirst(3)
      #expect(throws: StorageFailure.self) { try storage.append(EventSamples.events(6..<7)) }
      #expect(throws: StorageFailure.self) { try storage.prepend(EventSamples.events(2..<3)) }
    }
    let storage = try open()
    #expect(try numbers(storage) == [3, 4, 5])
    #expect(storage.takeDamage().isEmpty)
  }

  @Test("A folder that is taken away while it is used is an error or is gone on in, and costs what was in it")
  func replacedFolder() throws {
    let replacements: [(String) throws -> Void] = [
      { _ in }, { _ = try folder.write("", to: PathParts($0).name) }, { symlink("/nowhere/queue", $0) },
      { symlink($0, $0) }, { mkdir($0, 0o700) },
      {
        mkdir(folder.path("elsewhere"), 0o700)
        symlink(folder.path("elsewhere"), $0)
      },
    ]
    for (number, replace) in replacements.enumerated() {
      let storage = try open()
      try storage.append(EventSamples.events(0..<6))
      let isFolder = number > 3
      try Posix.rename(files.folder, to: folder.path("away\(number)"))
      try replace(files.folder)
      // Whoever asks first learns of the loss.
      #expect((try? numbers(storage)) ?? [] == [])
      let isStored = (try? storage.append(EventSamples.events(6..<9))) != nil
      #expect(isStored == isFolder)
      #expect((try? numbers(storage)) ?? [] == (isFolder ? [6, 7, 8] : []))
      try? storage.removeFirst(1)
      try? storage.removeAll()
      unlink(files.folder)
      try? FileManager.default.removeItem(atPath: files.folder)
    }
  }

  @Test("After a failed sync nothing is acknowledged that is not in a new, synced file")
  func failedSync() throws {
    let storage = try open()
    try storage.append(EventSamples.events(0..<2))
    let path = try #require(files.segments.first)
    // As long as it is open no other file has its identity.
    let descriptor = try Posix.open(path)
    defer { Posix.close(descriptor) }
    let before = try Posix.status(of: descriptor).identity
    // The write's own sync fails, and so does that of the cut that follows.
    for syncs in 0...1 {
      faults.syncs.withLock { $0 = 0 }
      #expect(throws: StorageFailure.self) { try storage.append(EventSamples.events(2..<3)) }
      #expect(try numbers(storage) == [0, 1])
      // Nor is the new file synced.
      faults.syncs.withLock { $0 = 0 }
      #expect(throws: StorageFailure.self) { try storage.append(EventSamples.events(2..<3)) }
      faults.syncs.withLock { $0 = syncs }
      #expect(throws: StorageFailure.self) { try storage.append(EventSamples.events(2..<3)) }
    }
    faults.syncs.withLock { $0 = .max }
    try storage.append(EventSamples.events(2..<3))
    #expect(Posix.status(at: path)?.identity != before)
    #expect(try numbers(storage) == [0, 1, 2])
    try storage.append(EventSamples.events(3..<9))
    #expect(try numbers(storage) == Array(0..<9))
  }

  @Test("A segment whose name is not durable is not acknowledged and is taken back")
  func failedFolderSync() throws {
    let storage = try open()
    for prepends in [false, true] {
      faults.folderSyncs.withLock { $0 = 1 }
      #expect(throws: StorageFailure.self) {
        prepends
          ? try storage.prepend(EventSamples.events(0..<8)) : try storage.append(EventSamples.events(0..<8))
      }
      #expect(storage.count == (prepends ? 1 : 0))
      #expect(files.segments.count == (prepends ? 1 : 0))
      faults.folderSyncs.withLock { $0 = .max }
      if !prepends { try storage.append(EventSamples.events(8..<9)) }
    }
    #expect(try numbers(storage) == [8])
  }

  @Test("Removing that cannot be noted has removed nothing, and can be done again with less")
  func failedRemoval() throws {
    do {
      let storage = try open()
      try storage.append(EventSamples.events(0..<11))
      for syncs in 0...2 {
        faults.syncs.withLock { $0 = syncs }
        #expect(throws: StorageFailure.self) { try storage.removeFirst(10) }
        #expect(try numbers(storage) == Array(0..<11))
      }
      faults.space.withLock { $0 = 0 }
      faults.syncs.withLock { $0 = .max }
      #expect(throws: StorageFailure.self) { try storage.removeFirst(1) }
      faults.space.withLock { $0 = .max }
      try storage.removeFirst(3)
      #expect(try numbers(storage) == Array(3..<11))
    }
    let storage = try open()
    // The second and the third segment were noted as read in vain.
    #expect(try numbers(storage).first == 3)
  }

  @Test("A segment that can no longer be read is set aside, and others go on")
  func failedRead() throws {
    let storage = try open()
    try storage.append(EventSamples.events(0..<6))
    _ = try storage.first(1)
    faults.isReadLost.withLock { $0 = true }
    #expect(try numbers(storage) == [])
    #expect(storage.takeDamage().events == 6)
    #expect(storage.count == 0)
    try storage.append(EventSamples.events(6..<7))
    faults.isReadLost.withLock { $0 = false }
    #expect(try numbers(storage) == [6])
    #expect(files.all.count { $0.hasSuffix(".damaged") } == 2)
  }

  @Test("What grows or shrinks a segment meanwhile costs nothing that was stored before and after")
  func foreignWriter() throws {
    let storage = try open()
    try storage.append(EventSamples.events(0..<2))
    let path = try #require(files.segments.first)
    try files.write(files.bytes(path) + [1, 2, 3], to: path)
    try storage.append(EventSamples.events(2..<4))
    #expect(try numbers(storage) == [0, 1, 2, 3])
    let last = try #require(files.segments.last)
    try files.write(Array(files.bytes(last).dropLast(3)), to: last)
    try storage.append(EventSamples.events(4..<6))
    #expect(try numbers(storage) == [0, 1, 2, 4, 5])
    #expect(storage.takeDamage().events == 1)
    #expect(storage.count == 5)
  }

  @Test("A folder that cannot be used is refused with its path")
  func folders() throws {
    let file = try folder.write("", to: "file")
    for path in [file, file + "/below", "/dev/null/queue", "/proc/queue"] {
      let failure = #expect(throws: StorageFailure.self) { try SegmentedEventStorage(folder: path) }
      #expect(failure?.message.contains(path) == true, "\(failure?.message ?? "")")
    }
    #expect(mkdir(folder.path("other"), 0o700) == 0)
    #expect(mkdir(folder.path("other/queue.lock"), 0o700) == 0)
    #expect(throws: StorageFailure.self) { try SegmentedEventStorage(folder: folder.path("other")) }
  }

  @Test("A link to a folder is as good as the folder")
  func link() throws {
    do { try open().append(EventSamples.events(0..<1)) }
    #expect(symlink(files.folder, folder.path("link")) == 0)
    let storage = try SegmentedEventStorage(folder: folder.path("link"))
    #expect(try numbers(storage) == [0])
    #expect(throws: StorageFailure.self) { try open() }
  }
}
