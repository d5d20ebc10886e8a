package import Platform

/// Follows several sources together.
///
/// The driver of the drivers: it knows each file's watched paths and gives every file its turn. It neither waits nor
/// reads a clock; ``TailLoop`` does.
package final class TailSet {
  private let fileSystem: any TailFileSystem
  private let watcher: any ChangeWatcher
  private var poller: FilePoller
  private let options: TailStateMachine.Options
  private let startOf: (String, _ isNew: Bool) -> TailStateMachine.Start
  private var folders: [Folder] = []
  private let folderFiles: FolderFiles
  /// The files of each followed folder that are not read.
  package private(set) var leftOut: [FolderLeftOut] = []
  private var tails: [Int: FileTail] = [:]
  private var watched: [Int: WatchTargets] = [:]
  private let buffers: TailBuffers
  private var input: StandardInputTail?
  /// The paths of all members that are files.
  private var paths: Set<PathKey> = []
  private var dirty = Turns()
  private var nextIndex = 0
  private var isStarted = false

  package private(set) var members: [TailMember] = []

  /// - Parameters:
  ///   - input: The reader of standard input, if that is one of the sources.
  ///   - watcher: `nil` for the best one of this system, or for none if looks at size and time take its place.
  ///   - startOf: The start for a path, given whether it appeared in a folder that is already followed; the default is
  ///     the one in the options.
  package init(
    sources: [TailSource], fileSystem: any TailFileSystem = PosixFileSystem(),
    watcher: (any ChangeWatcher)? = nil, polling: PollOptions = PollOptions(),
    options: TailStateMachine.Options = TailStateMachine.Options(), input: Int32 = 0,
    startOf: ((String, _ isNew: Bool) -> TailStateMachine.Start)? = nil
  ) {
    self.fileSystem = fileSystem
    self.watcher = watcher ?? (polling.forced == nil ? makeChangeWatcher() : NoWatcher())
    poller = FilePoller(fileSystem, polling)
    self.options = options
    folderFiles = FolderFiles(fileSystem)
    buffers = TailBuffers(size: options.chunk + TailMark.limit)
    self.startOf = startOf ?? { _, _ in options.start }
    for source in sources {
      switch source {
      case .file(let path): add(path)
      case .folder(let path):
        folders.append(Folder(path: path, index: nextIndex))
        leftOut.append(FolderLeftOut(folder: path))
        nextIndex += 1
      case .standardInput:
        self.input = StandardInputTail(descriptor: input, member: TailMember(index: nextIndex, path: "-"))
        members.append(TailMember(index: nextIndex, path: "-"))
        nextIndex += 1
      }
    }
  }

  private func add(_ path: String, isNew: Bool = false) {
    paths.insert(PathKey(path))
    var options = options
    options.start = startOf(path, isNew)
    tails[nextIndex] = FileTail(path: path, fileSystem: fileSystem, options: options, buffers: buffers)
    members.append(TailMember(index: nextIndex, path: path))
    dirty.insert(nextIndex)
    nextIndex += 1
  }

  /// Descriptors whose readiness calls for ``look(_:at:)``.
  package var descriptors: [Int32] { [watcher.descriptor, input?.openDescriptor].compactMap { $0 } }

  /// The position delivered so far, for each path.
  package var positions: [PathKey: TailPosition] {
    var positions: [PathKey: TailPosition] = [:]
    for tail in tails.values { positions[PathKey(tail.path)] = tail.position }
    return positions
  }

  /// The tail of a member; `nil` for standard input.
  package func tail(of member: TailMember) -> FileTail? { tails[member.index] }

  /// The time of the next unprompted check; `nil` if waiting for descriptors is enough.
  ///
  /// - Parameter now: The time of the clock used everywhere.
  package func deadline(now: MonotonicInstant) -> MonotonicInstant? {
    let deadlines = tails.values.compactMap(\.deadline)
    let folders = zip(folders, leftOut).filter { $1.isEmpty && $1.hasPending }.map { folder, _ in
      folder.scannedAt + poller.options.idleInterval
    }
    let others = [poller.deadline(), watcher.interval.map { now + $0 }].compactMap { $0 }
    return (deadlines + folders + others).min()
  }

  /// True if there is more to read immediately.
  package var isBusy: Bool { !dirty.isEmpty }

  /// Examines everything that may have changed.
  package func look(at now: MonotonicInstant) {
    let told = isStarted ? watcher.changes() : .all
    isStarted = true
    let changes = told.adding(poller.look(at: now, told: told))
    scanFolders(changes, now)
    for index in members.map(\.index) {
      guard let tail = tails[index] else { continue }
      let isDue = tail.deadline.map { $0 <= now } ?? false
      if isDue || changes.concern(index) || dirty.contains(index) { wake(index, tail, now) }
    }
  }

  private func wake(_ index: Int, _ tail: FileTail, _ now: MonotonicInstant) {
    if watched[index] == nil { watch(index, tail, now) }
    tail.wake(at: now)
    dirty.insert(index)
  }

  /// - Returns: True if something new is watched.
  @discardableResult
  private func watch(_ index: Int, _ tail: FileTail, _ now: MonotonicInstant) -> Bool {
    let targets = WatchTargets(path: tail.path, files: tail.heldFiles, openings: tail.openings)
    watched[index] = targets
    poller.set(targets, for: index, isFound: tail.state == .following, at: now)
    return watcher.watch(targets, for: index)
  }

  /// Reads what is available, a part of each member in turn.
  ///
  /// - Parameters:
  ///   - now: As for ``look(at:)``.
  ///   - budget: Bytes per turn.
  ///   - deliver: Must be done with the output when it returns.
  package func run(at now: MonotonicInstant, budget: Int = 1 << 20, deliver: (TailMember, TailOutput) -> Void)
  {
    for (index, reason) in poller.takeNews() {
      guard let tail = tails[index] else { continue }
      deliver(
        TailMember(index: index, path: tail.path), .polled(reason, every: poller.options.pace))
    }
    input?.run(budget: budget, deliver: deliver)
    for index in dirty.takeAll() {
      guard let tail = tails[index] else { continue }
      let member = TailMember(index: index, path: tail.path)
      tail.run(budget: budget) { deliver(member, $0) }
      if tail.isBusy { dirty.insert(index) } else { rewatch(index, tail, now) }
    }
  }

  /// Watches the file again after the held file or the path's target changed, and examines it once more, because
  /// changes before the watch was set are not reported.
  private func rewatch(_ index: Int, _ tail: FileTail, _ now: MonotonicInstant) {
    let targets = WatchTargets(path: tail.path, files: tail.heldFiles, openings: tail.openings)
    let isSettled = tail.state == .following && watched[index] == targets
    guard !isSettled else { return }
    if watch(index, tail, now) {
      tail.wake(at: now)
      dirty.insert(index)
    }
  }

  /// Seconds between two looks at files that may yet get records.
  private static let pause = 1.0

  private func scanFolders(_ changes: WatchedChanges, _ now: MonotonicInstant) {
    for (place, folder) in folders.enumerated()
    where changes.concern(folder.index) || leftOut[place].hasPending && now >= folder.scannedAt + Self.pause {
      let targets = WatchTargets(path: folder.path, isFolder: true)
      if !folder.isKnown { poller.set(targets, for: folder.index, isFound: true, at: now) }
      folders[place].isKnown = true
      folders[place].scannedAt = now
      _ = watcher.watch(targets, for: folder.index)
      let listing = (try? folderFiles.list(folder.path)) ?? FolderFiles.Listing()
      for name in listing.taken {
        let path = PathParts.join(folder.path, name)
        if !paths.contains(PathKey(path)) { add(path, isNew: folder.isKnown) }
      }
      leftOut[place] = FolderLeftOut(
        folder: folder.path, files: listing.leftOut, isEmpty: listing.taken.isEmpty)
    }
  }
}

