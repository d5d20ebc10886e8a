import Foundation
import JSONLines
import Testing

/// The cases in which other tails lose or double lines, on real files.
@Suite("Tail on real files")
struct RealFileTests {
  enum Watching: CaseIterable {
    case inotify, polling

    func make() throws -> any ChangeWatcher {
      switch self {
      case .inotify: try #require(InotifyWatcher())
      case .polling: PollingWatcher()
      }
    }
  }

  @Test("renamed and created, the old descriptor written on", arguments: Watching.allCases)
  func lateWriter(_ watching: Watching) throws {
    let tail = try RealTail(watching.make())
    let old = open(tail.path, O_WRONLY | O_APPEND | O_CREAT, 0o644)
    tail.write(5, on: old)
    tail.start()
    tail.move(tail.path, tail.path + ".1")
    tail.write(2, on: old)
    tail.settle()
    tail.pass(0.5)
    tail.write(3, on: old)
    tail.pass(0.5)
    tail.write(1, on: old)
    close(old)
    tail.write(5)
    tail.pass(3)
    #expect(tail.lines == tail.written)
    #expect(tail.gaps.isEmpty)
    #expect(tail.restarts == [.began, .rotated])
  }

  @Test("twenty rotations between two looks", arguments: Watching.allCases)
  func rapidRotations(_ watching: Watching) throws {
    let tail = try RealTail(watching.make())
    tail.write(3)
    tail.start()
    for _ in 0..<20 {
      tail.write(5)
      tail.shiftRotated()
      tail.move(tail.path, tail.path + ".1")
    }
    tail.write(5)
    tail.pass(5)
    #expect(tail.lines == tail.written)
    #expect(tail.gaps.isEmpty)
  }

  @Test("cut and written anew, longer than before", arguments: Watching.allCases)
  func rewrittenLonger(_ watching: Watching) throws {
    let tail = try RealTail(watching.make())
    tail.write(5)
    tail.start()
    truncate(tail.path, 0)
    tail.write(9)
    tail.settle()
    #expect(tail.lines == tail.written)
    #expect(tail.restarts == [.began, .truncated])
  }

  @Test("cut and written anew, of the same size", arguments: Watching.allCases)
  func rewrittenSameSize(_ watching: Watching) throws {
    let tail = try RealTail(watching.make())
    for _ in 0..<10 { _ = tail.nextLine() }
    tail.write(5)
    tail.start()
    truncate(tail.path, 0)
    tail.write(5)
    tail.settle()
    #expect(tail.lines == Array(tail.written.dropFirst(10)))
  }

  @Test("copied and cut ten times, with lines that were not seen before", arguments: Watching.allCases)
  func copyTruncate(_ watching: Watching) throws {
    let tail = try RealTail(watching.make())
    tail.write(5)
    tail.start()
    for _ in 0..<10 {
      tail.write(7)
      tail.shiftRotated()
      try tail.copy(tail.path, tail.path + ".1")
      truncate(tail.path, 0)
      tail.write(3)
      tail.settle()
    }
    #expect(tail.lines == tail.written)
    #expect(tail.gaps.isEmpty)
  }

  @Test("copied and cut ten times between two looks", arguments: Watching.allCases)
  func copyTruncateUnseen(_ watching: Watching) throws {
    let tail = try RealTail(watching.make())
    tail.write(5)
    tail.start()
    for _ in 0..<10 {
      tail.write(7)
      tail.shiftRotated()
      try tail.copy(tail.path, tail.path + ".1")
      truncate(tail.path, 0)
    }
    tail.write(3)
    tail.pass(3)
    #expect(tail.lines == tail.written)
  }

  @Test("deleted and made anew ten times", arguments: Watching.allCases)
  func recreated(_ watching: Watching) throws {
    let tail = try RealTail(watching.make())
    tail.write(5)
    tail.start()
    for _ in 0..<10 {
      tail.write(2)
      tail.settle()
      unlink(tail.path)
      tail.write(4)
      tail.pass(2)
    }
    #expect(tail.lines == tail.written)
  }

  @Test("a symbolic link led elsewhere and back", arguments: Watching.allCases)
  func symlink(_ watching: Watching) throws {
    let tail = try RealTail(watching.make())
    let targets = [tail.folder + "/a/log", tail.folder + "/b/log"]
    for target in targets {
      mkdir((target as NSString).deletingLastPathComponent, 0o755)
      tail.write(2, to: target)
    }
    _ = Foundation.symlink(targets[0], tail.path)
    tail.start()
    for round in 1...6 {
      tail.write(3, to: targets[(round + 1) % 2])
      tail.settle()
      _ = Foundation.symlink(targets[round % 2], tail.path + ".new")
      tail.move(tail.path + ".new", tail.path)
      tail.pass(round % 2 == 0 ? 0.3 : 2)
      tail.write(1, to: targets[round % 2])
      tail.settle()
    }
    tail.pass(3)
    #expect(Set(tail.lines) == Set(tail.written))
    #expect(tail.lines.count == tail.written.count)
  }

