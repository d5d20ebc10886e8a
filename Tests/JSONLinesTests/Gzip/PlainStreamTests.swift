import Foundation
import Platform
import TestSupport
import Testing

@testable import JSONLines

@Suite("PlainStream")
struct PlainStreamTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// The samples of some bytes in a file, and the note at its end.
  private func read(
    _ bytes: [UInt8], room: Int = 100, limit: UInt64 = PlainStream.limit
  ) throws -> (content: [UInt8], note: PlainStream.Note?) {
    let path = folder.path("input")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let descriptor = try Posix.open(path)
    defer { Posix.close(descriptor) }
    let stream = PlainStream(descriptor: descriptor, limit: limit)
    var content: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: room)
    while case let count = try piece.withUnsafeMutableBytes({ try stream.read(into: $0) }), count > 0 {
      content += piece[..<count]
    }
    #expect(try piece.withUnsafeMutableBytes { try stream.read(into: $0) } == 0)
    return (content, stream.note)
  }

  @Test("gives what is not packed as it is", arguments: [0, 1, 2, 3, 700_000])
  func plain(count: Int) throws {
    let bytes = [UInt8](repeating: 0x1F, count: count)
    let (content, note) = try read(bytes, room: 4096)
    #expect(content == bytes && note == nil)
  }

  @Test("unpacks what is, one member after the other", arguments: [1, 7, 4096])
  func packed(room: Int) throws {
    let (content, note) = try read(PackedBytes.dynamic + PackedBytes.stored([1, 2, 3]), room: room)
    #expect(content == PackedBytes.dynamicContent + [1, 2, 3] && note == nil)
  }

  @Test("gives what can be read of a cut or damaged one, and says where it ends")
  func damaged() throws {
    let whole = PackedBytes.stored(Array(repeating: 7, count: 1000))
    let (cut, note) = try read(whole + whole.dropLast(300))
    #expect(cut.starts(with: [UInt8](repeating: 7, count: 1000)))
    #expect(note == .damaged(GzipDamage(position: UInt64(whole.count * 2 - 300), soundBytes: 1000)))
    #expect(note?.text.contains("1000 bytes of it proven") == true)
    let (none, noteOfNone) = try read(Gunzip.magic + [0, 0, 0])
    #expect(none.isEmpty && noteOfNone != nil)
  }

  @Test("unpacks no more than the limit")
  func bomb() throws {
    let (content, note) = try read(PackedBytes.stored(Array(repeating: 0, count: 5000)), limit: 1000)
    #expect(content.count <= 1000 && note == .tooLarge(limit: 1000))
  }
}
