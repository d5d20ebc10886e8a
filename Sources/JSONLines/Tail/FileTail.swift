package import Platform

/// Read buffers shared by the tails of one thread: idle tails need none.
package final class TailBuffers {
  private let size: Int
  private var spare: [UnsafeMutableRawBufferPointer] = []

  /// - Parameter size: Bytes per buffer.
  package init(size: Int) { self.size = size }

  deinit { for buffer in spare { buffer.deallocate() } }

  func take() -> UnsafeMutableRawBufferPointer {
    spare.popLast() ?? .allocate(byteCount: size, alignment: 64)
  }

  func giveBack(_ buffer: UnsafeMutableRawBufferPointer) {
    guard buffer.baseAddress != nil else { return }
    if spare.isEmpty { spare.append(buffer) } else { buffer.deallocate() }
  }
}

/// Follows one path by performing the decisions of a ``TailStateMachine``.
///
/// Nothing happens by itself. Call ``wake(at:)`` when something may have changed or the deadline is reached, then
/// ``run(budget:deliver:)`` until there is no work left. Delivered output must be processed before the call returns, so
/// a slow receiver slows down reading and memory stays at one read.
package final class FileTail {
  package let path: String
  private let fileSystem: any TailFileSystem
  private var machine: TailStateMachine
  private var pending: [TailAction] = []
  private let buffers: TailBuffers
  /// Allocated only while there is work.
  private var buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var hasStarted = false
  /// The time of a wake that came during other work; its changes are checked when that work is done.
  private var missedWake: MonotonicInstant?
  /// Number of files opened under the path.
  package private(set) var openings = 0
  private var delivered: TailPosition?
  /// Number of bytes that the pending `deliver` refers to.
  private var readCount = 0

  package init(
    path: String, fileSystem: any TailFileSystem = PosixFileSystem(),
    options: TailStateMachine.Options = TailStateMachine.Options(), buffers: TailBuffers? = nil
  ) {
    self.path = path
    self.fileSystem = fileSystem
    machine = TailStateMachine(options: options)
    self.buffers = buffers ?? TailBuffers(size: options.chunk + TailMark.limit)
  }

  deinit {
    for file in machine.heldFiles { fileSystem.close(file) }
    buffers.giveBack(buffer)
  }

  package var state: TailState { machine.state }
  /// The time to wake it even if nothing changes, on the clock passed to ``wake(at:)``.
  package var deadline: MonotonicInstant? { machine.deadline }
  /// The delivered position, to be saved; `nil` if no file was read yet.
  package var position: TailPosition? {
    // Bytes count as read only after delivery.
    let isAhead = pending.contains { if case .deliver = $0 { true } else { false } }
    if !isAhead { delivered = machine.position }
    return delivered
  }
  /// The file whose bytes are delivered next: of a rotated one for a while, if that has grown.
  package var front: FileStatus? { machine.segments.first?.status }
  /// Open files, for a watcher of the files themselves.
  package var heldFiles: [FileToken] { machine.heldFiles }
  /// True if ``run(budget:deliver:)`` has work left.
  package var isBusy: Bool { !pending.isEmpty || missedWake != nil }

  /// Notes that something may have changed, or that the deadline is reached.
  ///
  /// - Parameter now: The time; use the same clock for every call.
  package func wake(at now: MonotonicInstant) {
    guard pending.isEmpty else {
      missedWake = now
      return
    }
    missedWake = nil
    pending = (hasStarted ? machine.woken(at: now) : machine.started(at: now)).reversed()
    hasStarted = true
  }

  /// Performs pending work, until none is left or about `budget` bytes were read.
  package func run(budget: Int = .max, deliver: (TailOutput) -> Void) {
    if buffer.baseAddress == nil { buffer = buffers.take() }
    defer {
      if !isBusy {
        buffers.giveBack(buffer)
        buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)
      }
    }
    var left = budget
    while left > 0, let action = nextAction() {
      let next = perform(action, deliver)
      if case .read = action { left -= readCount }
      // Depth first: the consequences of an action come before the remaining actions.
      pending.append(contentsOf: next.reversed())
    }
  }

  private func nextAction() -> TailAction? {
    if pending.isEmpty, let missedWake { wake(at: missedWake) }
    return pending.popLast()
  }

  private func perform(_ action: TailAction, _ deliver: (TailOutput) -> Void) -> [TailAction] {
    switch action {
    case .examinePath:
      return machine.pathExamined(result { () throws(FileFailure) in try fileSystem.status(ofPath: path) })
    case .openPath:
      return openPath()
    case .examine(let file):
      return machine.fileExamined(file, result { () throws(FileFailure) in try fileSystem.status(of: file) })
    case .read(let file, let offset, let count):
      return read(file, offset, count)
    case .inspectSiblings(let inspection):
      let found = SiblingInspector(path: path, fileSystem: fileSystem).inspect(inspection)
      openings += found.siblings.count
      return machine.siblingsInspected(found.siblings, path: found.path, held: found.held)
    case .findLineStart, .findWindow, .findData, .compare, .search:
      return seek(action)
    case .close(let file):
      fileSystem.close(file)
      return []
    case .reopen(let file, let identity):
      fileSystem.reopen(file, at: path, identity)
      return []
    case .deliver, .offerEarlier, .restart, .report, .show:
      hand(action, to: deliver)
      return []
    }
  }

  private func hand(_ action: TailAction, to deliver: (TailOutput) -> Void) {
    switch action {
    case .deliver(let part, let offset):
      deliver(.bytes(UnsafeRawBufferPointer(rebasing: buffer[part]), offset: offset))
    case .offerEarlier(let file, let end):
      if end > 0, let copy = try? fileSystem.duplicate(file) {
        deliver(.earlier(EarlierBytes(of: copy, in: fileSystem, end: end)))
      } else if end > 0 {
        deliver(.gap(TailGap(reason: .unreadable, bytes: end)))
      }
    case .restart(let restart): deliver(.restarted(restart))
    case .report(let gap): deliver(.gap(gap))
    case .show(let state): deliver(.state(state))
    case .examinePath, .openPath, .examine, .read, .inspectSiblings, .findLineStart, .findWindow, .compare,
      .search, .findData, .close, .reopen:
      break
    }
  }

  private func openPath() -> [TailAction] {
    do throws(FileFailure) {
      // Checked first: opening a device can have side effects.
      guard try fileSystem.status(ofPath: path).kind == .regular else {
        return machine.pathExamined(result { () throws(FileFailure) in try fileSystem.status(ofPath: path) })
      }
      let file = try fileSystem.open(path)
      openings += 1
      machine.isShared = fileSystem.mount(ofPath: path).events == .none
      do throws(FileFailure) {
        return machine.pathOpened(file, try storedStatus(of: file))
      } catch {
        fileSystem.close(file)
        return machine.pathOpenFailed(error)
      }
    } catch {
      return machine.pathOpenFailed(error)
    }
  }

  /// The status of a file; fails for files with generated content, as in `/proc`, which cannot be followed.
  private func storedStatus(of file: FileToken) throws(FileFailure) -> FileStatus {
    var status = try fileSystem.fullStatus(of: file)
    guard status.kind == .regular, status.size == 0 else { return status }
    let first = UnsafeMutableRawBufferPointer(rebasing: buffer[..<1])
    guard let count = try? fileSystem.read(file, at: 0, into: first), count > 0 else { return status }
    // It may also have grown in the meantime.
    status = try fileSystem.fullStatus(of: file)
    if status.size == 0 { status.kind = .generated }
    return status
  }

  private func read(_ file: FileToken, _ offset: UInt64, _ count: Int) -> [TailAction] {
    readCount = 0
    do throws(FileFailure) {
      let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(count, buffer.count)])
      readCount = try fileSystem.read(file, at: offset, into: part)
      return machine.bytesWereRead(
        UnsafeRawBufferPointer(rebasing: buffer[..<readCount]), from: file, at: offset)
    } catch {
      return machine.readFailed(file, error)
    }
  }

  private func seek(_ action: TailAction) -> [TailAction] {
    let finder = ByteFinder(fileSystem: fileSystem)
    do throws(FileFailure) {
      switch action {
      case .findLineStart(let file, let end):
        return machine.lineStartFound(file, try finder.lineStart(in: file, before: end))
      case .findWindow(let file, let size, let bytes):
        let end = try finder.contentEnd(in: file, before: size)
        return machine.lineStartFound(
          file, try finder.lineStart(in: file, before: end - min(end, bytes)))
      case .findData(let file, let offset):
        return machine.dataFound(file, at: try finder.contentStart(in: file, from: offset))
      case .compare(let file, let mark):
        return machine.markCompared(file, try finder.has(mark, in: file))
      case .search(let file, let lines):
        return machine.linesSearched(file, found: try finder.place(of: lines, in: file))
      case .examinePath, .openPath, .examine, .read, .deliver, .inspectSiblings, .close, .reopen,
        .offerEarlier, .restart, .report, .show:
        return []
      }
    } catch {
      return machine.seekFailed(action, error)
    }
  }

  private func result<Value>(_ call: () throws(FileFailure) -> Value) -> Result<Value, FileFailure> {
    do throws(FileFailure) {
      return .success(try call())
    } catch {
      return .failure(error)
    }
  }
}
