import JSONLines
import Platform
import TestSupport
import Testing

/// Files whose changes send no events.
@Suite("Tail without events")
struct SilentFileTests: LogsInMemory {
  let files = MemoryFileSystem.withLogs()

  private static let nfs = MountKind(name: "NFS", events: .none)
  private static let overlay = MountKind(name: "local", events: .unsure)

  private func tail(_ polling: PollOptions = PollOptions()) -> MemoryTail {
    MemoryTail([.file(path)], in: files, polling)
  }

  @Test func `Lines from elsewhere are read within two seconds, also after rotations and truncations`() {
    files.mount = Self.nfs
    write(1...3)
    let tail = tail()
    #expect(tail.polled == [.fileSystem("NFS")])
    write(4...4)
    tail.pass(2)
    #expect(tail.lines == lines(1...4))
    files.rename(path, path + ".1")
    write(5...6)
    // The renamed file is held for a second.
    tail.pass(3)
    #expect(tail.lines == lines(1...6))
    if let inode = files.inode(path) { files.truncate(inode, to: 0) }
    write(7...7)
    tail.pass(2)
    #expect(tail.lines == lines(1...7))
    #expect(tail.restarts == [.began, .rotated, .truncated] && tail.gaps.isEmpty)
    #expect(tail.polled.count == 1)
  }

  @Test(
    "Where a handle stands for whatever has its name, rotations lose and double nothing",
    arguments: MemoryFileSystem.Identities.allCases, [1, 40])
  func namedHandles(_ identities: MemoryFileSystem.Identities, count: Int) {
    files.mount = Self.nfs
    files.identities = identities
    write(1...10)
    let tail = tail()
    var next = 11
    for round in 1...4 {
      write(next...next + count)
      tail.pass(Double(round % 2) * 2)
      write(next + count + 1...next + count + 3)
      for number in (1..<round).reversed() { files.rename("\(path).\(number)", "\(path).\(number + 1)") }
      files.rename(path, path + ".1")
      if round == 3 { tail.pass(3) }
      // Longer than the one before, or shorter.
      let new = round % 2 == 0 ? 3 * count + 20 : 1
      next += count + 4
      write(next...next + new)
      next += new + 1
      tail.pass(4)
    }
    // Lines that are found under a rotated name may come after newer ones.
    #expect(tail.lines.sorted() == lines(1...next - 1).sorted())
    #expect(tail.gaps.isEmpty)
  }

  @Test func `Without the looks, nothing is seen`() {
    files.mount = Self.nfs
    write(1...3)
    var polling = PollOptions()
    polling.isOn = false
    let tail = tail(polling)
    write(4...4)
    tail.pass(100)
    #expect(tail.lines == lines(1...3))
  }

  @Test func `A file that appears later is found, in a folder too`() {
    files.mount = Self.nfs
    let tail = MemoryTail([.file(path), .folder("/logs")], in: files)
    tail.pass(30)
    write(1...2)
    write(3...3, to: "/logs/other.jsonl")
    tail.pass(6)
    #expect(Set(tail.lines) == Set(lines(1...3)))
  }

  @Test func `A file system that is mounted over the path later is found`() {
    let tail = tail()
    files.mount = Self.nfs
    write(1...2)
    tail.pass(6)
    #expect(tail.lines == lines(1...2) && tail.polled == [.fileSystem("NFS")])
  }

  @Test func `A quiet file is looked at less often after ten minutes, and at once again once it changes`() {
    files.mount = Self.nfs
    write(1...1)
    let tail = tail()
    func looks(_ seconds: Double) -> Int {
      let before = tail.looks
      tail.pass(seconds)
      return tail.looks - before
    }
    #expect((99...101).contains(looks(100)))
    tail.pass(600)
    #expect((19...21).contains(looks(100)))
    write(2...2)
    tail.pass(6)
    #expect(tail.lines == lines(1...2))
    #expect((99...101).contains(looks(100)))
  }

