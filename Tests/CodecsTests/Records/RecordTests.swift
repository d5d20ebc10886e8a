import Codecs
import Platform
import Testing

@Suite("Records of a file")
struct RecordTests {
  private let contents = [[1, 2, 3], [], [UInt8](repeating: 9, count: 300), [7]]

  private func steps(_ bytes: [UInt8], at position: Int = 0) throws -> [RecordWalk.Step] {
    var walk = RecordWalk(FileWindow(bytes), at: position)
    var steps: [RecordWalk.Step] = []
    while true {
      steps.append(try walk.next())
      guard case .record = steps.last else { return steps }
    }
  }

  private func text(_ step: RecordWalk.Step?) -> String {
    switch step {
    case .record(let content): "record \(content.count)"
    case .badContent(let end): "bad content to \(end)"
    case .end: "end"
    case .torn: "torn"
    case .badHeader: "bad header"
    case nil: "nothing"
    }
  }

  @Test("Numbers are written with their lowest byte first, and are read from fewer or more bytes")
  func numbers() {
    #expect(LittleEndian.bytes(of: UInt32(0x0102_0304)) == [4, 3, 2, 1])
    for number in [Int64.min, -1, 0, 1, .max] {
      #expect(LittleEndian.number(Int64.self, in: LittleEndian.bytes(of: number)[...]) == number)
    }
    #expect(LittleEndian.number(UInt32.self, in: [1, 1]) == 257)
    #expect(LittleEndian.number(UInt8.self, in: [1, 1]) == 1)
  }

  @Test("A record is its length, a check of that, a check of the content, and the content")
  func frame() {
    let bytes = RecordFrame.bytes(of: Array("abc".utf8))
    let checks = [CRC32.checksum(of: [3, 0, 0, 0]), CRC32.checksum(of: Array("abc".utf8)[...])]
    #expect(bytes == [3, 0, 0, 0] + checks.flatMap(LittleEndian.bytes) + Array("abc".utf8))
    #expect(RecordFrame.content(in: (bytes + [1, 2])[...]) == Array("abc".utf8)[...])
    #expect(RecordFrame.content(in: bytes.dropLast()) == nil)
    #expect(RecordFrame.read(header: [UInt8](repeating: 0, count: 12)[...]) == nil)
  }

  @Test("All records are passed, from any of them on")
  func whole() throws {
    let bytes = contents.flatMap(RecordFrame.bytes)
    #expect(try steps(bytes).map(text) == ["record 3", "record 0", "record 300", "record 1", "end"])
    #expect(try steps(bytes, at: 15).count == 4)
    #expect(try steps([]).map(text) == ["end"])
  }

  @Test("Cut anywhere, a file ends with its last whole record")
  func torn() throws {
    let bytes = contents.flatMap(RecordFrame.bytes)
    for cut in 1..<bytes.count {
      let end = try steps(Array(bytes.prefix(cut))).last
      #expect([15, 27, 339].contains(cut) ? text(end) == "end" : text(end) == "torn", "cut at \(cut)")
    }
    #expect(try steps(bytes + [UInt8](repeating: 0, count: 3 << 20)).suffix(1).map(text) == ["torn"])
  }

  @Test("Damage is told with what it hit, and what is good behind it is found")
  func damaged() throws {
    let bytes = contents.flatMap(RecordFrame.bytes)
    for place in 27..<339 {
      var damaged = bytes
      damaged[place] ^= 1
      var walk = RecordWalk(FileWindow(damaged), at: 0)
      for _ in 0..<2 { _ = try walk.next() }
      let step = try walk.next()
      // Behind the two checks of the header stands the one of the content.
      #expect(text(step) == (place < 35 ? "bad header" : "bad content to 339"))
      #expect(walk.position == 27)
      if case .badContent(let end) = step { walk.skip(to: end) } else { try walk.skipToHeader() }
      #expect(try text(walk.next()) == "record 1", "byte \(place)")
    }
    var walk = RecordWalk(FileWindow([UInt8](repeating: 1, count: 200_000)), at: 0)
    try walk.skipToHeader()
    #expect(try text(walk.next()) == "end")
  }

  @Test("A record longer than any can be is none")
  func tooLong() throws {
    let bytes = contents.flatMap(RecordFrame.bytes)
    var walk = RecordWalk(FileWindow(bytes), at: 27, maximalContent: 299)
    #expect(try text(walk.next()) == "bad header")
  }

  @Test("A file that became shorter meanwhile is an error, not an end")
  func shorter() throws {
    var walk = RecordWalk(
      FileWindow(size: 100) { offset, count in [UInt8](repeating: 1, count: count / 10) }, at: 0)
    #expect(throws: FileFailure.self) { try walk.next() }
  }
}
