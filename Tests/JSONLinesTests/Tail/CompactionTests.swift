import Platform
import TestSupport
import Testing

@testable import JSONLines

/// A file from which old lines are removed while it is followed.
@Suite("Compaction under a tail")
struct CompactionTests: LogsInMemory {
  let files = MemoryFileSystem.withLogs()

  /// Lines of a counter in whole seconds: most of them come several times.
  private static let counter = (0..<60).map { number in
    #"{"metric":{"name":"hits"},"timestamp":\#(number / 6),"value":"\#(number % 5 == 0 ? String(number) : "MQ==")"}"#
  }

  private func put(_ lines: some Sequence<String>, to path: String? = nil) {
    files.append(lines.map { $0 + "\n" }.joined(), to: path ?? self.path)
  }

  /// Puts a new file in the place of the old one, as `optimize` does: for a moment that has another name.
  private func replace(
    _ path: String? = nil, by lines: some Sequence<String>, look: () -> Void = {}
  ) {
    let path = path ?? self.path
    put(lines, to: "/logs/.new")
    files.rename(path, "/logs/.old")
    files.rename("/logs/.new", path)
    look()
    files.remove("/logs/.old")
  }

  private func resumed(_ position: TailPosition) throws -> TailReader {
    let file = PositionFile(positions: [PathKey(path): position])
    let saved = try #require(PositionFile.decoded(file.encoded)?.positions[PathKey(path)])
    let reader = TailReader(path, files, options: TailStateMachine.Options(start: .after(saved)))
    reader.settle()
    return reader
  }

  @Test(
    "survivors and what came after them: each line is read once, however often it is there",
    arguments: [1, 5, 12, 30], [false, true])
  func survivors(removed: Int, tellsBirths: Bool) {
    files.tellsBirths = tellsBirths
    let (first, second) = (Self.counter.prefix(55), Self.counter.suffix(5))
    put(first)
    let reader = TailReader(path, files)
    reader.settle()
    replace(by: first.dropFirst(removed)) { reader.look(after: 0.01) }
    put(second)
    reader.settle()
    #expect(reader.lines == Self.counter)
    #expect(reader.restarts.last?.reason == .compacted)
    #expect(reader.gaps.isEmpty)
  }

  @Test("so few survivors that somebody may as well have begun anew are read twice rather than not at all")
  func fewSurvivors() {
    files.tellsBirths = true
    put(Self.counter.prefix(55))
    let reader = TailReader(path, files)
    reader.settle()
    replace(by: Self.counter[50..<55])
    put(Self.counter.suffix(5))
    reader.settle()
    #expect(reader.lines == Array(Self.counter.prefix(55) + Self.counter.suffix(10)))
    #expect(reader.lines.count == 65)
  }

