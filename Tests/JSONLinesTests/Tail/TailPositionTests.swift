import Codecs
import Foundation
import JSONLines
import Platform
import TestSupport
import Testing

/// A tail goes on where another one, in another process, has ended.
@Suite("Saved positions")
struct TailPositionTests: LogsInMemory {
  let files = MemoryFileSystem.withLogs()

  /// Reads all there is and answers how far that was, as a file has it.
  private func read() throws -> TailPosition {
    let reader = TailReader(path, files)
    reader.settle()
    let file = PositionFile(positions: [PathKey(path): try #require(reader.tail.position)])
    return try #require(PositionFile.decoded(file.encoded)?.positions[PathKey(path)])
  }

  private func resumed(_ position: TailPosition) -> TailReader {
    let reader = TailReader(path, files, options: TailStateMachine.Options(start: .after(position)))
    reader.settle()
    return reader
  }

  @Test func `The same file is read on, its half line included`() throws {
    write(1...5)
    files.append(String(line(6).prefix(20)), to: path)
    let position = try read()
    files.append(String(line(6).dropFirst(20)) + "\n", to: path)
    write(7...8)
    let reader = resumed(position)
    #expect(reader.lines == lines(6...8))
    #expect(reader.gaps.isEmpty)
    #expect(reader.restarts.map(\.reason) == [.resumed])
  }

  @Test func `Rotated files that are older are not read, those that are younger are`() throws {
    write(1...3, to: path + ".1")
    write(4...6)
    let position = try read()
    write(7...8)
    files.rename(path + ".1", path + ".3")
    files.rename(path, path + ".2")
    write(9...10, to: path + ".1")
    write(11...12)
    let reader = resumed(position)
    #expect(reader.lines == lines(7...12))
    #expect(reader.gaps.isEmpty)
    #expect(files.openHandles == 1)
  }

  @Test func `A copy made before the file was cut is read on`() throws {
    write(1...5)
    let position = try read()
    write(6...7)
    files.copy(path, path + ".1")
    files.truncate(try #require(files.inode(path)), to: 0)
    write(8...9)
    #expect(resumed(position).lines == lines(6...9))
  }

  @Test func `A new file whose lines end as those before did is not taken for what was read`() throws {
    let ending = String(repeating: "x", count: 100)
    files.append((1...5).map { "first \($0) \(ending)\n" }.joined(), to: path)
    let position = try read()
    files.rename(path, path + ".1")
    files.append((1...5).map { "other \($0) \(ending)\n" }.joined(), to: path)
    let reader = resumed(position)
    #expect(reader.lines == (1...5).map { "other \($0) \(ending)" })
    #expect(reader.gaps.isEmpty)
  }

  @Test func `A compacted file is read on behind the line that was last`() throws {
    write(1...20)
    let position = try read()
    write(10...22, to: "/logs/new")
    files.rename("/logs/new", path)
    let reader = resumed(position)
    #expect(reader.lines == lines(21...22))
    #expect(reader.gaps.isEmpty)
  }

  @Test func `A place that is nowhere is told, and everything younger is read`() throws {
    write(1...5, to: path + ".1")
    write(6...9)
    let position = try read()
    files.remove(path)
    write(10...11, to: path + ".0")
    write(12...13)
    let reader = resumed(position)
    #expect(reader.lines == lines(10...13))
    #expect(reader.gaps.map(\.reason) == [.placeLost])
  }

  @Test func `Nothing was there to be read: what came meanwhile is read whole`() throws {
    files.create(path)
    let position = try read()
    #expect(position.mark.offset == 0)
    write(1...4)
    files.rename(path, path + ".1")
    write(5...6)
    let reader = resumed(position)
    #expect(reader.lines == lines(1...6))
    #expect(reader.gaps.isEmpty)
  }

  @Test func `The start of a numbered file is known by its number once it was rotated`() throws {
    write(1...5)
    let end = try read()
    var start = TailPosition(
      identity: end.identity, born: end.born, modified: end.modified, mark: TailMark(offset: 0, bytes: []))
    start.stream = StreamPlace(stream: 1)
    files.rename(path, path + ".1")
    write(6...7)
    #expect(resumed(start).lines == lines(1...7))
    // Otherwise a file that has not changed since counts as read.
    start.stream = nil
    #expect(resumed(start).lines == lines(6...7))
  }

  @Test func `The path is missing for a while`() throws {
    write(1...3)
    let position = try read()
    write(4...4)
    files.rename(path, path + ".1")
    let reader = resumed(position)
    #expect(reader.lines.isEmpty)
    #expect(reader.tail.position == position)
    write(5...6)
    reader.settle()
    #expect(reader.lines == lines(4...6))
  }

  @Test func `Ended at any moment and resumed, every line comes once`() throws {
    let (read, written) = try restarted { _ in true }
    #expect(read == written)
  }

  @Test(arguments: [false, true])
  func `The same where files are also copied and cut`(tellsBirths: Bool) throws {
    files.tellsBirths = tellsBirths
    let (read, written) = try restarted { $0.next() % 2 == 0 }
    // Of copies that were made between two looks nothing says which came first.
    #expect(read.sorted() == written.sorted())
  }

  /// The lines read of a rotated file by tails that end and start again, and those written.
  ///
  /// - Parameter renames: whether a rotation renames the file, or copies and cuts it.
  private func restarted(renames: (inout SeededGenerator) -> Bool) throws -> (
    read: [String], written: [String]
  ) {
    var random = SeededGenerator(seed: 17)
    var number = 0
    var read: [String] = []
    files.create(path)
    var position = try self.read()
    for round in 0..<300 {
      let reader = TailReader(path, files, options: TailStateMachine.Options(start: .after(position)))
      for _ in 0..<(random.next() % 4) {
        let count = Int(random.next() % 20)
        if count > 0 { write(number + 1...number + count) }
        number += count
        if random.next() % 3 == 0, let file = files.inode(path) {
          for old in (1..<40).reversed() { files.rename("\(path).\(old)", "\(path).\(old + 1)") }
          if renames(&random) {
            files.rename(path, path + ".1")
          } else {
            files.copy(path, path + ".1")
            files.truncate(file, to: 0)
          }
        }
        if random.next() % 2 == 0 { reader.look(after: Double(random.next() % 15) / 10) }
      }
      read += reader.lines
      position = reader.tail.position ?? position
      #expect(reader.gaps.isEmpty, "round \(round)")
    }
    let reader = resumed(position)
    files.create(path)
    reader.settle()
    return (read + reader.lines, lines(1...number))
  }
}

@Suite("The file of saved positions")
struct PositionFileTests {
  private let file = PositionFile(
    positions: [
      "/var/log/app.jsonl": TailPosition(
        identity: FileIdentity(device: 2049, inode: .max), modified: -1,
        mark: TailMark(offset: .max, bytes: Array(0...255))),
      "/a b/ü\n%\u{1b}": TailPosition(
        identity: FileIdentity(device: 0, inode: 1), modified: .max, mark: TailMark(offset: 0, bytes: [])),
      "/born": TailPosition(
        identity: FileIdentity(device: 1, inode: 2), born: .max, modified: 3,
        mark: TailMark(offset: 300, bytes: Array(1...100)),
        lines: LastLines(hashes: [0, 1, .max], end: 300)),
    ], missing: ["/a b/ü\n%\u{1b}": 1_790_000_000])

  @Test func `What was kept comes back`() {
    #expect(PositionFile.decoded(file.encoded) == file)
    #expect(PositionFile.decoded(PositionFile().encoded) == PositionFile())
  }

  @Test func `It is text of one line a path`() {
    let small = PositionFile(
      positions: [
        "/log": TailPosition(
          identity: FileIdentity(device: 7, inode: 8), modified: 9,
          mark: TailMark(offset: 300, bytes: Array(repeating: 120, count: 98) + [0, 255])),
        "/none": TailPosition(
          identity: FileIdentity(device: 7, inode: 8), modified: 9, mark: TailMark(offset: 0, bytes: [])),
      ], missing: ["/none": 1_790_000_000])
    let text = String(decoding: small.encoded, as: UTF8.self)
    // With another hash no place would be found that an earlier version has kept.
    let mark = "100:b0c30fcf9dcfd160:" + String(repeating: "78", count: 62) + "00ff"
    #expect(
      text.hasPrefix("mistertop positions 2\n7 8 9 300 \(mark) - /log\n7 8 9 0 - 1790000000 /none\nend "))
  }

  @Test func `Places in streams come back, those of rotated files too`() {
    var late = TailPosition(
      identity: FileIdentity(device: 7, inode: 8), modified: 9,
      mark: TailMark(offset: 300, bytes: Array(repeating: 120, count: 100)))
    late.stream = StreamPlace(stream: 1, next: 2)
    var numbered = file
    numbered.positions["/born"]?.stream = StreamPlace(stream: .max, next: 81_000)
    numbered.positions["/born"]?.late = [late]
    #expect(PositionFile.decoded(numbered.encoded) == numbered)
    #expect(
      String(decoding: numbered.encoded, as: UTF8.self).contains("\nstream ffffffffffffffff 81000\n1 2:"))
  }

  @Test func `When a file was made and its last lines are told where they are known`() {
    let known = PositionFile(positions: [
      "/log": TailPosition(
        identity: FileIdentity(device: 7, inode: 8), born: 5, modified: 9,
        mark: TailMark(offset: 3, bytes: Array("ab\n".utf8)),
        lines: LastLines(hashes: [1, 0xABCD_EF01], end: 3))
    ])
    let text = String(decoding: known.encoded, as: UTF8.self).split(separator: "\n")[1]
    #expect(text.hasPrefix("7 8:5 9 3 3:") && text.hasSuffix(":61620a:00000001abcdef01 - /log"))
  }

  @Test func `What the first version has kept is read`() throws {
    let bytes = Array(repeating: UInt8(ascii: "x"), count: 99) + [UInt8(ascii: "\n")]
    let hex = bytes.map { Hexadecimal.text($0) }
    let body = "mistertop positions 1\n7 8 9 300 \(hex.joined()) /a%20log\n7 8 9 0 - /none\n"
    let file = try #require(
      PositionFile.decoded(Array((body + "end \(String(FNV1a.hash(body.utf8), radix: 16))\n").utf8)))
    let identity = FileIdentity(device: 7, inode: 8)
    #expect(
      file
        == PositionFile(positions: [
          "/a log": TailPosition(
            identity: identity, modified: 9, mark: TailMark(offset: 300, bytes: bytes)),
          "/none": TailPosition(identity: identity, modified: 9, mark: TailMark(offset: 0, bytes: [])),
        ]))
  }

  @Test func `Places in thousands of files with long lines are kept in little room`() throws {
    let position = TailPosition(
      identity: FileIdentity(device: 7, inode: 8), modified: 9,
      mark: TailMark(
        offset: UInt64(TailMark.limit), bytes: Array(repeating: UInt8(ascii: "x"), count: TailMark.limit)))
    var many = PositionFile()
    for number in 0..<2300 { many.positions[PathKey("/var/log/\(number).jsonl")] = position }
    let bytes = many.encoded
    #expect(bytes.count < 1 << 20)
    #expect(PositionFile.decoded(bytes) == many)
  }

  @Test func `A file that was cut or changed anywhere is not believed`() {
    let bytes = file.encoded
    for count in bytes.indices { #expect(PositionFile.decoded(Array(bytes[..<count])) == nil) }
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 0x15
      #expect(PositionFile.decoded(changed) == nil, "byte \(index)")
    }
  }

  @Test func `Random bytes are refused without a trap`() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<5000 {
      let count = Int(random.next() % 200)
      let words = [
        "mistertop positions 1\n", "mistertop positions 2\n", "end ", "70:0f:", "0 0 0 ", "-1 ", "+1 ", "- /",
        "%", "\n", "18446744073709551616 ",
      ]
      var bytes: [UInt8] = []
      while bytes.count < count {
        if random.next() % 2 == 0 {
          bytes += words[Int(random.next() % UInt64(words.count))].utf8
        } else {
          bytes.append(UInt8(truncatingIfNeeded: random.next()))
        }
      }
      #expect(PositionFile.decoded(bytes) == nil)
    }
  }
}
