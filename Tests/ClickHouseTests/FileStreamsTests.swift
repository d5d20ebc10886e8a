import JSONLines
import Platform
import Testing

@testable import ClickHouse

@Suite("The streams of a path")
struct FileStreamsTests {
  private static func file(_ number: UInt64) -> FileStatus {
    FileStatus(
      kind: .regular, identity: FileIdentity(device: 1, inode: number), size: 0, modified: 0,
      born: Int64(number))
  }

  private static func position(_ file: UInt64, offset: UInt64, _ place: StreamPlace? = nil) -> TailPosition {
    var position = TailPosition(
      identity: FileIdentity(device: 1, inode: file), born: Int64(file), modified: 0,
      mark: TailMark(offset: offset, bytes: Array(repeating: 65, count: Int(min(offset, 100)))))
    position.stream = place
    return position
  }

  /// Streams that are numbered 100, 101 and so on.
  private static func streams(
    after position: TailPosition? = nil, arrived: [UInt64: ArrivedRows] = [:]
  ) -> FileStreams {
    let next = Locked<UInt64>(99)
    return FileStreams(after: position, arrived: arrived) {
      next.withLock { number in
        number += 1
        return number
      }
    }
  }

  /// The places of as many samples at the times 0, 1 and so on; `nil` for those that are not sent.
  private static func read(_ streams: inout FileStreams, _ times: Range<Int64>) -> [StreamPlace?] {
    times.map { time in
      _ = streams.begins(at: time)
      return streams.nextPlace()
    }
  }

  @Test func `A stream begins with the first sample of a file, whose position is saved before`() {
    var streams = Self.streams()
    streams.restarted(TailRestart(reason: .began, offset: 0), in: Self.file(1))
    let begins = streams.begins(at: 5)
    #expect(begins)
    #expect(streams.numbered(Self.position(1, offset: 0)).stream == StreamPlace(stream: 100, next: 0))
    let read = Self.read(&streams, 6..<8)
    #expect(read == [StreamPlace(stream: 100, next: 0), StreamPlace(stream: 100, next: 1)])
    #expect(streams.numbered(Self.position(1, offset: 200)).stream == StreamPlace(stream: 100, next: 2))
    // Too little to recognize the file by: it is read from its start again.
    #expect(streams.numbered(Self.position(1, offset: 0)).stream == StreamPlace(stream: 100, next: 0))
  }

  @Test(arguments: [TailRestart.Reason.rotated, .recreated, .truncated, .cutBack])
  func `Other lines are another stream`(reason: TailRestart.Reason) {
    var streams = Self.streams()
    streams.restarted(TailRestart(reason: .began, offset: 0), in: Self.file(1))
    _ = Self.read(&streams, 0..<3)
    streams.restarted(TailRestart(reason: reason, offset: 0), in: Self.file(reason == .truncated ? 1 : 2))
    let read1 = Self.read(&streams, 0..<1)
    #expect(read1 == [StreamPlace(stream: 101, next: 0)])
  }

  @Test func `A rotated file that has grown goes on where it was left, and so does the one after it`() {
    var streams = Self.streams()
    streams.restarted(TailRestart(reason: .began, offset: 0), in: Self.file(1))
    _ = Self.read(&streams, 0..<3)
    streams.restarted(TailRestart(reason: .rotated, offset: 0), in: Self.file(2))
    _ = Self.read(&streams, 0..<2)
    streams.restarted(TailRestart(reason: .resumed, offset: 300), in: Self.file(1))
    let read2 = Self.read(&streams, 3..<4)
    #expect(read2 == [StreamPlace(stream: 100, next: 3)])
    streams.restarted(TailRestart(reason: .resumed, offset: 200), in: Self.file(2))
    let read3 = Self.read(&streams, 2..<3)
    #expect(read3 == [StreamPlace(stream: 101, next: 2)])
    var position = Self.position(2, offset: 300)
    position.late = [Self.position(1, offset: 400)]
    let numbered = streams.numbered(position)
    #expect(numbered.stream == StreamPlace(stream: 101, next: 3))
    #expect(numbered.late.map(\.stream) == [StreamPlace(stream: 100, next: 4)])
  }

  @Test(arguments: [(TailRestart.Reason.resumed, UInt64(1)), (.resumed, 9), (.compacted, 9), (.continued, 9)])
  func `The next process goes on in the file or its copy, and sends only what is missing`(
    reason: TailRestart.Reason, file: UInt64
  ) {
    var streams = Self.streams(
      after: Self.position(1, offset: 200, StreamPlace(stream: 7, next: 2)),
      arrived: [7: ArrivedRows(end: 4, firstTime: 2)])
    streams.restarted(TailRestart(reason: reason, offset: 200), in: Self.file(file))
    let read4 = Self.read(&streams, 2..<5)
    #expect(read4 == [nil, nil, StreamPlace(stream: 7, next: 4)])
  }

  @Test func `A start that was saved is recognized by the first sample, in whatever file that is`() {
    let saved = Self.position(1, offset: 0, StreamPlace(stream: 7, next: 0))
    let arrived: [UInt64: ArrivedRows] = [7: ArrivedRows(end: 2, firstTime: 10)]
    // The file was truncated meanwhile, after a copy was made of it.
    var streams = Self.streams(after: saved, arrived: arrived)
    streams.restarted(TailRestart(reason: .rotated, offset: 0), in: Self.file(2))
    let read5 = Self.read(&streams, 10..<13)
    #expect(read5 == [nil, nil, StreamPlace(stream: 7, next: 2)])
    streams.restarted(TailRestart(reason: .rotated, offset: 0), in: Self.file(1))
    let read6 = Self.read(&streams, 13..<14)
    #expect(read6 == [StreamPlace(stream: 100, next: 0)])
    // Only the new lines are left.
    streams = Self.streams(after: saved, arrived: arrived)
    streams.restarted(TailRestart(reason: .began, offset: 0), in: Self.file(1))
    let read7 = Self.read(&streams, 13..<14)
    #expect(read7 == [StreamPlace(stream: 100, next: 0)])
  }

  @Test func `Without a restart there is no stream`() {
    var streams = Self.streams()
    let read = Self.read(&streams, 0..<1)
    #expect(read == [nil])
    #expect(streams.numbered(Self.position(1, offset: 200)).stream == nil)
  }
}
