import Foundation
import TestSupport
import Testing

@Suite("mistertop tail with a cursor file")
struct TailCursorTests {
  private let folder: TemporaryFolder
  private let path: String
  private let cursor: String

  init() throws {
    folder = try TemporaryFolder()
    path = try folder.write(Fixture.line("1", name: "probe", time: 100), to: "app.jsonl")
    cursor = folder.path("cursor")
  }

  private func start(_ name: String = "out", files: [String]? = nil) throws -> ChildProcess {
    try ChildProcess(
      try Shell.program, ["tail", "--cursor-file", cursor] + (files ?? [path]), output: folder.path(name))
  }

  private func text(_ name: String = "out") -> String {
    (try? String(contentsOfFile: folder.path(name), encoding: .utf8)) ?? ""
  }

  private func waits(until isWanted: () -> Bool) -> Bool {
    let deadline = Date().addingTimeInterval(30)
    while Date() < deadline {
      if isWanted() { return true }
      usleep(5_000)
    }
    return isWanted()
  }

  private func append(_ text: String) throws {
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(text.utf8))
    try handle.close()
  }

  @Test func `What is no cursor file ends it, and is left as it is`() throws {
    let thesis = try folder.write("thesis\n", to: "thesis")
    for (name, reason) in [
      (thesis, "is not a cursor file, so it is left as it is"),
      (folder.url.path, "is not a cursor file, so it is left as it is"),
      (path, "is in use as input or output, so it cannot be the cursor file"),
    ] {
      let (status, output) = try Shell.mistertop("tail", "--cursor-file", name, path)
      #expect(status == 1)
      #expect(output == "mistertop tail: \(name): \(reason)\n")
    }
    #expect(text("thesis") == "thesis\n")
    #expect(text("app.jsonl").hasPrefix("{"))
    let missing = folder.path("missing")
    #expect(try Shell.mistertop("tail", "--cursor-file", missing, missing).status == 1)
    #expect(!FileManager.default.fileExists(atPath: missing))
  }

  @Test func `The first run and one with a damaged cursor print from the start`() throws {
    // Far more than the few lines that it begins with otherwise.
    try append((2...500).map { Fixture.line("\($0)", name: "probe", time: 100) }.joined())
    for (name, before) in [("first", nil), ("empty", ""), ("damaged", "mistertop positions 1\nx")] {
      if let before { _ = try folder.write(before, to: "cursor") }
      let tail = try start(name)
      #expect(waits { text(name).contains("app.probe  500\n") })
      #expect(text(name).contains("app.probe  1\n"))
      #expect(
        text(name).contains("\(cursor) is damaged, so everything is printed from the start\n")
          == (name == "damaged"))
      tail.send(SIGINT)
      #expect(tail.wait(upTo: .seconds(20)) == .killed(SIGINT))
      #expect(text("cursor").hasPrefix("mistertop positions 2\n"))
      unlink(cursor)
    }
  }

  @Test func `A second run on one cursor file is refused, and another spelling of a file goes on`() throws {
    let tail = try start()
    #expect(waits { text().contains("app.probe  1\n") })
    let (status, output) = try Shell.mistertop("tail", "--cursor-file", cursor, path)
    #expect(status == 1)
    #expect(
      output
        == "mistertop tail: \(cursor): is in use by another mistertop (each needs its own cursor file), or locked by a reader\n"
    )
    tail.send(SIGTERM)
    #expect(tail.wait(upTo: .seconds(20)) == .killed(SIGTERM))
    try append(Fixture.line("2", name: "probe", time: 100))
    let next = try start("next", files: [folder.url.path + "/./app.jsonl"])
    #expect(waits { text("next").contains("app.probe  2\n") })
    #expect(!text("next").contains("app.probe  1\n"))
    next.kill()
  }

  @Test func `However early a signal comes, it ends by it`() throws {
    for round in 0..<40 {
      let tail = try start()
      // From where it has something to keep; it is not looked for in pauses, which would be later.
      while round % 4 > 0, tail.isRunning, !FileManager.default.fileExists(atPath: cursor) {}
      tail.send(round % 2 == 0 ? SIGINT : SIGTERM)
      #expect(tail.wait(upTo: .seconds(20)) == .killed(round % 2 == 0 ? SIGINT : SIGTERM), "round \(round)")
      unlink(cursor)
    }
  }

  @Test func `Signals that it was started to ignore stay ignored`() throws {
    let shell = "trap '' HUP; exec '\(try Shell.program)' tail --cursor-file '\(cursor)' '\(path)'"
    let tail = try ChildProcess("sh", ["-c", shell], output: folder.path("out"))
    #expect(waits { text().contains("app.probe  1\n") })
    tail.send(SIGHUP)
    try append(Fixture.line("2", name: "probe", time: 100))
    #expect(waits { text().contains("app.probe  2\n") })
    tail.send(SIGTERM)
    #expect(tail.wait(upTo: .seconds(20)) == .killed(SIGTERM))
  }

  /// Starts it with a pipe that no one reads, and waits until that takes no more.
  private func block(_ fifo: String) throws -> (tail: ChildProcess, reader: FileHandle) {
    mkfifo(fifo, 0o600)
    let descriptor = open(fifo, O_RDWR | O_CLOEXEC)
    let reader = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let shell = "exec '\(try Shell.program)' tail --cursor-file '\(cursor)' '\(path)' > '\(fifo)'"
    let tail = try ChildProcess("sh", ["-c", shell], output: folder.path("errors"))
    let isFull = waits {
      var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      return poll(&request, 1, 0) == 0
    }
    #expect(isFull, "\(text("errors"))")
    return (tail, reader)
  }

  @Test func `It ends though nobody reads its output, and the next run prints what did not get out`() throws {
    let count = 5000
    try append((2...count).map { Fixture.line("\($0)", name: "probe", time: 100) }.joined())
    let (tail, reader) = try block(folder.path("fifo"))
    tail.send(SIGTERM)
    #expect(tail.wait(upTo: .seconds(20)) == .killed(SIGTERM))
    let printed = String(decoding: reader.readData(ofLength: 1 << 15), as: UTF8.self)
    #expect(printed.contains("app.probe  1\n"))
    let next = try start("next")
    #expect(waits { text("next").contains("app.probe  \(count)\n") })
    next.kill()
    let lines = Set(text("next").split(separator: "\n").compactMap { $0.split(separator: " ").last })
    // More than the pipe held is sure to be missing from the first run.
    #expect((count / 2...count).allSatisfy { lines.contains(Substring("\($0)")) })
  }

  @Test func `A second signal ends it in the middle of a write`() throws {
    let long = String(repeating: "x", count: 500_000)
    try append(Fixture.line("\"\(long)\"", name: "note", type: "String", time: 100))
    let (tail, reader) = try block(folder.path("fifo"))
    let isEnded = waits {
      tail.send(SIGTERM)
      return !tail.isRunning
    }
    #expect(isEnded)
    #expect(tail.wait(upTo: .seconds(1)) == .killed(SIGTERM))
    try reader.close()
  }
}
