import Foundation
import TestSupport
import Testing

@testable import Symbolication

@Suite("Zip archives with symbols")
struct ZipArchiveTests {
  private typealias Member = (name: String, bytes: [UInt8], isDeflated: Bool)

  private static let name = "dSYMs/App.dSYM/Contents/Resources/DWARF/App"
  private static let members: [Member] = [
    ("dSYMs/App.dSYM/Contents/Info.plist", Array("<plist/>".utf8), false),
    (name, ObjectFixture.machO(), true),
    ("dSYMs/Kit.dSYM/Contents/Resources/DWARF/Kit", ObjectFixture.elf(), false),
  ]

  /// An archive; deflated files are one block that is not compressed.
  private static func zip(_ members: [Member], claimed: Int? = nil) -> [UInt8] {
    var (body, directory): ([UInt8], [UInt8]) = ([], [])
    func little(_ value: Int, _ count: Int) -> [UInt8] { ObjectFixture.little(UInt64(value), count) }
    for member in members {
      let size = member.bytes.count
      let packed =
        member.isDeflated ? [1] + little(size, 2) + little(~size & 0xFFFF, 2) + member.bytes : member.bytes
      let facts =
        little(20, 2) + little(0, 2) + little(member.isDeflated ? 8 : 0, 2) + little(0, 8)
        + little(packed.count, 4) + little(claimed ?? size, 4) + little(member.name.utf8.count, 2)
      directory += [0x50, 0x4B, 1, 2] + little(20, 2) + facts + little(0, 2) + little(0, 2) + little(0, 8)
      directory += little(body.count, 4) + Array(member.name.utf8)
      body += [0x50, 0x4B, 3, 4] + facts + little(0, 2) + Array(member.name.utf8) + packed
    }
    return body + directory + [0x50, 0x4B, 5, 6] + little(0, 4) + little(members.count, 2)
      + little(members.count, 2) + little(directory.count, 4) + little(body.count, 4) + little(0, 2)
  }

  /// The contents of an archive by name; `nil` for a damaged file.
  private func contents(_ bytes: [UInt8]) -> [String: [UInt8]?] {
    guard let archive = ZipArchive(MemoryObject(bytes: bytes)) else { return [:] }
    var contents: [String: [UInt8]?] = [:]
    for entry in archive.entries {
      var unpacked: [UInt8] = []
      let isWhole = archive.unpack(entry) { unpacked += $0 }
      #expect(UInt64(unpacked.count) <= entry.unpacked)
      contents[entry.name] = .some(isWhole ? unpacked : nil)
    }
    return contents
  }

  @Test("files are unpacked, stored or deflated")
  func reading() {
    let contents = contents(Self.zip(Self.members))
    #expect(contents.count == 3)
    for member in Self.members { #expect(contents[member.name] == member.bytes) }
  }

  @Test("a file that unpacks to more or less than the archive says is damaged", arguments: [3, 100_000])
  func claims(size: Int) {
    #expect(contents(Self.zip(Self.members, claimed: size)).values.allSatisfy { $0 == nil })
  }

  @Test("cut and damaged archives never trap")
  func damaged() {
    let bytes = Self.zip(Self.members)
    for end in bytes.indices { _ = contents(Array(bytes[..<end])) }
    var random = SeededGenerator(seed: 11)
    for _ in 0..<2_000 {
      var bytes = bytes
      for _ in 0...3 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] =
          [0, 1, 0x7F, 0xFF].randomElement(using: &random) ?? 0
      }
      _ = contents(bytes)
    }
  }

  #if os(Linux)
    @Test("the symbols of an archive are found, and leave no file behind")
    func search() throws {
      let folder = try TemporaryFolder()
      try Data(Self.zip(Self.members)).write(to: folder.url.appendingPathComponent("dSYMs.zip"))
      var search = SymbolSearch(temporaryFolder: folder.url.path)
      search.add(folder.url.path)
      #expect(search.problems.isEmpty)
      let module = try #require(ModuleIdentifier(ObjectFixture.digits).flatMap { search.modules[$0] })
      #expect(search.modules.count == 2)
      #expect(FileManager.default.contents(atPath: module.path) == Data(ObjectFixture.machO()))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["dSYMs.zip"])
    }
  #endif
}
