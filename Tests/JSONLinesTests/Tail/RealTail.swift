import Foundation
import JSONLines

/// A tail over real files in a folder of its own, driven by hand: time only passes when the test says so.
final class RealTail {
  let folder: String
  private(set) var now = 1000.0
  private(set) var lines: [String] = []
  private(set) var gaps: [TailGap] = []
  private(set) var restarts: [TailRestart.Reason] = []
  private(set) var states: [TailState] = []
  /// Looks that were taken because something was told or due.
  private(set) var looks = 0
  private var set: TailSet?
  private var half: [Int: [UInt8]] = [:]
  private let watcher: any ChangeWatcher
  private var serial = 0
  private(set) var written: [String] = []

  init(_ watcher: any ChangeWatcher) throws {
    self.watcher = watcher
    folder = NSTemporaryDirectory() + "tail-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit {
    set = nil
    try? FileManager.default.removeItem(atPath: folder)
  }

  var path: String { folder + "/app.jsonl" }

  func start(_ sources: [TailSource]? = nil, input: Int32 = 0) {
    let set = TailSet(sources: sources ?? [.file(path)], watcher: watcher, input: input)
    self.set = set
    look(set)
    settle()
  }

  /// Looks as long as something is told; with a watcher that tells nothing, twice.
  func settle() {
    guard let set else { return }
    if watcher.descriptor == nil { for _ in 0..<2 { look(set) } }
    var rounds = 0
    while rounds < 1000, isTold(set) || (set.deadline(now: now).map { $0 <= now } ?? false) {
      look(set)
      rounds += 1
    }
  }

  func pass(_ seconds: Double) {
    // In steps, so that what one deadline brings can set the next.
    for _ in 0..<20 {
      now += seconds / 20
      settle()
    }
  }

  private func look(_ set: TailSet) {
    looks += 1
    set.look(at: now)
    repeat { set.run(at: now) { take($0, $1) } } while set.isBusy
  }

  private func isTold(_ set: TailSet) -> Bool {
    var requests = set.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    return poll(&requests, UInt(requests.count), 0) > 0
  }

  private func take(_ member: TailMember, _ output: TailOutput) {
    switch output {
    case .bytes(let bytes, _):
      var waiting = half[member.index] ?? []
      waiting += bytes
      while let newline = waiting.firstIndex(of: 10) {
        lines.append(String(decoding: waiting[..<newline], as: UTF8.self))
        waiting.removeSubrange(...newline)
      }
      half[member.index] = waiting
    case .restarted(let restart):
      restarts.append(restart.reason)
      half[member.index] = []
    case .gap(let gap): gaps.append(gap)
    case .state(let state): states.append(state)
    case .earlier: break
    }
  }

  // MARK: Writing

  func nextLine() -> String {
    serial += 1
    let line =
      "{\"metric\":{\"bucket\":\"app\",\"name\":\"push_ms\",\"valueTypeString\":\"Int\"},\"timestamp\":\(serial)}"
    written.append(line)
    return line
  }

  /// Appends lines as a writer with `O_APPEND` does, to `path` or another file.
  func write(_ count: Int, to path: String? = nil) {
    let descriptor = open(path ?? self.path, O_WRONLY | O_APPEND | O_CREAT, 0o644)
    write(count, on: descriptor)
    close(descriptor)
  }

  func write(_ count: Int, on descriptor: Int32) {
    for _ in 0..<count { put(nextLine() + "\n", on: descriptor) }
  }

  func put(_ text: String, on descriptor: Int32) {
    let bytes = Array(text.utf8)
    _ = Foundation.write(descriptor, bytes, bytes.count)
  }

  func move(_ old: String, _ new: String) { rename(old, new) }

  /// As `logrotate` does: every number moves up by one.
  func shiftRotated() {
    for number in (1..<40).reversed() { rename("\(path).\(number)", "\(path).\(number + 1)") }
  }

  func copy(_ old: String, _ new: String) throws {
    try FileManager.default.copyItem(atPath: old, toPath: new)
  }
}
