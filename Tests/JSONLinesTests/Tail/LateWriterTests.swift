import JSONLines
import Platform
import TestSupport
import Testing

/// Lines that an old descriptor writes to a file that was rotated away.
@Suite("Late writers")
struct LateWriterTests: LogsInMemory {
  let files = MemoryFileSystem.withLogs()
  private var rotated: String { path + ".1" }

  /// Two lines before a rotation and one after it, all read.
  private func rotatedReader() -> TailReader {
    write(1...2)
    let reader = TailReader(path, files, options: .init())
    reader.look()
    files.rename(path, rotated)
    write(3...3)
    reader.look(after: 0.1)
    reader.look(after: 1)
    #expect(reader.lines == lines(1...3))
    return reader
  }

  @Test("what comes late to a rotated file is read, once, and at once", arguments: [0.5, 1.5, 5, 30, 55])
  func late(seconds: Double) {
    let reader = rotatedReader()
    reader.forget()
    reader.look(after: seconds)
    write(4...4, to: rotated)
    write(5...5)
    reader.look()
    #expect(reader.lines.sorted() == lines(4...5))
    write(6...6)
    write(7...7, to: rotated)
    reader.look(after: 2)
    reader.settle()
    #expect(reader.lines.sorted() == lines(4...7))
    #expect(reader.gaps.isEmpty && reader.jumps == 0)
    #expect(files.openHandles == 1)
  }

  @Test("a line that is half written in the new file is read whole")
  func halfLine() {
    let reader = rotatedReader()
    reader.forget()
    files.append(String(line(4).prefix(9)), to: path)
    reader.look()
    write(5...5, to: rotated)
    reader.look(after: 1)
    files.append(line(4).dropFirst(9) + "\n", to: path)
    reader.look()
    #expect(reader.lines.sorted() == lines(4...5))
    #expect(reader.gaps.isEmpty)
  }

  @Test("a line that was half written when its file was left is read whole once it has its end")
  func oldHalfLine() {
    let reader = rotatedReader()
    reader.forget()
    files.append(String(line(4).prefix(9)), to: rotated)
    reader.look(after: 1)
    reader.look(after: 1)
    files.append(line(4).dropFirst(9) + "\n", to: rotated)
    write(5...5)
    reader.look(after: 1)
    #expect(reader.lines.sorted() == lines(4...5))
  }

