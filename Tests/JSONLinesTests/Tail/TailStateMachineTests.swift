import JSONLines
import Platform
import TestSupport
import Testing

/// Decisions of the state machine, event by event and on a file system in memory.
@Suite("Tail state machine")
struct TailStateMachineTests: LogsInMemory {
  let files = MemoryFileSystem.withLogs()

  private func reader(_ options: TailStateMachine.Options = .init()) -> TailReader {
    let reader = TailReader(path, files, options: options)
    reader.look()
    return reader
  }

  @Test("a start: path, file, rotated files, bytes")
  func start() {
    var machine = TailStateMachine()
    let file = FileToken(rawValue: 3)
    let status = FileStatus(
      kind: .regular, identity: FileIdentity(device: 1, inode: 2), size: 3, modified: 9)
    #expect(machine.started(at: MonotonicInstant(0)) == [.examinePath])
    #expect(machine.pathExamined(.success(status)) == [.openPath])
    let opened = machine.pathOpened(file, status)
    #expect(opened.first == .show(.following))
    guard case .inspectSiblings(let inspection) = opened.last else {
      Issue.record("no inspection but \(opened)")
      return
    }
    #expect(inspection.isBaseline)
    #expect(
      machine.siblingsInspected([], path: nil)
        == [.restart(TailRestart(reason: .began, offset: 0)), .examine(file)])
    #expect(
      machine.fileExamined(file, .success(status)) == [.read(file, offset: 0, count: machine.chunkForTesting)]
    )
    let actions = Array("ab\n".utf8).withUnsafeBytes { machine.bytesWereRead($0, from: file, at: 0) }
    #expect(actions.first == .deliver(0..<3, offset: 0))
    #expect(machine.deadline == nil)
  }

  @Test("a file that gets its name back while another has it is followed again, and no line comes twice")
  func nameGivenBack() {
    write(1...2)
    let reader = reader()
    reader.forget()
    files.rename(path, "/logs/kept")
    write(3...3)
    reader.look()
    files.append("{\"half", to: "/logs/kept")
    files.rename(path, "/logs/other")
    files.rename("/logs/kept", path)
    reader.look()
    files.append("\"}\n", to: path)
    write(4...4)
    reader.settle()
    #expect(reader.lines.sorted() == ([line(3), "{\"half\"}", line(4)]).sorted())
    #expect(reader.jumps == 0)
    #expect(reader.states.last == .following)
  }

  @Test("a file that grows between the look at its size and the read is not taken for one that was cut")
  func growthDuringRead() {
    var machine = TailStateMachine()
    let file = FileToken(rawValue: 3)
    let status = FileStatus(kind: .regular, identity: FileIdentity(device: 1, inode: 2), size: 3, modified: 9)
    _ = machine.started(at: MonotonicInstant(0))
    _ = machine.pathExamined(.success(status))
    _ = machine.pathOpened(file, status)
    _ = machine.siblingsInspected([], path: nil)
    _ = machine.fileExamined(file, .success(status))
    // Three bytes were seen, seven are there by now, the last line cut short by the moment.
    let read = Array("ab\ncd\ne".utf8).withUnsafeBytes { machine.bytesWereRead($0, from: file, at: 0) }
    #expect(read.first == .deliver(0..<7, offset: 0))
    for action in read.dropFirst() {
      switch action {
      case .read(file, offset: 0, count: _): break
      default: Issue.record("unexpected \(action)")
      }
    }
  }

  @Test("growth costs one look at the path, one at the file and one read")
  func growthCost() {
    write(1...3)
    let reader = reader()
    reader.look()
    let before = files.calls
    write(4...4)
    reader.look()
    #expect(reader.lines == lines(1...4))
    #expect((files.calls["stat"] ?? 0) - (before["stat"] ?? 0) == 1)
    #expect((files.calls["fstat"] ?? 0) - (before["fstat"] ?? 0) == 1)
    #expect((files.calls["read"] ?? 0) - (before["read"] ?? 0) <= 2)
  }

  @Test("a second passes before a renamed file is left, and not a moment more")
  func quietPeriod() {
    write(1...2)
    let reader = reader()
    files.rename(path, path + ".1")
    write(3...3)
    reader.look(after: 10)
    #expect(reader.lines == lines(1...2))
    #expect(reader.tail.deadline == reader.now + 1)
    reader.look(after: 0.999)
    #expect(reader.lines == lines(1...2))
    reader.look(after: 0.001)
    #expect(reader.lines == lines(1...3))
    // It stays open for whoever was not told of the rotation, but not for ever.
    #expect(files.openHandles == 2)
    reader.settle()
    #expect(files.openHandles == 1)
    #expect(reader.tail.deadline == nil)
  }

  @Test func `A rotation takes the name away for a moment: that is not told`() {
    write(1...2)
    let reader = reader()
    files.rename(path, path + ".1")
    reader.look(after: 0.01)
    reader.look(after: 0.2)
    write(3...3)
    reader.look(after: 0.01)
    reader.settle()
    #expect(reader.states == [.following])
    #expect(reader.restarts.map(\.reason) == [.began, .rotated])
    files.remove(path)
    reader.look(after: 0.01)
    #expect(reader.tail.deadline == reader.now + 0.25)
    reader.look(after: 0.25)
    #expect(reader.states == [.following, .missing])
  }

  @Test("permission lost and regained: nothing doubled, blindness shown")
  func permission() {
    write(1...3)
    let reader = reader()
    let inode = files.inode(path)
    inode?.isReadable = false
    write(4...4)
    reader.look(after: 1)
    #expect(reader.lines == lines(1...4), "the held file is still read")
    files.remove(path)
    files.create(path)?.isReadable = false
    reader.look(after: 2)
    #expect(reader.tail.state == .noPermission)
    write(5...5)
    files.inode(path)?.isReadable = true
    reader.look(after: 2)
    reader.settle()
    #expect(reader.lines == lines(1...5))
    #expect(reader.states == [.following, .noPermission, .following])
  }

  @Test("an end taken back: only the half line is dropped")
  func cutBack() {
    write(1...3)
    let reader = reader()
    files.append("{\"half", to: path)
    reader.look()
    if let inode = files.inode(path) { files.truncate(inode, to: inode.bytes.count - 6) }
    reader.look()
    write(4...4)
    reader.look()
    #expect(reader.lines == lines(1...4))
    #expect(reader.restarts.map(\.reason) == [.began, .cutBack])
    #expect(reader.gaps.isEmpty)
  }

  @Test("what was seen and cut before it was read is a gap of that many bytes")
  func gapIsCounted() {
    var options = TailStateMachine.Options()
    options.chunk = 1024
    write(1...2)
    let reader = TailReader(path, files, options: options)
    reader.look()
    write(3...40)
    let unread = files.inode(path)?.bytes.count ?? 0
    reader.now += 1
    reader.tail.wake(at: reader.now)
    // Only the size is seen and the first bytes are read before the cut.
    reader.tail.run(budget: 1) { reader.take($0) }
    let readTo = reader.lines.count
    if let inode = files.inode(path) { files.truncate(inode, to: 0) }
    reader.tail.run { reader.take($0) }
    reader.settle()
    #expect(readTo < 40)
    #expect(reader.gaps.contains { $0.reason == .truncated && $0.bytes > 0 && $0.bytes < UInt64(unread) })
  }

  @Test("a compacted file is read on behind the last line that was read")
  func compaction() {
    write(1...50)
    let reader = reader()
    write(30...50, to: "/logs/tmp")
    write(51...52, to: "/logs/tmp")
    files.rename("/logs/tmp", path)
    reader.look()
    reader.settle()
    #expect(reader.lines == lines(1...52))
    #expect(reader.restarts.last?.reason == .compacted)
  }

  @Test("rotated files that were there before are not read")
  func oldSiblings() {
    write(1...3, to: path + ".2")
    write(4...6, to: path + ".1")
    write(7...8)
    let reader = reader()
    files.rename(path + ".2", path + ".3")
    files.rename(path + ".1", path + ".2")
    files.rename(path, path + ".1")
    write(9...9)
    reader.look()
    reader.settle()
    #expect(reader.lines == lines(7...9))
  }

  @Test("a window at the end begins at a line start and offers the rest")
  func window() throws {
    write(1...100)
    let reader = reader(TailStateMachine.Options(start: .window(1000)))
    #expect(reader.lines.count >= 1000 / (line(1).utf8.count + 1))
    #expect(reader.lines.count < 20)
    let earlier = try #require(reader.earlier)
    #expect(
      UInt64(reader.lines.count * (line(1).utf8.count + 1)) + earlier.end == files.inode(path)?.bytes.count
        ?? 0)
    var bytes = [UInt8](repeating: 0, count: 20_000)
    let count = try bytes.withUnsafeMutableBytes { try earlier.read(at: 0, into: $0) }
    #expect(UInt64(count) == earlier.end)
    #expect(bytes[count - 1] == 10)
  }

  @Test("a failing read is shown and tried again after a second")
  func failingRead() {
    write(1...2)
    let reader = reader()
    files.readFailure = .other(5)
    write(3...3)
    reader.look()
    #expect(reader.tail.state == .failing(5))
    #expect(reader.tail.deadline == reader.now + 1)
    files.readFailure = nil
    reader.look(after: 1)
    #expect(reader.lines == lines(1...3))
    #expect(reader.tail.state == .following)
  }

  @Test(
    "every call failing once, one after the other: nothing comes twice, what is lost is told",
    arguments: [FileFailure.other(5), .exhausted, .denied])
  func everyCallFails(_ failure: FileFailure) {
    for number in 1...900 {
      let test = Self()
      test.write(1...5)
      let reader = TailReader(path, test.files)
      test.files.failingCall = (number, failure)
      reader.settle()
      test.write(6...9)
      reader.settle()
      test.files.rename(path, path + ".1")
      test.write(10...12)
      reader.settle()
      test.files.copy(path, path + ".2")
      if let inode = test.files.inode(path) { test.files.truncate(inode, to: 0) }
      test.write(13...14)
      reader.settle()
      test.files.remove(path)
      test.write(15...16)
      reader.settle()
      reader.look(after: 2)
      reader.settle()
      let hasFailed = test.files.failingCall == nil
      #expect(Set(reader.lines).count == reader.lines.count, "call \(number) doubled")
      #expect(
        reader.lines.count == 16 || !reader.gaps.isEmpty, "call \(number) lost \(16 - reader.lines.count)")
      #expect(reader.lines.last == line(16), "call \(number)")
      #expect(test.files.openHandles == 1, "call \(number) leaks")
      if !hasFailed { return }
    }
    Issue.record("more calls than are tried")
  }

  @Test("a file that never reads again does not hold up the next one")
  func unreadableForEver() {
    write(1...2)
    let reader = reader()
    write(3...3)
    files.readFailure = .other(5)
    files.rename(path, path + ".1")
    write(4...4)
    reader.look()
    reader.look(after: 2)
    files.readFailure = nil
    reader.look(after: 1)
    #expect(reader.lines.contains(line(4)))
    #expect(reader.gaps.count == 1)
    // It was left, and is read after all once it can be.
    reader.look(after: 1)
    #expect(reader.lines.sorted() == lines(1...4))
  }

  @Test(
    "names of rotated files",
    arguments: [
      ("app.jsonl.1", true), ("app.jsonl.12", true), ("app.jsonl.old", true), ("app.jsonl-2026-11-21", true),
      ("app.jsonl.2026-11-21T10:00:00Z", true), ("app.1.jsonl", true), ("app-20261121.jsonl", true),
      ("app.jsonl", false), ("app.jsonl.gz", false), ("app.jsonl.1.gz", false), ("app.jsonl.tmp", false),
      ("app.jsonl~", false), ("apple.jsonl", false), ("app.jsonlx.1", false), ("app.x.jsonl", false),
    ])
  func rotatedNames(_ name: String, _ isRotated: Bool) {
    #expect(RotatedName.isRotated(name, of: "app.jsonl") == isRotated)
  }
}
