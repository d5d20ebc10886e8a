#if canImport(Glibc)
  import Essentials
  import Platform

  /// Watches with inotify: directories for names that come and go, open files for growth.
  ///
  /// Growth is watched on the files themselves rather than their directory, because a file is still written after its
  /// name is gone. If a watch cannot be set (limits, permissions), it falls back to polling.
  package final class InotifyWatcher: ChangeWatcher {
    private enum Interest: Hashable {
      case growth
      /// Only this name and the names it may be rotated to.
      case name(PathKey)
      case everyName
      /// The directory itself.
      case itself
    }

    /// The members interested in one watch: in a folder of thousands of files, each cares about a few names.
    private struct Interested {
      private(set) var wishes: [Int: Set<Interest>] = [:]
      private var byName: [PathKey: Set<Int>] = [:]
      private var ofAll: Set<Int> = []

      mutating func set(_ new: Set<Interest>?, for member: Int) {
        for case .name(let name) in wishes[member] ?? [] {
          byName[name]?.remove(member)
          if byName[name]?.isEmpty == true { byName[name] = nil }
        }
        ofAll.remove(member)
        wishes[member] = new
        for wish in new ?? [] {
          if case .name(let name) = wish {
            byName[name, default: []].insert(member)
          } else {
            ofAll.insert(member)
          }
        }
      }

      /// The members affected by an event with this name; an event without a name is about the watched path itself.
      func members(_ name: String) -> Set<Int> {
        guard !name.isEmpty else { return Set(wishes.keys) }
        guard !byName.isEmpty else { return ofAll }
        return ([name] + RotatedName.originals(of: name)).reduce(into: ofAll) { members, name in
          if let known = byName[PathKey(name)] { members.formUnion(known) }
        }
      }
    }

    private let queue: Int32
    private var interests: [Int32: Interested] = [:]
    /// The watches of each member, so that replacing one member's need not search them all.
    private var watches: [Int: Set<Int32>] = [:]
    private var blind: Set<Int> = []
    /// Seconds between checks of the paths that could not be watched.
    private let fallbackInterval: Double

    /// - Returns: `nil` if no inotify instance is available.
    package init?(fallbackInterval: Double = 0.2) {
      queue = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      self.fallbackInterval = fallbackInterval
      guard queue >= 0 else { return nil }
    }

    deinit {
      close(queue)
    }

    package var descriptor: Int32? { queue }
    package var interval: Double? { blind.isEmpty ? nil : fallbackInterval }

    package func watch(_ targets: WatchTargets, for member: Int) -> Bool {
      var wanted: [Int32: Set<Interest>] = [:]
      blind.remove(member)
      for file in targets.files {
        // Via the descriptor: the name may refer to another file by now, or to none.
        add("/proc/self/fd/\(file.rawValue)", Events.growth, .growth, member, &wanted)
      }
      let points = WatchPoints(path: targets.path, isFolder: targets.isFolder)
      for (directory, name) in points.names {
        add(directory, Events.names, name.map { .name(PathKey($0)) } ?? .everyName, member, &wanted)
      }
      for directory in points.directories {
        add(directory, Events.itself, .itself, member, &wanted)
      }
      return replace(for: member, by: wanted)
    }

    private func add(
      _ path: String, _ events: Int32, _ interest: Interest, _ member: Int,
      _ wanted: inout [Int32: Set<Interest>]
    ) {
      let watch = inotify_add_watch(queue, path, UInt32(bitPattern: events | Int32(IN_MASK_ADD)))
      if watch >= 0 {
        wanted[watch, default: []].insert(interest)
      } else if errno != ENOENT, errno != ENOTDIR {
        blind.insert(member)
      }
    }

    private func replace(for member: Int, by wanted: [Int32: Set<Interest>]) -> Bool {
      var isNew = false
      for (watch, wishes) in wanted where interests[watch]?.wishes[member] != wishes {
        interests[watch, default: Interested()].set(wishes, for: member)
        isNew = true
      }
      let before = watches.updateValue(Set(wanted.keys), forKey: member) ?? []
      for watch in before where wanted[watch] == nil && interests[watch]?.wishes[member] != nil {
        interests[watch]?.set(nil, for: member)
        if interests[watch]?.wishes.isEmpty == true {
          interests[watch] = nil
          inotify_rm_watch(queue, watch)
        }
      }
      return isNew
    }

    package func changes() -> WatchedChanges {
      var members = blind
      var isComplete = true
      withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 8) { buffer in
        while case let count = read(queue, buffer.baseAddress, buffer.count), count > 0 {
          var position = 0
          while position + MemoryLayout<inotify_event>.size <= count {
            let event = buffer.loadUnaligned(fromByteOffset: position, as: inotify_event.self)
            let start = position + MemoryLayout<inotify_event>.size
            position = start + Int(event.len)
            guard position <= count else { break }
            if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { isComplete = false }
            let name = String(decoding: buffer[start..<position].prefix { $0 != 0 }, as: UTF8.self)
            collect(event, name, &members)
          }
        }
      }
      return isComplete ? .members(members) : .all
    }

    private func collect(_ event: inotify_event, _ name: String, _ members: inout Set<Int>) {
      guard let interested = interests[event.wd] else { return }
      members.formUnion(interested.members(name))
      // The kernel drops a watch with its file.
      if event.mask & UInt32(IN_IGNORED) != 0 { interests[event.wd] = nil }
    }
  }

  /// The kernel's event bits, which are imported with different types.
  private enum Events {
    static let growth = Int32(IN_MODIFY) | Int32(IN_ATTRIB)
    static let names =
      Int32(IN_CREATE) | Int32(IN_DELETE) | Int32(IN_MOVED_FROM) | Int32(IN_MOVED_TO) | Int32(IN_ATTRIB)
    static let itself = Int32(IN_MOVE_SELF) | Int32(IN_DELETE_SELF)
  }
#endif
