import Platform

/// Looks at files by size and time, where events do not tell of all changes.
///
/// - A file of a file system that others change, or one that has changed without an event, is looked at every second, and
///   every five seconds once it has been idle for ten minutes.
/// - Where events may be missing, the looks begin after a second and become rare: once a minute at last.
/// - Any other file is looked at only while its thread is awake for another reason, at most once a second. That causes no
///   wake-ups and finds a file whose events are missing.
struct FilePoller {
  /// Seconds after a change during which an event may still come.
  private static let grace = 1.0
  /// Looks after a change at which the file is read even if nothing seems to have changed: on a file system with coarse
  /// times, the next change may look the same.
  private static let repeats = 2
  /// Maximum number of files without a time of their own that are looked at together.
  private static let filesAtOnce = 256

  /// The size and time of a path and of the files held open.
  private typealias Facts = [Result<FileFingerprint, FileFailure>]

  private struct Entry {
    var targets: WatchTargets
    var mount: MountKind
    var reason: PollReason?
    /// Facts of the last look; `nil` if an event told of later changes.
    var seen: Facts?
    /// The time of the next look; `nil` if the file is looked at only while the thread is awake.
    var due: MonotonicInstant?
    var changedAt: MonotonicInstant
    /// The time of a change without an event so far.
    var doubt: MonotonicInstant?
    /// Seconds until the next look where events may be missing.
    var pause = 1.0
    var repeatsLeft = 0
    var isFound = true
  }

  private let fileSystem: any TailFileSystem
  let options: PollOptions
  private var entries: [Int: Entry] = [:]
  /// Members without a time of their own, and the next one in turn.
  private var turn = 0
  private var polledCount = 0
  private var nextRound = MonotonicInstant.distantPast
  /// The earliest time of a look; too early if ``isStale``.
  private var earliest: MonotonicInstant?
  private var isStale = false
  /// Members polled from now on, until they are announced.
  private var news: [(member: Int, reason: PollReason)] = []

  init(_ fileSystem: any TailFileSystem, _ options: PollOptions) {
    self.fileSystem = fileSystem
    self.options = options
  }

  /// Looks at the files of a member from now on.
  ///
  /// - Parameter isFound: False if nothing can be read under the path.
  mutating func set(_ targets: WatchTargets, for member: Int, isFound: Bool, at now: MonotonicInstant) {
    guard options.isOn else { return }
    let mount = fileSystem.mount(ofPath: targets.path)
    var entry = entries[member] ?? Entry(targets: targets, mount: mount, changedAt: now)
    entry.targets = targets
    entry.mount = mount
    entry.isFound = isFound
    entry.seen = nil
    let reason = options.reason(for: mount) ?? (entry.reason == .noEvent ? .noEvent : nil)
    if let reason, reason != entry.reason { news.append((member, reason)) }
    if (reason == nil) != (entry.reason == nil) { polledCount += reason == nil ? -1 : 1 }
    entry.reason = reason
    schedule(&entry, at: now)
    store(entry, of: member)
  }

  /// The time of the next look; `nil` if none is due by itself.
  mutating func deadline() -> MonotonicInstant? {
    if isStale { earliest = entries.values.lazy.compactMap(\.due).min() }
    isStale = false
    return earliest
  }

  /// The members that are polled from now on, each once.
  mutating func takeNews() -> [(member: Int, reason: PollReason)] {
    defer { news = [] }
    return news
  }

  /// Looks at the files whose turn it is.
  ///
  /// - Parameter told: Members of whose changes events have told.
  /// - Returns: Members that may have changed besides these.
  mutating func look(at now: MonotonicInstant, told: WatchedChanges) -> Set<Int> {
    heed(told, at: now)
    guard now >= min(nextRound, deadline() ?? .distantFuture) else { return [] }
    var changed: Set<Int> = []
    var members = entries.filter { $0.value.due.map { $0 <= now } ?? false }.map(\.key)
    if now >= nextRound {
      nextRound = now + Self.grace
      members += nextInTurn()
    }
    for member in members {
      if let entry = entries[member] { look(at: entry, of: member, now, &changed) }
    }
    return changed
  }

