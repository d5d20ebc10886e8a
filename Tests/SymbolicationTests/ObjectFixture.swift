@testable import Symbolication

/// Object files made byte by byte.
enum ObjectFixture {
  static let uuid: [UInt8] = Array(1...16)
  static let digits = "0102030405060708090a0b0c0d0e0f10"

  static func little(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (UInt64($0) * 8)) }
  }

  static func big(_ value: UInt64, _ count: Int) -> [UInt8] { little(value, count).reversed() }

  static func padded(_ text: String, to size: Int) -> [UInt8] {
    Array(text.utf8) + Array(repeating: 0, count: size - text.utf8.count)
  }

  /// A Mach-O file of 64 bits with a UUID, `__TEXT`, and perhaps debug information.
  static func machO(
    uuid: [UInt8]? = uuid, base: UInt64 = 0x1_0000_0000, hasLines: Bool = true, hasText: Bool = true
  ) -> [UInt8] {
    func segment(_ name: String, _ address: UInt64) -> [UInt8] {
      little(0x19, 4) + little(72, 4) + padded(name, to: 16) + little(address, 8)
        + Array(repeating: 0, count: 40)
    }
    var commands: [[UInt8]] = [segment("__PAGEZERO", 0)]
    if let uuid { commands.append(little(0x1B, 4) + little(24, 4) + uuid) }
    if hasText { commands.append(segment("__TEXT", base)) }
    if hasLines { commands.append(segment("__DWARF", base + 0x8000)) }
    return machOHeader(commands)
  }

  static func machOHeader(_ commands: [[UInt8]]) -> [UInt8] {
    little(0xFEED_FACF, 4) + little(0x0100_000C, 4) + little(0, 4) + little(10, 4)
      + little(UInt64(commands.count), 4) + little(UInt64(commands.joined().count), 4) + little(0, 8)
      + commands.joined()
  }

  /// A Mach-O file of 32 bits.
  static func machO32(base: UInt64 = 0x4000) -> [UInt8] {
    let text =
      little(1, 4) + little(56, 4) + padded("__TEXT", to: 16) + little(base, 4)
      + Array(repeating: 0, count: 28)
    let commands = [little(0x1B, 4) + little(24, 4) + uuid, text]
    return little(0xFEED_FACE, 4) + little(12, 4) + little(9, 4) + little(10, 4)
      + little(UInt64(commands.count), 4) + little(UInt64(commands.joined().count), 4) + little(0, 4)
      + commands.joined()
  }

  /// A file with several builds.
  static func fat(
    _ builds: [(type: UInt64, subtype: UInt64, bytes: [UInt8])], isWide: Bool = false
  ) -> [UInt8] {
    var offset = 8 + builds.count * (isWide ? 32 : 20)
    var table: [UInt8] = []
    for build in builds {
      let size = isWide ? 8 : 4
      table += big(build.type, 4) + big(build.subtype, 4) + big(UInt64(offset), size)
      table += big(UInt64(build.bytes.count), size) + big(14, 4) + (isWide ? big(0, 4) : [])
      offset += build.bytes.count
    }
    return big(isWide ? 0xCAFE_BABF : 0xCAFE_BABE, 4) + big(UInt64(builds.count), 4) + table
      + builds.flatMap(\.bytes)
  }

  /// An ELF file with a build id, a loaded segment and a section table.
  static func elf(
    id: [UInt8] = uuid + [0xAA, 0xBB, 0xCC, 0xDD], base: UInt64 = 0x40_0000, isWide: Bool = true,
    isLittle: Bool = true, hasLines: Bool = true, isNoteInSegment: Bool = false
  ) -> [UInt8] {
    func number(_ value: UInt64, _ count: Int) -> [UInt8] {
      isLittle ? little(value, count) : big(value, count)
    }
    let word = isWide ? 8 : 4
    let headerSize = isWide ? 64 : 52
    let (segmentSize, sectionSize) = isWide ? (56, 40 + 24) : (32, 40)
    let note = number(4, 4) + number(UInt64(id.count), 4) + number(3, 4) + Array("GNU\0".utf8) + id
    let names = Array("\0.debug_info\0".utf8)
    let noteAt = headerSize + 2 * segmentSize
    let namesAt = noteAt + note.count
    let sectionsAt = namesAt + names.count
    func segment(_ type: UInt64, _ offset: Int, _ address: UInt64, _ size: Int) -> [UInt8] {
      isWide
        ? number(type, 4) + number(5, 4) + number(UInt64(offset), 8) + number(address, 8) + number(address, 8)
          + number(UInt64(size), 8) + number(UInt64(size), 8) + number(8, 8)
        : number(type, 4) + number(UInt64(offset), 4) + number(address, 4) + number(address, 4)
          + number(UInt64(size), 4) + number(UInt64(size), 4) + number(5, 4) + number(4, 4)
    }
    func section(_ name: UInt64, _ type: UInt64, _ offset: Int, _ size: Int) -> [UInt8] {
      let start =
        number(name, 4) + number(type, 4) + number(0, 2 * word) + number(UInt64(offset), word)
        + number(UInt64(size), word)
      return start + Array(repeating: 0, count: sectionSize - start.count)
    }
    let sections =
      section(0, 0, 0, 0) + (isNoteInSegment ? [] : section(0, 7, noteAt, note.count))
      + section(hasLines ? 1 : 0, 1, 0, 0) + section(0, 3, namesAt, names.count)
    let count = sections.count / sectionSize
    let header =
      [0x7F, 0x45, 0x4C, 0x46, isWide ? 2 : 1, isLittle ? 1 : 2, 1] + Array(repeating: 0, count: 9)
      + number(3, 2) + number(183, 2) + number(1, 4) + number(0, word) + number(UInt64(headerSize), word)
      + number(UInt64(sectionsAt), word) + number(0, 4) + number(UInt64(headerSize), 2)
      + number(UInt64(segmentSize), 2) + number(2, 2) + number(UInt64(sectionSize), 2)
      + number(UInt64(count), 2) + number(UInt64(count - 1), 2)
    return header + segment(1, 0, base, 4096)
      + segment(isNoteInSegment ? 4 : 6, isNoteInSegment ? noteAt : 0, base, isNoteInSegment ? note.count : 0)
      + note + names + sections
  }
}

/// A file in memory.
struct MemoryObject: ObjectBytes {
  let bytes: [UInt8]
  var size: UInt64 { UInt64(bytes.count) }

  func read(_ range: Range<UInt64>) -> [UInt8] {
    Array(bytes[Int(clamping: min(range.lowerBound, size))..<Int(clamping: min(range.upperBound, size))])
  }
}