  @Test("a folder took the file's place and left again", arguments: Watching.allCases)
  func directory(_ watching: Watching) throws {
    let tail = try RealTail(watching.make())
    tail.write(5)
    tail.start()
    unlink(tail.path)
    mkdir(tail.path, 0o755)
    tail.pass(2)
    #expect(tail.states.last == .notAFile(.directory))
    rmdir(tail.path)
    tail.write(5)
    tail.pass(2)
    #expect(tail.lines == tail.written)
    #expect(tail.states.last == .following)
  }

  @Test("cut under a writer that does not append: the hole is passed over", arguments: Watching.allCases)
  func hole(_ watching: Watching) throws {
    let tail = try RealTail(watching.make())
    let writer = open(tail.path, O_WRONLY | O_CREAT, 0o644)
    tail.write(50, on: writer)
    tail.start()
    truncate(tail.path, 0)
    tail.settle()
    tail.write(5, on: writer)
    tail.settle()
    close(writer)
    #expect(tail.lines == tail.written)
  }

  @Test("missing at the start, in a folder that is missing too", arguments: Watching.allCases)
  func missing(_ watching: Watching) throws {
    let tail = try RealTail(watching.make())
    let path = tail.folder + "/deep/er/app.jsonl"
    tail.start([.file(path)])
    #expect(tail.states == [.missing])
    try FileManager.default.createDirectory(atPath: tail.folder + "/deep", withIntermediateDirectories: true)
    tail.settle()
    try FileManager.default.createDirectory(
      atPath: tail.folder + "/deep/er", withIntermediateDirectories: true)
    tail.settle()
    tail.write(3, to: path)
    tail.settle()
    #expect(tail.lines == tail.written)
    // And the whole branch goes and comes again.
    try FileManager.default.moveItem(atPath: tail.folder + "/deep", toPath: tail.folder + "/gone")
    tail.pass(2)
    #expect(tail.states.last == .missing)
    try FileManager.default.createDirectory(
      atPath: tail.folder + "/deep/er", withIntermediateDirectories: true)
    tail.write(3, to: path)
    tail.settle()
    #expect(tail.lines == tail.written)
  }

  @Test("a FIFO is refused without waiting for its writer", arguments: Watching.allCases)
  func fifo(_ watching: Watching) throws {
    let tail = try RealTail(watching.make())
    mkfifo(tail.path, 0o644)
    tail.start()
    #expect(tail.states == [.notAFile(.fifo)])
    tail.start([.file("/dev/zero")])
    #expect(tail.states.last == .notAFile(.device))
  }

  @Test("a folder: files in it and those that appear", arguments: Watching.allCases)
  func folder(_ watching: Watching) throws {
    let tail = try RealTail(watching.make())
    tail.write(2, to: tail.folder + "/one.jsonl")
    tail.start([.folder(tail.folder)])
    tail.write(2, to: tail.folder + "/two.jsonl")
    tail.settle()
    tail.write(2, to: tail.folder + "/one.jsonl")
    tail.write(2, to: tail.folder + "/other.txt")
    tail.settle()
    #expect(tail.lines == Array(tail.written.dropLast(2)))
  }

  @Test("a half line waits for its newline", arguments: Watching.allCases)
  func halfLine(_ watching: Watching) throws {
    let tail = try RealTail(watching.make())
    let writer = open(tail.path, O_WRONLY | O_APPEND | O_CREAT, 0o644)
    tail.start()
    for byte in tail.nextLine().utf8 {
      tail.put(String(decoding: [byte], as: UTF8.self), on: writer)
      tail.settle()
      #expect(tail.lines.isEmpty)
    }
    tail.put("\n", on: writer)
    tail.settle()
    close(writer)
    #expect(tail.lines == tail.written)
  }

  @Test("nothing is looked at while nothing happens")
  func quiet() throws {
    let tail = try RealTail(Watching.inotify.make())
    tail.write(5)
    tail.start()
    tail.pass(5)
    let before = tail.looks
    for _ in 0..<100 { tail.pass(60) }
    #expect(tail.looks == before)
  }

  @Test("more changes than inotify can queue are found by looking")
  func overflow() throws {
    let limit = try #require(
      (try? String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8))
        .flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) })
    let tail = try RealTail(Watching.inotify.make())
    let paths = [tail.folder + "/one.jsonl", tail.folder + "/two.jsonl"]
    tail.start(paths.map { .file($0) })
    let writers = paths.map { open($0, O_WRONLY | O_APPEND | O_CREAT, 0o644) }
    tail.settle()
    // Equal events one after the other are joined, so the files take turns.
    for index in 0..<(limit + 100) { tail.put(" ", on: writers[index % 2]) }
    for writer in writers { tail.put("\n" + tail.nextLine() + "\n", on: writer) }
    tail.settle()
    for writer in writers { close(writer) }
    let empty = String(repeating: " ", count: (limit + 100) / 2)
    #expect(tail.lines.filter { $0 != empty } == tail.written)
  }

  @Test("standard input is read to its end")
  func standardInput() throws {
    let tail = try RealTail(Watching.inotify.make())
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    tail.write(3, on: ends[1])
    tail.start([.standardInput], input: ends[0])
    tail.write(3, on: ends[1])
    tail.settle()
    #expect(tail.lines == tail.written)
    close(ends[1])
    tail.settle()
    #expect(tail.states == [.following, .ended])
    close(ends[0])
  }
}