/// A followed folder.
private struct Folder {
  var path: String
  var index: Int
  var isKnown = false
  var scannedAt = MonotonicInstant.distantPast
}

/// The files of a followed folder that are not read.
package struct FolderLeftOut: Hashable, Sendable {
  package var folder: String
  package var files: [FolderFiles.LeftOut] = []
  /// True if no file of the folder is read.
  package var isEmpty = true

  /// True if a file may yet get records: it is looked at again while something else wakes the thread, or every five
  /// seconds if nothing of the folder is read.
  var hasPending: Bool { files.contains { $0.reason == .noRecords } }

  package init(folder: String, files: [FolderFiles.LeftOut] = [], isEmpty: Bool = true) {
    self.folder = folder
    self.files = files
    self.isEmpty = isEmpty
  }
}

/// Members with work to do, in the order in which the work arrived.
private struct Turns {
  private var order: [Int] = []
  private var members: Set<Int> = []

  var isEmpty: Bool { order.isEmpty }
  func contains(_ index: Int) -> Bool { members.contains(index) }

  mutating func insert(_ index: Int) {
    if members.insert(index).inserted { order.append(index) }
  }

  mutating func takeAll() -> [Int] {
    defer { self = Turns() }
    return order
  }
}

extension WatchedChanges {
  func adding(_ members: Set<Int>) -> WatchedChanges {
    switch self {
    case .all: .all
    case .members(let others): .members(others.union(members))
    }
  }

  func concern(_ member: Int) -> Bool {
    switch self {
    case .all: true
    case .members(let members): members.contains(member)
    }
  }
}
