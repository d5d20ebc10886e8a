/// Reads the identity of Mach-O files, with one build or several.
struct MachOReader<File: ObjectBytes> {
  /// Maximum builds in a file; a Java class has the same first bytes and a larger number behind them.
  private static var buildLimit: UInt64 { 32 }

  private let file: File

  init(_ file: File) { self.file = file }

  /// The builds of a file with several.
  func builds(isWide: Bool) -> [ObjectFile] {
    let whole = 0..<file.size
    let entrySize: UInt64 = isWide ? 32 : 20
    guard let count = file.bytes(at: 4, count: 4, in: whole)?.ordered(littleEndian: false).word(at: 0),
      count <= Self.buildLimit,
      let table = file.bytes(at: 8, count: count * entrySize, in: whole)?.ordered(littleEndian: false)
    else { return [] }
    return (0..<Int(count)).compactMap { index in
      let entry = index * Int(entrySize)
      guard let type = table.word(at: entry), let subtype = table.word(at: entry + 4),
        let offset = isWide ? table.long(at: entry + 8) : table.word(at: entry + 8),
        let size = isWide ? table.long(at: entry + 16) : table.word(at: entry + 12)
      else { return nil }
      let (end, overflow) = offset.addingReportingOverflow(size)
      guard !overflow, end <= file.size, let architecture = Self.architecture(type, subtype) else {
        return nil
      }
      return build(in: offset..<end, architecture: architecture)
    }
  }

  /// The build in a part of the file; `nil` if it has no UUID or no `__TEXT` segment.
  func build(in part: Range<UInt64>, architecture: String?) -> ObjectFile? {
    guard let magic = file.bytes(at: 0, count: 4, in: part)?.word(at: 0),
      magic == 0xFEED_FACF || magic == 0xFEED_FACE
    else { return nil }
    let isWide = magic == 0xFEED_FACF
    let headerSize: UInt64 = isWide ? 32 : 28
    guard let header = file.bytes(at: 0, count: headerSize, in: part), let size = header.word(at: 20),
      let commands = file.bytes(at: headerSize, count: size, in: part), let count = header.word(at: 16)
    else { return nil }
    var identifier: ModuleIdentifier?
    var base: UInt64?
    var hasLines = false
    var position = 0
    // Each command has at least eight bytes, so the number cannot keep this busy for long.
    for _ in 0..<min(count, UInt64(commands.count) / 8) {
      guard let kind = commands.word(at: position), let size = commands.word(at: position + 4), size >= 8,
        size <= commands.count - position
      else { break }
      switch kind {
      case 0x1B: identifier = commands[position + 8, count: 16].flatMap { ModuleIdentifier(bytes: $0) }
      case 0x19, 0x01:
        let name = commands.text(at: position + 8, size: 16)
        if name == "__TEXT" {
          base = kind == 0x19 ? commands.long(at: position + 24) : commands.word(at: position + 24)
        }
        if name == "__DWARF" { hasLines = true }
      default: break
      }
      position += Int(size)
    }
    guard let identifier, let base else { return nil }
    return ObjectFile(identifier: identifier, base: base, architecture: architecture, hasLines: hasLines)
  }

  /// The name of a processor, as the symbolizer and `lipo` spell it; `nil` for those that no longer matter.
  private static func architecture(_ type: UInt64, _ subtype: UInt64) -> String? {
    switch (type, subtype & 0xFF_FFFF) {
    case (0x0100_000C, 2): "arm64e"
    case (0x0100_000C, _): "arm64"
    case (0x0200_000C, _): "arm64_32"
    case (12, 9): "armv7"
    case (12, 11): "armv7s"
    case (12, 12): "armv7k"
    case (0x0100_0007, 8): "x86_64h"
    case (0x0100_0007, _): "x86_64"
    case (7, _): "i386"
    default: nil
    }
  }
}