  @Test("the same while nobody reads", arguments: [1, 5, 12, 30])
  func survivorsLater(removed: Int) throws {
    files.tellsBirths = true
    put(Self.counter.prefix(55))
    let first = TailReader(path, files)
    first.settle()
    replace(by: Self.counter[removed..<55])
    put(Self.counter.suffix(5))
    let next = try resumed(try #require(first.tail.position))
    #expect(first.lines + next.lines == Self.counter)
    #expect(next.gaps.isEmpty)
  }

  /// The lines of a file, each with its own number.
  private static func numbered(_ numbers: Range<Int>) -> [String] {
    numbers.map { #"{"metric":{"name":"hits"},"timestamp":\#($0 / 6),"value":"\#($0)"}"# }
  }

  /// When a rotated file is compacted that was read.
  enum Moment: CaseIterable { case whileHeld, later, withTheOther, beforeRotation, beforeTheTail }

  @Test("a rotated file of which old lines are removed is not read again", arguments: Moment.allCases)
  func rotated(_ moment: Moment) {
    files.tellsBirths = true
    if moment == .beforeTheTail {
      put(Self.numbered(0..<100), to: path + ".1")
    } else {
      put(Self.numbered(0..<100))
    }
    let reader = TailReader(path, files)
    if moment == .beforeTheTail { put(Self.numbered(100..<200)) }
    reader.settle()
    if moment == .beforeRotation {
      replace(by: Self.numbered(40..<100))
    } else if moment != .beforeTheTail {
      files.rename(path, path + ".1")
      put(Self.numbered(100..<200))
      reader.look(after: 0.1)
      if moment == .whileHeld { reader.look(after: 2) } else { reader.settle() }
      replace(path + ".1", by: Self.numbered(40..<100))
    } else {
      replace(path + ".1", by: Self.numbered(40..<100))
    }
    if moment == .withTheOther { replace(by: Self.numbered(150..<200)) }
    if moment == .beforeRotation {
      files.rename(path, path + ".1")
      put(Self.numbered(100..<200))
    } else {
      reader.look(after: 0.1)
      files.rename(path + ".1", path + ".2")
      files.rename(path, path + ".1")
    }
    put(Self.numbered(200..<210))
    reader.settle()
    let first = moment == .beforeTheTail ? 100 : 0
    #expect(reader.lines == Self.numbered(first..<210))
    #expect(reader.gaps.isEmpty)
  }

  @Test(
    "rotated files of which old lines were removed while nobody read go on where they were",
    arguments: [1, 2])
  func rotatedLater(rotations: Int) throws {
    files.tellsBirths = true
    put(Self.numbered(0..<10), to: "\(path).\(rotations + 1)")
    put(Self.numbered(10..<100))
    let reader = TailReader(path, files)
    reader.settle()
    put(Self.numbered(100..<105))
    for round in 1...rotations {
      for number in stride(from: rotations, to: 0, by: -1) {
        files.rename("\(path).\(number)", "\(path).\(number + 1)")
      }
      files.rename(path, path + ".1")
      put(Self.numbered(round * 200..<round * 200 + 50))
    }
    for round in 1...rotations {
      let last =
        round == rotations
        ? Array(Self.numbered(50..<105))
        : Self.numbered((rotations - round) * 200..<(rotations - round) * 200 + 50)
      replace("\(path).\(round)", by: last)
    }
    replace("\(path).\(rotations + 1)", by: Self.numbered(5..<10))
    let next = try resumed(try #require(reader.tail.position))
    #expect(
      next.lines == Self.numbered(100..<105)
        + (1...rotations).flatMap { Self.numbered($0 * 200..<$0 * 200 + 50) })
    #expect(next.gaps.isEmpty)
  }

  @Test("a rotated file that was never seen is read whole, though it has lines of one that is gone")
  func alike() {
    files.tellsBirths = true
    put(Self.numbered(0..<20))
    let reader = TailReader(path, files)
    reader.settle()
    files.remove(path)
    put(Self.numbered(10..<18) + Self.numbered(30..<40))
    files.rename(path, path + ".1")
    put(Self.numbered(50..<52))
    reader.settle()
    #expect(
      reader.lines == Self.numbered(0..<20) + Self.numbered(10..<18) + Self.numbered(30..<40)
        + Self.numbered(50..<52))
    #expect(reader.gaps.map(\.reason) == [.overwritten])
  }

  @Test("lines that were old by their time and came late are missing among the last ones")
  func outOfOrder() {
    files.tellsBirths = true
    let old = (1...3).map { #"{"metric":{"name":"late"},"timestamp":-\#($0),"value":"MQ=="}"# }
    var first = Array(Self.counter.prefix(40))
    first.insert(old[0], at: 38)
    first.insert(old[1], at: 31)
    first.append(old[2])
    put(first)
    let reader = TailReader(path, files)
    reader.settle()
    replace(by: first.filter { !old.contains($0) }.dropFirst(10))
    put(Self.counter.suffix(20))
    reader.settle()
    #expect(reader.lines == first + Self.counter.suffix(20))
  }

  @Test("whatever was removed, no line is lost, and few are doubled")
  func random() {
    for seed in 0..<400 {
      var random = SeededGenerator(seed: UInt64(seed))
      let test = Self()
      test.files.tellsBirths = seed % 2 == 0
      let reader = TailReader(test.path, test.files)
      var (written, kept, number): ([String], [String], Int) = ([], [], 0)
      for _ in 0..<6 {
        let new = (0..<Int(1 + random.next() % 40)).map { _ in
          number += 1
          return
            "{\"time\":\(number / 9),\"value\":\(random.next() % 3 == 0 ? String(number) : "1"),\"name\":\"hits\"}"
        }
        test.put(new)
        written += new
        kept += new
        reader.look(after: 0.01)
        if random.next() % 2 == 0 {
          kept = Array(kept.dropFirst(Int(random.next() % UInt64(kept.count))))
          test.replace(by: kept) { if random.next() % 2 == 0 { reader.look(after: 0.01) } }
          if random.next() % 2 == 0 { reader.settle() }
        }
      }
      reader.settle()
      var left = reader.lines.counted
      for line in written { left[line, default: 0] -= 1 }
      #expect(left.values.allSatisfy { $0 >= 0 }, "seed \(seed) lost \(left.filter { $0.value < 0 })")
      #expect(left.values.reduce(0, +) < 64, "seed \(seed) doubled")
    }
  }

  @Test(
    "a file that is copied whole and put in its place, as rsync does, goes on where it was",
    arguments: [false, true])
  func copiedWhole(restarts: Bool) throws {
    files.tellsBirths = true
    put(Self.counter.prefix(30))
    let reader = TailReader(path, files)
    reader.settle()
    put(Self.counter.prefix(40), to: "/logs/.new")
    files.rename("/logs/.new", path)
    reader.settle()
    #expect(reader.lines == Array(Self.counter.prefix(40)))
    guard restarts else { return }
    put(Self.counter, to: "/logs/.new")
    files.rename("/logs/.new", path)
    #expect(try resumed(try #require(reader.tail.position)).lines == Array(Self.counter.suffix(20)))
  }
}

/// Where lines are found in another file.
@Suite("Lines that are looked for")
struct PlaceSearchTests {
  /// The place behind lines that are letters, as the number of lines before it.
  private func place(of sought: String, in file: String, proof: Int) -> Int? {
    func hashes(_ text: String) -> [UInt32] { text.utf8.map { UInt32($0) } }
    let lines = LastLines(hashes: hashes(sought), end: UInt64(sought.utf8.count))
    var search = PlaceSearch(SoughtLines(lines: lines, proof: proof))
    for (index, hash) in hashes(file).enumerated() { search.add(hash, end: UInt64(index + 1)) }
    return search.place.map { Int($0) }
  }

  @Test(
    arguments: [
      // The rest, and what came after it.
      ("abcdef", "cdefxy", 4), ("abcdef", "abcdefx", 6), ("abcdef", "efx", 2), ("abcdef", "f", 1),
      ("abcdefghijklmnopqrstu", "abcdefghijklmnopqrstuvw", 21), ("abhhh", "bhhhx", 4), ("aha", "haxa", 2),
      // One that was old by its time is missing.
      ("abcdXef", "bcdefx", 5), ("abcdefX", "bcdefx", 5), ("abXYcdef", "abcdefx", 6),
      // Other lines before the last one, or more than are there.
      ("abcdef", "xyzfabc", nil), ("abcdef", "aaaaaf", nil), ("abcdef", "xbcdefy", 6), ("f", "af", nil),
      ("ab", "xab", nil), ("abcdef", "", nil), ("", "abc", nil),
    ] as [(String, String, Int?)])
  func `Every line before the place was read, back to the start of the file`(
    _ sought: String, _ file: String, _ lines: Int?
  ) {
    #expect(place(of: sought, in: file, proof: 1) == lines)
  }
}

extension [String] {
  /// How often each is there.
  fileprivate var counted: [String: Int] { Dictionary(map { ($0, 1) }, uniquingKeysWith: +) }
}
