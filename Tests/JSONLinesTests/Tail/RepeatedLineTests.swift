import JSONLines
import Platform
import TestSupport
import Testing

/// Lines that are written more than once: the same counter in the same second, long ones that end alike, whole files.
@Suite("Lines that come again")
struct RepeatedLineTests: LogsInMemory {
  let files = MemoryFileSystem.withLogs()

  init() { files.tellsBirths = true }

  /// The end of a file before another one begins.
  enum Way: CaseIterable {
    case rename, renameTwice, copyTruncate, truncate, delete

    /// True if a tail has to look between the end of the file and the next line to see what happened.
    var isInPlace: Bool { self == .copyTruncate || self == .truncate }
  }

  /// A line of a log whose times are in whole seconds.
  private static func health(_ second: Int, _ more: String = "") -> String {
    #"{"level":"info","time":"2026-11-23T17:00:\#(10 + second)Z","msg":"GET /health 200","client":"10.0.0.1"\#(more)}"#
  }

  /// One that is longer than what is kept of it, and ends as all others do.
  private static func long(_ second: Int, bytes: Int) -> String {
    #"{"time":"2026-11-23T17:00:\#(10 + second)Z","msg":"config","z":"\#(String(repeating: "c", count: bytes))"}"#
  }

  private func put(_ lines: [String], to path: String? = nil) {
    files.append(lines.map { $0 + "\n" }.joined(), to: path ?? self.path)
  }

