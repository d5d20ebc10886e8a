import Foundation
import JSONLines
import Platform
import TestSupport
import Testing

/// A tail on real files, besides the rows of the fault matrix.
@Suite("Tail on real files")
struct RealFileTests {
  @Test("missing at the start, in a folder that is missing too", arguments: RealTail.Watching.allCases)
  func missing(_ watching: RealTail.Watching) throws {
    let tail = try RealTail(watching)
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

  @Test("a FIFO is refused without waiting for its writer", arguments: RealTail.Watching.allCases)
  func fifo(_ watching: RealTail.Watching) throws {
    let tail = try RealTail(watching)
    mkfifo(tail.path, 0o644)
    tail.start()
    #expect(tail.states == [.notAFile(.fifo)])
    tail.start([.file("/dev/zero")])
    #expect(tail.states.last == .notAFile(.device))
  }

  @Test("a folder: files in it and those that appear", arguments: RealTail.Watching.allCases)
  func folder(_ watching: RealTail.Watching) throws {
    let tail = try RealTail(watching)
    tail.write(2, to: tail.folder + "/one.jsonl")
    tail.start([.folder(tail.folder)])
    tail.write(2, to: tail.folder + "/two.jsonl")
    tail.settle()
    tail.write(2, to: tail.folder + "/one.jsonl")
    tail.write(2, to: tail.folder + "/other.txt")
    tail.settle()
    #expect(tail.lines == Array(tail.written.dropLast(2)))
  }

  @Test("what happens while much is read is looked at after that", arguments: RealTail.Watching.allCases)
  func whileReading(_ watching: RealTail.Watching) throws {
    let tail = try RealTail(watching)
    tail.write(1)
    tail.start()
    tail.write(3_000)
    tail.lookOnly()
    #expect(tail.readOn(1) && tail.lines.count < tail.written.count)
    tail.move(tail.path, tail.path + ".1")
    tail.write(3)
    tail.lookOnly()
    while tail.readOn(.max) {}
    tail.pass(2)
    #expect(tail.lines == tail.written)
  }

  @Test(
    "lines that end alike are told apart by how they begin: after a rotation, and where a file is written anew",
    arguments: RealTail.Watching.allCases, [true, false])
  func alike(_ watching: RealTail.Watching, rotates: Bool) throws {
    func lines(_ minutes: ClosedRange<Int>) -> [String] {
      minutes.map {
        #"{"ts":"2026-11-26T13:\#($0):00Z","name":"health.check","value":1,"#
          + #""level":"info","service":"gateway","instance":"10.0.0.1:8080"}"#
      }
    }
    func text(_ lines: [String]) -> Data { Data(lines.map { $0 + "\n" }.joined().utf8) }
    let tail = try RealTail(watching)
    try text(lines(11...13)).write(to: URL(fileURLWithPath: tail.path))
    tail.start()
    if rotates {
      try text(lines(31...34)).write(to: URL(fileURLWithPath: tail.folder + "/new"))
      tail.move(tail.path, tail.path + ".1")
      tail.move(tail.folder + "/new", tail.path)
    } else {
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: tail.path))
      try file.truncate(atOffset: 0)
      try file.write(contentsOf: text(lines(31...34)))
    }
    tail.pass(5)
    #expect(tail.lines == lines(11...13) + lines(31...34))
  }

  @Test("where changes never end, it is looked again and again, and time goes on")
  func restless() throws {
    let tail = try RealTail(.polling)
    let watcher = RestlessWatcher()
    let stop = WakeSignal()
    let deadline = ContinuousClock.now + .seconds(120)
    TailLoop(set: TailSet(sources: [.file(tail.path)], watcher: watcher), stop: stop).run {
      _, _ in
    } afterRound: {
      if watcher.looks >= 3 || ContinuousClock.now > deadline { stop.raise() }
    }
    #expect(watcher.looks >= 3)
  }

  @Test("nothing is looked at while nothing happens")
  func quiet() throws {
    let tail = try RealTail(.inotify)
    tail.write(5)
    tail.start()
    tail.pass(5)
    let before = tail.looks
    for _ in 0..<100 { tail.pass(60) }
    #expect(tail.looks == before)
  }

  @Test("standard input is read to its end")
  func standardInput() throws {
    let tail = try RealTail(.inotify)
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

  @Test("the end of standard input ends its last line")
  func standardInputWithoutNewline() throws {
    let tail = try RealTail(.inotify)
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    tail.write(2, on: ends[1])
    tail.start([.standardInput], input: ends[0])
    let half = Array("half".utf8)
    _ = write(ends[1], half, half.count)
    tail.settle()
    #expect(tail.lines == tail.written)
    close(ends[1])
    tail.settle()
    #expect(tail.lines == tail.written + ["half"])
    close(ends[0])
  }
}

/// Always has something new to watch, as where files are rotated quicker than they can be looked at.
private final class RestlessWatcher: ChangeWatcher {
  let descriptor: Int32? = nil
  let interval: Double? = nil
  private(set) var looks = 0

  func watch(_ targets: WatchTargets, for member: Int) -> Bool { true }

  func changes() -> WatchedChanges {
    looks += 1
    return .members([])
  }
}