  @Test func `A quiet local file is not looked at`() {
    write(1...1)
    let tail = tail()
    let before = tail.looks
    tail.pass(10_000)
    #expect(tail.looks == before && tail.polled.isEmpty)
  }

  @Test func `A local file that changes without an event is polled once something else wakes the thread`() {
    write(1...1)
    let tail = tail()
    tail.pass(5)
    tail.look()
    write(2...2)
    tail.pass(5)
    #expect(tail.lines == lines(1...1))
    tail.look()
    #expect(tail.lines == lines(1...2) && tail.polled.isEmpty)
    tail.pass(1.5)
    #expect(tail.polled == [.noEvent])
    write(3...3)
    tail.pass(2)
    #expect(tail.lines == lines(1...3))
  }

  @Test func `An event that comes a moment late is no reason to poll`() {
    write(1...1)
    let watcher = ScriptedWatcher()
    let tail = MemoryTail([.file(path)], in: files, watcher: watcher)
    tail.pass(5)
    tail.look()
    tail.pass(5)
    write(2...2)
    tail.look()
    #expect(tail.lines == lines(1...2))
    watcher.members = [0]
    tail.look()
    tail.pass(100)
    #expect(tail.polled.isEmpty)
  }

  @Test func `Where events may be missing, looks begin after a second and become rare`() {
    files.mount = Self.overlay
    write(1...1)
    let tail = tail()
    let before = tail.looks
    tail.pass(3600)
    #expect((50...80).contains(tail.looks - before) && tail.polled.isEmpty)
    write(2...2)
    tail.pass(62)
    #expect(tail.lines == lines(1...2) && tail.polled == [.noEvent])
    write(3...3)
    tail.pass(2)
    #expect(tail.lines == lines(1...3))
  }

  @Test func `Asked to poll, it looks at the given interval, however long nothing happens`() {
    write(1...1)
    let tail = tail(PollOptions(forced: 0.5))
    #expect(tail.polled == [.requested])
    tail.pass(1000)
    let before = tail.looks
    tail.pass(10)
    #expect((19...21).contains(tail.looks - before))
    write(2...2)
    tail.pass(0.5)
    #expect(tail.lines == lines(1...2))
  }

  @Test func `Many files are looked at less often, so that they cost no more together`() {
    files.mount = Self.nfs
    for number in 1...300 { write(number...number, to: "/logs/\(number).jsonl") }
    var polling = PollOptions()
    polling.looksPerSecond = 100
    let tail = MemoryTail([.folder("/logs")], in: files, polling)
    tail.pass(10)
    let before = files.calls["stat"] ?? 0
    tail.pass(60)
    #expect((5000...7000).contains((files.calls["stat"] ?? 0) - before))
    write(301...301, to: "/logs/7.jsonl")
    tail.pass(4)
    #expect(tail.lines.last == line(301))
  }

  @Test func `On a file system with coarse times, two changes of one tick are both seen`() {
    files.mount = Self.nfs
    files.ticksPerChange = 0
    let text = { (number: Int) in "{\"n\":\(number)}\n" }
    files.append(String(repeating: "\0", count: 200), to: path)
    let tail = tail()
    guard let inode = files.inode(path) else { return }
    for number in 1...5 {
      files.overwrite(inode, at: (number - 1) * text(1).utf8.count, text(number))
      tail.pass(2)
    }
    #expect(tail.lines == (1...5).map { String(text($0).dropLast()) })
  }
}

/// Reports what a test says, once.
private final class ScriptedWatcher: ChangeWatcher {
  let descriptor: Int32? = nil
  let interval: Double? = nil
  var members: Set<Int> = []

  func watch(_ targets: WatchTargets, for member: Int) -> Bool { false }

  func changes() -> WatchedChanges {
    defer { members = [] }
    return .members(members)
  }
}