  private mutating func heed(_ told: WatchedChanges, at now: MonotonicInstant) {
    let members: Set<Int>
    switch told {
    case .members(let some): members = some
    case .all: members = Set(entries.keys)
    }
    for member in members {
      // Polled files are compared all the same: an event may tell of only some of the changes.
      guard var entry = entries[member] else { continue }
      entry.changedAt = now
      entry.doubt = nil
      if entry.reason == nil {
        entry.seen = nil
        entry.pause = options.doubtInterval
      }
      schedule(&entry, at: now)
      store(entry, of: member)
    }
  }

  /// The members without a time of their own whose turn it is.
  private mutating func nextInTurn() -> [Int] {
    let members = entries.lazy.filter { $0.value.due == nil }.map(\.key)
    guard members.count > Self.filesAtOnce else { return Array(members) }
    let sorted = members.sorted()
    turn %= sorted.count
    defer { turn += Self.filesAtOnce }
    return Array((sorted + sorted)[turn..<turn + Self.filesAtOnce])
  }

  private mutating func look(
    at entry: Entry, of member: Int, _ now: MonotonicInstant, _ changed: inout Set<Int>
  ) {
    var entry = entry
    defer {
      schedule(&entry, at: now)
      store(entry, of: member)
    }
    let facts = facts(of: entry)
    let isNew = entry.seen != facts
    defer { entry.seen = facts }
    if isNew || entry.repeatsLeft > 0 { changed.insert(member) }
    if entry.reason != nil {
      entry.repeatsLeft = isNew ? Self.repeats : max(0, entry.repeatsLeft - 1)
      if isNew { entry.changedAt = now }
      // Some file systems give a folder no time of change.
      if entry.targets.isFolder, now >= entry.changedAt + options.idleInterval {
        entry.changedAt = now
        changed.insert(member)
      }
      return
    }
    if let doubt = entry.doubt {
      guard now >= doubt + Self.grace else { return }
      (entry.doubt, entry.reason) = (nil, .noEvent)
      polledCount += 1
      news.append((member, .noEvent))
    } else if isNew, entry.seen != nil, entry.isFound {
      entry.doubt = now
    }
  }

  private func facts(of entry: Entry) -> Facts {
    if entry.mount.events != .all { fileSystem.refresh(entry.targets.path, entry.targets.files) }
    func facts(_ status: () throws(FileFailure) -> FileStatus) -> Facts.Element {
      do throws(FileFailure) { return .success(FileFingerprint(try status())) } catch {
        return .failure(error)
      }
    }
    return [facts { () throws(FileFailure) in try fileSystem.status(ofPath: entry.targets.path) }]
      + entry.targets.files.map { file in
        facts { () throws(FileFailure) in try fileSystem.status(of: file) }
      }
  }

  /// Sets the time of the next look.
  private func schedule(_ entry: inout Entry, at now: MonotonicInstant) {
    if let doubt = entry.doubt {
      entry.due = doubt + Self.grace
    } else if entry.reason != nil {
      let isIdle = options.forced == nil && now >= entry.changedAt + options.idleAfter
      let pause = isIdle ? options.idleInterval : options.pace
      entry.due = now + max(pause, Double(polledCount) / options.looksPerSecond)
    } else if !entry.isFound {
      // A file system may be mounted over the path.
      entry.due = now + options.idleInterval
    } else if entry.mount.events == .unsure {
      entry.due = now + entry.pause
      entry.pause = min(options.doubtInterval, entry.pause * 2)
    } else {
      entry.due = nil
    }
  }

  private mutating func store(_ entry: Entry, of member: Int) {
    let before = entries.updateValue(entry, forKey: member)?.due
    if let due = entry.due, due < earliest ?? .distantFuture { earliest = due }
    if let before, before == earliest, before != entry.due { isStale = true }
  }
}
