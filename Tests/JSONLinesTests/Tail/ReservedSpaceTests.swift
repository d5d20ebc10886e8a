import JSONLines
import Platform
import TestSupport
import Testing

/// Files that end with NUL bytes, which their writers fill.
@Suite("Tail of files with reserved space")
struct ReservedSpaceTests: LogsInMemory {
  let files = MemoryFileSystem.withLogs()

  private func text(_ numbers: ClosedRange<Int>) -> String { numbers.map { line($0) + "\n" }.joined() }

  /// A file of this size with some lines at its start.
  private func reserve(_ size: Int, lines: Int = 0) throws -> MemoryFileSystem.Inode {
    files.append(lines > 0 ? text(1...lines) : "", to: path)
    let inode = try #require(files.inode(path))
    files.truncate(inode, to: size)
    return inode
  }

  @Test(
    "are followed by their content, whether events come or not, from no line on or from some",
    arguments: [0, 3], [600, 70_000, 1 << 20])
  func followed(_ first: Int, _ size: Int) throws {
    let inode = try reserve(size, lines: first)
    let tail = MemoryTail([.file(path)], in: files)
    var place = text(1...3).utf8.count / 3 * first
    // The smallest has no space for more.
    let last = min(23, size / (line(1).utf8.count + 1))
    for number in first + 1...last {
      files.overwrite(inode, at: place, text(number...number), touches: number % 2 == 0)
      place += text(number...number).utf8.count
      tail.pass(2)
    }
    #expect(tail.lines == lines(1...last))
    #expect(tail.restarts == [.began] && tail.gaps.isEmpty)
  }

  @Test func `A line that is filled in parts is delivered once it is whole`() throws {
    let inode = try reserve(10_000)
    let tail = MemoryTail([.file(path)], in: files)
    let bytes = Array(text(1...2).utf8)
    for (place, byte) in bytes.enumerated() {
      files.overwrite(inode, at: place, String(UnicodeScalar(byte)), touches: false)
      tail.pass(1)
    }
    #expect(tail.lines == lines(1...2) && tail.gaps.isEmpty)
  }

  @Test func `Space that is given back, and grown again, loses nothing`() throws {
    let inode = try reserve(4096, lines: 2)
    let tail = MemoryTail([.file(path)], in: files)
    let end = text(1...2).utf8.count
    files.truncate(inode, to: end)
    tail.pass(2)
    files.append(Array(text(3...3).utf8), to: inode)
    tail.pass(2)
    tail.look()
    files.truncate(inode, to: 300_000)
    files.overwrite(inode, at: text(1...3).utf8.count, text(4...5))
    tail.pass(2)
    tail.look()
    #expect(tail.lines == lines(1...5) && tail.gaps.isEmpty && tail.restarts == [.began])
  }

  @Test func `A rotated file with space left is done with after a second`() throws {
    _ = try reserve(4096, lines: 2)
    let tail = MemoryTail([.file(path)], in: files)
    files.rename(path, path + ".1")
    write(3...3)
    tail.look()
    tail.pass(2)
    #expect(tail.lines == lines(1...3) && tail.gaps.isEmpty)
    tail.pass(100)
    let before = tail.looks
    tail.pass(1000)
    #expect(tail.lines == lines(1...3) && tail.looks == before)
  }

  @Test func `Rewritten with the same size, it is read from its start`() throws {
    let inode = try reserve(4096, lines: 2)
    let tail = MemoryTail([.file(path)], in: files)
    files.truncate(inode, to: 0)
    files.append(Array(text(7...9).utf8), to: inode)
    files.truncate(inode, to: 4096)
    tail.pass(2)
    #expect(tail.lines == lines(1...2, 7...9) && tail.restarts == [.began, .truncated])
  }

  @Test("a start near the end means the end of the content", arguments: [4096, 1 << 20])
  func window(_ size: Int) throws {
    _ = try reserve(size, lines: 20)
    let tail = MemoryTail([.file(path)], in: files, start: .window(300))
    #expect(tail.lines == lines(17...20))
  }

  @Test("a saved position in such a file holds")
  func position() throws {
    let inode = try reserve(4096, lines: 2)
    let tail = MemoryTail([.file(path)], in: files)
    let saved = try #require(tail.set.positions[PathKey(path)])
    files.overwrite(inode, at: text(1...2).utf8.count, text(3...4))
    let next = MemoryTail([.file(path)], in: files, start: .after(saved))
    #expect(next.lines == lines(3...4))
  }

  @Test("NUL bytes inside a line belong to it once others follow", arguments: [10, 400_000])
  func inside(_ count: Int) throws {
    let nuls = String(repeating: "\0", count: count)
    files.append("half" + nuls, to: path)
    let tail = MemoryTail([.file(path)], in: files)
    #expect(tail.lines.isEmpty)
    files.append("whole\n" + nuls + "next\n", to: path)
    tail.pass(2)
    // Those between two lines are left to the scanner, which skips them.
    let lines = tail.lines.map { String($0.drop { $0 == "\0" }) }
    #expect(lines == ["half\(nuls)whole", "next"] && tail.gaps.isEmpty)
  }

  @Test func `It is looked at every second, less often once it is idle, and not at all without space`() throws
  {
    let inode = try reserve(4096, lines: 1)
    let reader = TailReader(path, files)
    reader.look()
    #expect(reader.tail.deadline == reader.now + 1)
    reader.look(after: 601)
    #expect(reader.tail.deadline == reader.now + 5)
    files.overwrite(inode, at: text(1...1).utf8.count, text(2...2))
    reader.look(after: 5)
    #expect(reader.tail.deadline == reader.now + 1 && reader.lines == lines(1...2))
    files.truncate(inode, to: text(1...2).utf8.count)
    reader.look(after: 1)
    #expect(reader.tail.deadline == nil)
  }
}
