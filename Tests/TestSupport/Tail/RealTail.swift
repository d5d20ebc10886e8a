import Foundation
package import JSONLines
package import Platform

/// A tail over real files in a folder of its own, driven step by step: time passes only when the test says so.
@dynamicMemberLookup
package final class RealTail {
  /// The means by which the tail learns of changes.
  package enum Watching: CaseIterable, Sendable {
    case inotify, polling

    /// The watcher; `nil` if this system does not have it.
    package func make() -> (any ChangeWatcher)? {
      switch self {
      case .inotify:
        #if canImport(Glibc)
          return InotifyWatcher()
        #else
          return makeChangeWatcher()
        #endif
      case .polling: return PollingWatcher()
      }
    }
  }

  /// The requested watcher is not available.
  package struct NoWatcher: Error {
    package init() {}
  }

  package let folder: String
  package private(set) var now = MonotonicInstant(1000)
  private var outcome = TailOutcome()
  /// Looks caused by a notification or a deadline.
  package private(set) var looks = 0
  /// The lines written by the test, in order.
  package private(set) var written: [String] = []
  /// Receives the tail's output before it is processed here.
  package var tap: ((TailOutput) -> Void)?
  private let temporary: TemporaryFolder
  private var set: TailSet?
  private let watcher: any ChangeWatcher
  private let fileSystem: any TailFileSystem
  private var serial = 0

  package init(_ watcher: any ChangeWatcher, fileSystem: any TailFileSystem = PosixFileSystem()) throws {
    self.watcher = watcher
    self.fileSystem = fileSystem
    temporary = try TemporaryFolder()
    folder = temporary.url.path
  }

  package convenience init(
    _ watching: Watching, fileSystem: any TailFileSystem = PosixFileSystem()
  ) throws {
    guard let watcher = watching.make() else { throw NoWatcher() }
    try self.init(watcher, fileSystem: fileSystem)
  }

  package var path: String { folder + "/app.jsonl" }

  package func start(
    _ sources: [TailSource]? = nil, at start: TailStateMachine.Start = .beginning, input: Int32 = 0,
    settles: Bool = true, lateFiles: Int? = nil
  ) {
    var options = TailStateMachine.Options(start: start)
    options.lateFiles = lateFiles ?? options.lateFiles
    let set = TailSet(
      sources: sources ?? [.file(path)], fileSystem: fileSystem, watcher: watcher, options: options,
      input: input)
    self.set = set
    guard settles else { return }
    look(set)
    settle()
  }

  /// Reads at most about this many bytes, without looking first.
  ///
  /// - Returns: True if there is more to read.
  package func readOn(_ budget: Int) -> Bool {
    guard let set else { return false }
    set.run(at: now, budget: budget) { take($0, $1) }
    return set.isBusy
  }

  /// Looks without reading.
  package func lookOnly() {
    looks += 1
    set?.look(at: now)
  }

  /// Looks as long as there are notifications; twice with a watcher that has none.
  package func settle() {
    guard let set else { return }
    if watcher.descriptor == nil { for _ in 0..<2 { look(set) } }
    var rounds = 0
    while rounds < 1000, isTold(set) || (set.deadline(now: now).map { $0 <= now } ?? false) {
      look(set)
      rounds += 1
    }
  }

  package func pass(_ seconds: Double) {
    // In steps, so that work done at one deadline can set the next one.
    for _ in 0..<20 {
      now += seconds / 20
      settle()
    }
  }

  private func look(_ set: TailSet) {
    lookOnly()
    repeat { set.run(at: now) { take($0, $1) } } while set.isBusy
  }

  private func isTold(_ set: TailSet) -> Bool {
    var requests = set.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    return poll(&requests, UInt(requests.count), 0) > 0
  }

  private func take(_ member: TailMember, _ output: TailOutput) {
    tap?(output)
    outcome.take(member, output)
  }

  package subscript<Part>(dynamicMember part: KeyPath<TailOutcome, Part>) -> Part { outcome[keyPath: part] }

  // MARK: Writing

  /// A line with a unique number; all lines have the same length.
  package func nextLine() -> String {
    serial += 1
    let line =
      "{\"metric\":{\"bucket\":\"app\",\"name\":\"push_ms\",\"valueTypeString\":\"Int\"},\"timestamp\":\(1_000_000 + serial)}"
    written.append(line)
    return line
  }

  /// Records that a line was written once more.
  package func wroteAgain(_ line: String) { written.append(line) }

  /// Appends lines with `O_APPEND`, to `path` or another file.
  package func write(_ count: Int, to path: String? = nil) {
    let descriptor = open(path ?? self.path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    write(count, on: descriptor)
    close(descriptor)
  }

  package func write(_ count: Int, on descriptor: Int32) {
    put((0..<count).map { _ in nextLine() + "\n" }.joined(), on: descriptor)
  }

  package func put(_ text: String, on descriptor: Int32) {
    put(Array(text.utf8), on: descriptor)
  }

  package func put(_ bytes: [UInt8], on descriptor: Int32) {
    _ = Foundation.write(descriptor, bytes, bytes.count)
  }

  package func move(_ old: String, _ new: String) { rename(old, new) }

  /// Renames like `logrotate`: every number is incremented.
  package func shiftRotated() {
    for number in (1..<40).reversed() { rename("\(path).\(number)", "\(path).\(number + 1)") }
  }

  package func copy(_ old: String, _ new: String) throws {
    try FileManager.default.copyItem(atPath: old, toPath: new)
  }
}

/// Splits bytes into lines, like a reader of the tail.
package enum LineSplitter {
  /// - Parameter waiting: The incomplete line so far; replaced by the one after the last newline.
  package static func take(_ bytes: UnsafeRawBufferPointer, after waiting: inout [UInt8]) -> [String] {
    var lines: [String] = []
    var rest = bytes
    while let base = rest.baseAddress, let newline = memchr(base, 10, rest.count) {
      let count = UnsafeRawPointer(newline) - base
      waiting += rest[..<count]
      lines.append(String(decoding: waiting, as: UTF8.self))
      waiting.removeAll(keepingCapacity: true)
      rest = UnsafeRawBufferPointer(rebasing: rest[(count + 1)...])
    }
    waiting += rest
    return lines
  }
}
