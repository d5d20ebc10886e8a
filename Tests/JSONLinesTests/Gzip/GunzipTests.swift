import Foundation
import Platform
import TestSupport
import Testing

@testable import JSONLines

@Suite("Unpacking gzip files")
struct GunzipTests {
  private let folder: TemporaryFolder
  private let target: String

  init() throws {
    folder = try TemporaryFolder()
    target = folder.path("plain")
  }

  private func write(_ bytes: [UInt8]) throws -> String {
    let path = folder.path("packed.gz")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Unpacks bytes and what there is under the target's path then.
  private func unpack(
    _ bytes: [UInt8], limit: UInt64 = Gunzip.defaultLimit
  ) throws -> (file: UnpackedFile, content: [UInt8]) {
    let file = try Gunzip(limit: limit).unpack(write(bytes), to: target)
    let content = try Array(Data(contentsOf: URL(fileURLWithPath: target)))
    let inMemory = try Gunzip(limit: limit).unpack(bytes)
    #expect(inMemory.file == file && inMemory.bytes == content)
    return (file, content)
  }

  private var names: [String] { (try? PosixFileSystem().names(in: folder.url.path)) ?? [] }

  @Test func `What was packed comes out, for its owner alone, in place of what was there`() throws {
    _ = try folder.write("before", to: "plain")
    let (file, content) = try unpack(PackedBytes.dynamic)
    #expect(content == PackedBytes.dynamicContent)
    #expect(file == UnpackedFile(bytes: UInt64(content.count)))
    #expect(names.sorted() == ["packed.gz", "plain"])
    let mode = try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func `A file of several buffers, of several members, padded with zeros, comes out whole`() throws {
    var generator = SeededGenerator(seed: 4)
    let pieces = (0..<7).map { index in
      (0..<index * 90_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
    for padding in [0, 1, 511, 600_000] {
      let zeros = [UInt8](repeating: 0, count: padding)
      let packed = pieces.flatMap { PackedBytes.stored($0) + zeros }
      let (file, content) = try unpack(packed)
      #expect(content == pieces.flatMap { $0 })
      #expect(file.damage == nil)
    }
  }

  @Test func `A header with all that it may hold is passed over`() throws {
    let extras: [UInt8] = [3, 0, 1, 2, 3] + Array("name\0comment\0".utf8)
    var bytes = PackedBytes.stored([1, 2, 3])
    bytes[3] = 4 | 8 | 16
    bytes.insert(contentsOf: extras, at: 10)
    #expect(try unpack(bytes).content == [1, 2, 3])
  }

  @Test func `Nothing packed comes out as an empty file`() throws {
    #expect(try unpack(PackedBytes.stored([])).file == UnpackedFile(bytes: 0))
    #expect(try unpack(PackedBytes.stored([])).content == [])
  }

  @Test func `What is no gzip file is told, and nothing is written`() throws {
    for bytes in [[], [0x1F], [0x1F, 0x8C], Array("{\"metric\":{}}\n".utf8), [0, 0, 0x1F, 0x8B]] as [[UInt8]]
    {
      #expect(throws: GunzipFailure.notGzip) { try unpack(bytes) }
    }
    #expect(names == ["packed.gz"])
  }

  @Test func `What follows the last member is damage, and all before it is kept`() throws {
    let whole = PackedBytes.stored([1, 2, 3])
    for rest in [Array("junk".utf8), [0, 0, 7], [0x1F, 0x8C, 1, 2]] as [[UInt8]] {
      let (file, content) = try unpack(whole + rest)
      #expect(content == [1, 2, 3])
      let damage = try #require(file.damage)
      #expect(damage.soundBytes == 3)
      #expect((UInt64(whole.count)...UInt64(whole.count + 3)).contains(damage.position))
    }
  }

  @Test func `Cut at any length it gives a beginning of its content, and never passes for whole`() throws {
    let whole = PackedBytes.stored([9, 9]) + PackedBytes.dynamic
    let content = [9, 9] + PackedBytes.dynamicContent
    let second = PackedBytes.stored([9, 9]).count
    for count in 0..<whole.count {
      let cut = Array(whole[..<count])
      do {
        let result = try unpack(cut)
        #expect(result.content == Array(content[..<result.content.count]))
        if count == second { continue }
        let damage = try #require(result.file.damage)
        #expect(damage == GzipDamage(position: UInt64(count), soundBytes: count < second ? 0 : 2))
      } catch GunzipFailure.notGzip {
        #expect(count < 2)
      } catch GunzipFailure.damaged(let position) {
        #expect(position == UInt64(count) && count < second)
      }
    }
  }

  @Test func `With any byte turned into any other it ends well, and what is said to be sound is`() throws {
    let whole = PackedBytes.stored([9, 9]) + PackedBytes.dynamic
    let content = [9, 9] + PackedBytes.dynamicContent
    for index in whole.indices {
      for flip in [0x01, 0x80, 0xFF] as [UInt8] {
        var bytes = whole
        bytes[index] ^= flip
        guard let (file, found) = try? unpack(bytes) else {
          #expect(index < PackedBytes.stored([9, 9]).count)
          continue
        }
        // Name, time and system of the header are under no checksum, and change nothing.
        if file.damage == nil { #expect(found == content || found == []) }
        let sound = Int(file.damage?.soundBytes ?? file.bytes)
        #expect(found.count == Int(file.bytes) && found[..<sound].elementsEqual(content[..<sound]))
      }
    }
  }

  @Test func `Random bytes behind a header never do harm`() throws {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<400 {
      let start = Array(PackedBytes.dynamic[..<Int.random(in: 2...120, using: &generator)])
      let noise = (0..<Int.random(in: 0...300, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      guard let (file, content) = try? unpack(start + noise, limit: 1 << 20) else { continue }
      #expect(content.count == Int(file.bytes))
    }
    #expect(names.allSatisfy { !$0.hasPrefix(".") })
  }

  @Test func `More than the limit is refused, be it one member or a thousand, and what was there stays`()
    throws
  {
    let kept = try folder.write("before", to: "plain")
    let bomb = Array(repeating: PackedBytes.stored([UInt8](repeating: 7, count: 1000)), count: 1000).flatMap {
      $0
    }
    for limit in [0, 999, 1000, 999_999] as [UInt64] {
      #expect(throws: GunzipFailure.tooLarge) { try unpack(bomb, limit: limit) }
      #expect(try String(contentsOfFile: kept, encoding: .utf8) == "before")
    }
    #expect(try unpack(bomb, limit: 1_000_000).file.bytes == 1_000_000)
    #expect(names.sorted() == ["packed.gz", "plain"])
  }

  @Test func `It can be given up at every piece`() throws {
    let bytes = PackedBytes.stored([UInt8](repeating: 7, count: 2_000_000))
    let path = try write(bytes)
    for piece in 0..<8 {
      var asked = 0
      #expect(throws: GunzipFailure.cancelled) {
        try Gunzip().unpack(path, to: target) {
          asked += 1
          return asked > piece
        }
      }
    }
    #expect(names == ["packed.gz"])
  }

  @Test func `Who may not read or write learns why`() throws {
    let path = try write(PackedBytes.dynamic)
    #expect(throws: GunzipFailure.cannotRead(.missing)) {
      try Gunzip().unpack(folder.path("none"), to: target)
    }
    #expect(throws: GunzipFailure.cannotRead(.other(EISDIR))) {
      try Gunzip().unpack(folder.url.path, to: target)
    }
    #expect(throws: GunzipFailure.cannotWrite(.missing)) {
      try Gunzip().unpack(path, to: folder.path("none/plain"))
    }
    let denying = InjectedFileSystem()
    denying.denies = true
    #expect(throws: GunzipFailure.cannotRead(.denied)) {
      try Gunzip(fileSystem: denying).unpack(path, to: target)
    }
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    if full >= 0 {
      #expect(throws: GunzipFailure.cannotWrite(.other(ENOSPC))) {
        try Gunzip().unpack(path, toDescriptor: full)
      }
      close(full)
    }
    #expect(names == ["packed.gz"])
  }
}