  @Test("who goes on in the old file for ever keeps nobody from reading the new one")
  func busy() {
    write(1...1)
    let reader = TailReader(path, files, options: .init())
    reader.look()
    files.rename(path, rotated)
    write(1000...1000)
    for number in 2...200 {
      write(number...number, to: rotated)
      reader.look(after: 0.1)
      if number == 60 { #expect(reader.lines.contains(line(1000))) }
    }
    write(1001...1001)
    reader.look()
    #expect(reader.lines.sorted() == (lines(1...200) + lines(1000...1001)).sorted())
    #expect(reader.gaps.isEmpty && reader.jumps == 0)
  }

  @Test("a minute after its last line a file is closed, and of many only the last four are held")
  func bounds() {
    let reader = rotatedReader()
    reader.look(after: 59.5)
    #expect(files.openHandles == 1)
    for number in 4...13 {
      for place in stride(from: 9, to: 0, by: -1) { files.rename("\(path).\(place)", "\(path).\(place + 1)") }
      files.rename(path, rotated)
      write(number...number)
      reader.look(after: 0.1)
      reader.look(after: 1)
    }
    #expect(reader.lines == lines(1...13))
    #expect(files.openHandles == 1 + 4)
    // Lines written to a file no longer held are found at the next rotation.
    write(20...20, to: "\(path).9")
    reader.settle()
    files.rename(path, "\(path).0")
    write(21...21)
    reader.look(after: 0.1)
    reader.settle()
    #expect(reader.lines.sorted() == (lines(1...13) + lines(20...21)).sorted())
    #expect(files.openHandles == 1)
  }

  @Test("a file that gets its name back is read on by that name, and no line comes twice")
  func nameGivenBack() {
    let reader = rotatedReader()
    files.rename(path, "/logs/other")
    files.rename(rotated, path)
    write(4...4)
    reader.look(after: 0.1)
    reader.settle()
    write(5...5, to: "/logs/other")
    write(6...6)
    reader.look(after: 1)
    reader.settle()
    #expect(Set(reader.lines).isSuperset(of: lines(1...4) + lines(6...6)))
    #expect(Set(reader.lines).count == reader.lines.count)
  }

  @Test("a file that was left and is cut is let go")
  func cut() {
    let reader = rotatedReader()
    if let inode = files.inode(rotated) { files.truncate(inode, to: 0) }
    reader.look(after: 1)
    #expect(files.openHandles == 1)
    #expect(reader.lines == lines(1...3))
  }

  /// Another process's reading from where this one is.
  private func resumed(_ reader: TailReader) throws -> TailReader {
    let file = PositionFile(positions: [PathKey(path): try #require(reader.tail.position)])
    let saved = try #require(PositionFile.decoded(file.encoded))
    #expect(saved == file)
    let start = TailStateMachine.Start.after(try #require(saved.positions[PathKey(path)]))
    let next = TailReader(path, files, options: .init(start: start))
    next.settle()
    return next
  }

  @Test(
    "what comes late while nobody reads is read by the next process, once", arguments: [1, 4], [false, true])
  func acrossRestart(rotations: Int, rotatesAgain: Bool) throws {
    files.tellsBirths = true
    write(1...2)
    let reader = TailReader(path, files, options: .init())
    reader.look()
    func rotate() {
      for number in stride(from: 6, to: 0, by: -1) {
        files.rename("\(path).\(number)", "\(path).\(number + 1)")
      }
      files.rename(path, rotated)
    }
    for number in 1...rotations {
      rotate()
      write(number * 10...number * 10 + 2)
      reader.look(after: 0.1)
      reader.look(after: 1)
    }
    write(200...200, to: rotated)
    write(201...201)
    if rotatesAgain {
      rotate()
      write(202...202)
    }
    let last = rotatesAgain ? lines(200...202) : lines(200...201)
    let next = try resumed(reader)
    #expect(next.lines.sorted() == last)
    #expect(next.gaps.isEmpty && files.openHandles == 2 + min(rotations, 4))
  }

  @Test("the same if the new file has nothing yet, or was compacted meanwhile", arguments: [false, true])
  func besidesAnother(isCompacted: Bool) throws {
    files.tellsBirths = true
    write(1...2)
    let reader = TailReader(path, files, options: .init())
    reader.look()
    files.rename(path, rotated)
    files.create(path)
    if isCompacted { write(3...20) }
    reader.look(after: 0.1)
    reader.look(after: 1)
    write(30...30, to: rotated)
    if isCompacted {
      write(7...20, to: "/logs/.new")
      files.rename("/logs/.new", path)
    }
    write(31...31)
    let next = try resumed(reader)
    #expect(next.lines.sorted() == lines(30...31))
    #expect(next.gaps.isEmpty)
  }

  @Test("the last file that had the path is read on where it was if none came after it")
  func noneAfter() throws {
    files.tellsBirths = true
    write(1...3)
    let reader = TailReader(path, files, options: .init())
    reader.look()
    files.rename(path, rotated)
    reader.look(after: 0.1)
    reader.look(after: 1)
    write(4...4, to: rotated)
    write(5...5)
    let next = try resumed(reader)
    #expect(next.lines == lines(4...5))
    #expect(next.gaps.isEmpty)
  }

  @Test("the next process watches the same files")
  func watchedAgain() throws {
    let reader = rotatedReader()
    let file = PositionFile(positions: [PathKey(path): try #require(reader.tail.position)])
    let start = TailStateMachine.Start.after(try #require(file.positions[PathKey(path)]))
    let next = TailReader(path, files, options: .init(start: start))
    next.look()
    write(4...4, to: rotated)
    write(5...5)
    next.look(after: 2)
    #expect(next.lines.sorted() == lines(4...5))
    #expect(next.gaps.isEmpty && next.tail.position?.late.count == 1)
  }

  @Test("the saved place is that of the new file, whatever comes late to the old one")
  func position() {
    let reader = rotatedReader()
    let position = reader.tail.position
    write(4...4, to: rotated)
    reader.look(after: 1)
    #expect(reader.lines.count == 4)
    #expect(reader.tail.position?.mark == position?.mark)
  }
}
