import TestSupport
import Testing

@testable import Symbolication

@Suite("Files with symbols")
struct ObjectFileTests {
  private func found(_ bytes: [UInt8]) -> [String] {
    ObjectFile.all(in: MemoryObject(bytes: bytes)).map { object in
      "\(object.identifier.digits) \(object.architecture ?? "-") \(String(object.base, radix: 16))"
        + (object.hasLines ? " lines" : "")
    }
  }

  private static let other = Array(ObjectFixture.uuid.reversed())
  private static let otherDigits = "100f0e0d0c0b0a090807060504030201"

  @Test(
    "the identity of a Mach-O file is its UUID, and its places begin at __TEXT",
    arguments: [
      (ObjectFixture.machO(), ["\(ObjectFixture.digits) - 100000000 lines"]),
      (ObjectFixture.machO(base: 0, hasLines: false), ["\(ObjectFixture.digits) - 0"]),
      (ObjectFixture.machO32(), ["\(ObjectFixture.digits) - 4000"]),
      (ObjectFixture.machO(uuid: nil), []),
      (ObjectFixture.machO(uuid: Array(repeating: 0, count: 16)), []),
      (ObjectFixture.machO(hasText: false), []),
    ])
  func machO(bytes: [UInt8], expected: [String]) {
    #expect(found(bytes) == expected)
  }

  @Test("each build of a file with several is found, with its architecture", arguments: [false, true])
  func fat(isWide: Bool) {
    let builds: [(type: UInt64, subtype: UInt64, bytes: [UInt8])] = [
      (0x0100_000C, 0, ObjectFixture.machO()),
      (0x0100_000C, 0x8000_0002, ObjectFixture.machO(uuid: Self.other, base: 0x4000)),
      (99, 0, ObjectFixture.machO()),
    ]
    #expect(
      found(ObjectFixture.fat(builds, isWide: isWide)) == [
        "\(ObjectFixture.digits) arm64 100000000 lines", "\(Self.otherDigits) arm64e 4000 lines",
      ])
  }

  @Test(
    "the identity of an ELF file is its build id, and its places begin at the first loaded segment",
    arguments: [true, false], [true, false])
  func elf(isWide: Bool, isLittle: Bool) {
    let id = "\(ObjectFixture.digits)aabbccdd"
    #expect(found(ObjectFixture.elf(isWide: isWide, isLittle: isLittle)) == ["\(id) - 400000 lines"])
    let stripped = ObjectFixture.elf(
      base: 0, isWide: isWide, isLittle: isLittle, hasLines: false, isNoteInSegment: true)
    #expect(found(stripped) == ["\(id) - 0"])
  }

  @Test(
    "other files have no builds",
    arguments: [
      [], [0xCF], Array("#!/bin/sh\n".utf8), Array("PK\u{3}\u{4}".utf8),
      // A Java class.
      [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 52, 0, 10, 0, 1, 2, 3],
    ] as [[UInt8]])
  func others(bytes: [UInt8]) {
    #expect(found(bytes).isEmpty)
  }

  private static let samples = [
    ObjectFixture.machO(), ObjectFixture.machO32(),
    ObjectFixture.fat([(0x0100_000C, 0, ObjectFixture.machO()), (7, 3, ObjectFixture.machO32())]),
    ObjectFixture.fat([(0x0100_000C, 2, ObjectFixture.machO())], isWide: true),
    ObjectFixture.elf(), ObjectFixture.elf(isWide: false, isLittle: false),
  ]

  @Test("a file cut anywhere is read as far as it goes", arguments: samples)
  func cut(bytes: [UInt8]) {
    for end in bytes.indices { _ = found(Array(bytes[..<end])) }
    #expect(!found(bytes).isEmpty)
  }

  @Test("damaged files never trap", arguments: samples)
  func damaged(bytes: [UInt8]) {
    var random = SeededGenerator(seed: UInt64(bytes.count))
    let extremes: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF]
    for _ in 0..<3_000 {
      var bytes = bytes
      for _ in 0...Int.random(in: 0..<4, using: &random) {
        let place = Int.random(in: 4..<bytes.count, using: &random)
        // Runs of equal bytes make the largest sizes and offsets.
        for index in place..<min(bytes.count, place + (1 << Int.random(in: 0...3, using: &random))) {
          bytes[index] = extremes.randomElement(using: &random) ?? 0
        }
      }
      _ = found(bytes)
    }
  }

  @Test(
    "an identifier is read as payloads and tools write it",
    arguments: [
      ("01020304-0506-0708-090A-0B0C0D0E0F10", ObjectFixture.digits),
      (ObjectFixture.digits, ObjectFixture.digits),
      ("", nil), ("no uuid", nil), ("00000000-0000-0000-0000-000000000000", nil), ("abc", nil),
      ("ABCDEF", nil),
      (String(repeating: "a", count: 500), nil), ("0102030é", nil),
    ] as [(String, String?)])
  func identifiers(text: String, digits: String?) {
    #expect(ModuleIdentifier(text)?.digits == digits)
  }

  @Test("an address beyond the last one is none")
  func overflow() throws {
    let id = try #require(ModuleIdentifier(ObjectFixture.digits))
    let object = ObjectFile(identifier: id, base: 0x1_0000_0000, hasLines: true)
    #expect(object.address(of: 0x4010) == 0x1_0000_4010)
    #expect(object.address(of: .max) == nil)
  }
}
