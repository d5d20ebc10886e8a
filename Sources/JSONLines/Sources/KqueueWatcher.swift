#if canImport(Darwin)
  import Essentials
  import Platform

  /// Watches with kqueue; written for macOS but never run there, as the README says.
  package final class KqueueWatcher: ChangeWatcher {
    private let queue: Int32
    private var opened: [Int: [PathKey: Int32]] = [:]
    private var held: [Int: [FileToken]] = [:]
    private var isBlind = false

    package init?() {
      queue = kqueue()
      guard queue >= 0 else { return nil }
    }

    deinit {
      for descriptor in opened.values.flatMap(\.values) { close(descriptor) }
      close(queue)
    }

    package var descriptor: Int32? { queue }
    package var interval: Double? { isBlind ? 0.2 : nil }

    package func watch(_ targets: WatchTargets, for member: Int) -> Bool {
      let points = WatchPoints(path: targets.path, isFolder: targets.isFolder)
      let wanted = Set((points.names.map(\.directory) + points.directories).map { PathKey($0) })
      var isNew = false
      for (path, descriptor) in opened[member] ?? [:] where !wanted.contains(path) {
        close(descriptor)
        opened[member]?[path] = nil
      }
      for path in wanted where opened[member]?[path] == nil {
        let descriptor = open(path.text, O_EVTONLY | O_CLOEXEC)
        if descriptor >= 0 {
          opened[member, default: [:]][path] = descriptor
          add(descriptor, member)
          isNew = true
        } else if errno != ENOENT, errno != ENOTDIR {
          isBlind = true
        }
      }
      for file in targets.files where held[member]?.contains(file) != true {
        add(file.rawValue, member)
        isNew = true
      }
      held[member] = targets.files
      return isNew
    }

    private func add(_ descriptor: Int32, _ member: Int) {
      let notes = NOTE_WRITE | NOTE_EXTEND | NOTE_DELETE | NOTE_RENAME | NOTE_ATTRIB | NOTE_REVOKE
      var event = kevent(
        ident: UInt(descriptor), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR),
        fflags: UInt32(notes), data: 0, udata: UnsafeMutableRawPointer(bitPattern: member + 1))
      if kevent(queue, &event, 1, nil, 0, nil) < 0 { isBlind = true }
    }

    package func changes() -> WatchedChanges {
      var events = [kevent](repeating: kevent(), count: 64)
      var members: Set<Int> = []
      var now = timespec()
      while case let count = kevent(queue, nil, 0, &events, Int32(events.count), &now), count > 0 {
        for event in events[..<Int(count)] { members.insert(Int(bitPattern: event.udata) - 1) }
      }
      return isBlind ? .all : .members(members)
    }
  }
#endif