  private func happen(_ way: Way, middle: [String]) throws {
    switch way {
    case .rename:
      files.rename(path, path + ".1")
    case .renameTwice:
      files.rename(path, path + ".2")
      put(middle)
      files.rename(path, path + ".1")
    case .copyTruncate:
      files.copy(path, path + ".1")
      files.truncate(try #require(files.inode(path)), to: 0)
    case .truncate:
      files.truncate(try #require(files.inode(path)), to: 0)
    case .delete:
      files.remove(path)
    }
  }

  /// A tail's lines of one file and the next.
  ///
  /// - Parameters:
  ///   - looks: whether it looks before the first line of the next file.
  ///   - restarts: whether another process goes on, which begins when the next file is written.
  private func lines(
    _ first: [String], _ way: Way, middle: [String] = [], _ second: [String], looks: Bool, restarts: Bool
  ) throws -> [String] {
    put(first)
    let reader = TailReader(path, files)
    reader.settle()
    var position = reader.tail.position
    try happen(way, middle: middle)
    if looks {
      reader.look(after: 0.01)
      position = reader.tail.position
    }
    put(second)
    guard restarts else {
      reader.settle()
      return reader.lines
    }
    let file = PositionFile(positions: [PathKey(path): try #require(position)])
    let saved = try #require(PositionFile.decoded(file.encoded)?.positions[PathKey(path)])
    let next = TailReader(path, files, options: TailStateMachine.Options(start: .after(saved)))
    next.settle()
    return reader.lines + next.lines
  }

  @Test(arguments: Way.allCases, [false, true])
  func `The last line of a file comes again in the middle of the next one: all 105 are read`(
    _ way: Way, restarts: Bool
  ) throws {
    let first = [String](repeating: Self.health(1), count: 3)
    let middle = way == .renameTwice ? [Self.health(1)] : []
    let second = (0..<100).map { Self.health(1, ",\"n\":\($0)") } + [Self.health(1), Self.health(2)]
    let read = try lines(first, way, middle: middle, second, looks: false, restarts: restarts)
    #expect(read == first + middle + second)
    #expect(read.count == 105 + middle.count)
  }

  @Test(arguments: Way.allCases, [false, true])
  func `The next file begins with the lines that the last one ended with: all ten are read`(
    _ way: Way, restarts: Bool
  ) throws {
    // Cut and begun again with the same bytes before anybody looks, it is the file that it was.
    let first = [Self.health(1, ",\"n\":1")] + [String](repeating: Self.health(1), count: 4)
    let second = [String](repeating: Self.health(1), count: 4) + [Self.health(2)]
    let read = try lines(first, way, second, looks: way.isInPlace, restarts: restarts)
    #expect(read == first + second)
    #expect(read.count == 10)
  }

  @Test(arguments: Way.allCases)
  func `The next file has all the lines of the last one, and one more: all nineteen are read`(_ way: Way)
    throws
  {
    let first = (1...9).map { Self.health($0) }
    let second = (1...10).map { Self.health($0) }
    let read = try lines(first, way, second, looks: way.isInPlace, restarts: false)
    #expect(read == first + second)
    #expect(read.count == 19)
  }

  @Test(arguments: Way.allCases, [5000, 8000, 70_000, 300_000])
  func `Long lines that end alike are told apart by how they begin: all three are read`(
    _ way: Way, bytes: Int
  ) throws {
    for restarts in [false, true] {
      let test = Self()
      let (first, second) = (
        Self.long(1, bytes: bytes), [Self.long(2, bytes: bytes), Self.long(3, bytes: bytes)]
      )
      for count in 1...2 {
        files.remove(path)
        let read = try test.lines(
          [first], way, Array(second.prefix(count)), looks: false, restarts: restarts)
        let written = [first] + second.prefix(count)
        #expect(read.map { $0.prefix(60) } == written.map { $0.prefix(60) })
        #expect(read.count == 1 + count)
        for name in [path, path + ".1", path + ".2"] { test.files.remove(name) }
      }
    }
  }

  @Test(arguments: [false, true])
  func `A long line that ends as the last one did stands behind a thousand others: all 1,004 are read`(
    restarts: Bool
  ) throws {
    for way in Way.allCases {
      let test = Self()
      let first = [Self.health(1), Self.long(1, bytes: 5000)]
      let second =
        (0..<1000).map { Self.health(2, ",\"n\":\($0)") } + [Self.long(30, bytes: 5000), Self.health(31)]
      let read = try test.lines(first, way, second, looks: false, restarts: restarts)
      #expect(read == first + second)
      #expect(read.count == 1004)
    }
  }

  @Test(arguments: [Way.copyTruncate, .truncate])
  func `Cut and begun with the same two lines, grown beyond 64 KiB when it is looked at: all are read`(
    _ way: Way
  )
    throws
  {
    let head = [Self.health(1), Self.health(1, ",\"n\":1")]
    let first = head + (0..<15_000).map { Self.health(2, ",\"n\":\($0)") }
    let second = head + (0..<1000).map { Self.health(3, ",\"n\":\($0)") }
    let read = try lines(first, way, second, looks: false, restarts: false)
    #expect(read.count == first.count + second.count)
    #expect(read == first + second)
  }

  @Test
  func `A line that comes late to the oldest file makes no other one older at a restart: all five are read`()
    throws
  {
    put([Self.health(1), Self.health(2)])
    let reader = TailReader(path, files)
    reader.settle()
    let position = try #require(reader.tail.position)
    files.rename(path, path + ".2")
    put([Self.health(3)], to: path + ".1")
    put([Self.health(4)], to: path + ".2")
    put([Self.health(5)])
    let next = TailReader(path, files, options: TailStateMachine.Options(start: .after(position)))
    next.settle()
    #expect((reader.lines + next.lines).sorted() == (1...5).map { Self.health($0) })
  }

  @Test func `Rotated in every second while most lines are the same, none of 4,000 is lost or doubled`()
    throws
  {
    var random = SeededGenerator(seed: 7)
    for way in Way.allCases where way != .renameTwice {
      let test = Self()
      let reader = TailReader(test.path, test.files)
      var written: [String] = []
      for number in 0..<1000 {
        let line = Self.health(number / 100, random.next() % 10 < 7 ? "" : ",\"n\":\(number)")
        written.append(line)
        test.put([line])
        if number % 7 == 0 { reader.look(after: 0.01) }
        if number % 50 == 49 {
          reader.look(after: 0.01)
          for old in (1..<40).reversed() { test.files.rename("\(path).\(old)", "\(path).\(old + 1)") }
          try test.happen(way, middle: [])
          if way.isInPlace { reader.look(after: 0.01) }
        }
      }
      reader.settle()
      #expect(reader.lines == written, "\(way)")
    }
  }

  @Test(
    "a rotated file that looks at the folder missed, because it was being renamed, is not read again",
    arguments: 1...3)
  func missed(times: Int) {
    write(1...3, to: "/logs/app.jsonl.2")
    write(4...6, to: "/logs/app.jsonl.1")
    write(7...9)
    let reader = TailReader(path, files)
    reader.settle()
    let before = reader.lines
    func rotate(_ numbers: ClosedRange<Int>) {
      files.rename("/logs/app.jsonl.1", "/logs/app.jsonl.2")
      files.rename(path, "/logs/app.jsonl.1")
      write(numbers)
      reader.settle()
    }
    files.rename("/logs/app.jsonl.2", "/logs/elsewhere")
    for time in 1...times {
      rotate(10 * time...10 * time + 2)
      files.rename("/logs/app.jsonl.2", "/logs/app.jsonl.\(3 + time)")
    }
    files.rename("/logs/elsewhere", "/logs/app.jsonl.3")
    rotate(90...92)
    #expect(reader.lines == before + (1...times).flatMap { lines(10 * $0...10 * $0 + 2) } + lines(90...92))
    #expect(reader.gaps.isEmpty)
  }
}
