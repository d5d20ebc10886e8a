/// Reads the identity of ELF files: programs, libraries, and files with only their symbols.
struct ELFReader<File: ObjectBytes> {
  private struct Section {
    let name: Int
    let type: UInt64
    let offset: UInt64
    let size: UInt64
  }

  private let file: File

  init(_ file: File) { self.file = file }

  /// The build; `nil` if it has no build id or no loaded segment.
  var build: ObjectFile? {
    guard let kind = file.bytes(at: 4, count: 2, in: whole)?.bytes, (1...2).contains(kind[0]),
      (1...2).contains(kind[1])
    else { return nil }
    let isWide = kind[0] == 2
    guard
      let header = file.bytes(at: 0, count: isWide ? 64 : 52, in: whole)?.ordered(littleEndian: kind[1] == 1)
    else { return nil }
    let segments = segments(header, isWide)
    guard let base = segments.first(where: { $0.type == 1 })?.address else { return nil }
    let sections = sections(header, isWide)
    // In a file with only symbols, segments point to bytes that were left out; its sections are right.
    let notes =
      sections.filter { $0.type == 7 }.map { ($0.offset, $0.size) }
      + segments.filter { $0.type == 4 }.map { ($0.offset, $0.size) }
    for (offset, size) in notes {
      guard let note = file.bytes(at: offset, count: size, in: whole, limit: 64 << 10),
        let identifier = Self.identifier(in: note.ordered(littleEndian: header.isLittleEndian))
      else { continue }
      return ObjectFile(identifier: identifier, base: base, hasLines: hasLines(sections, header, isWide))
    }
    return nil
  }

  private var whole: Range<UInt64> { 0..<file.size }

  private struct Segment {
    let type: UInt64
    let offset: UInt64
    let address: UInt64
    let size: UInt64
  }

  private func segments(_ header: FileFields, _ isWide: Bool) -> [Segment] {
    guard let start = isWide ? header.long(at: 32) : header.word(at: 28),
      let size = header.half(at: isWide ? 54 : 42), let count = header.half(at: isWide ? 56 : 44)
    else { return [] }
    return entries(at: start, size: size, count: count, least: isWide ? 56 : 32, header) { table, entry in
      guard let type = table.word(at: entry),
        let offset = isWide ? table.long(at: entry + 8) : table.word(at: entry + 4),
        let address = isWide ? table.long(at: entry + 16) : table.word(at: entry + 8),
        let size = isWide ? table.long(at: entry + 32) : table.word(at: entry + 16)
      else { return nil }
      return Segment(type: type, offset: offset, address: address, size: size)
    }
  }

  private func sections(_ header: FileFields, _ isWide: Bool) -> [Section] {
    guard let start = isWide ? header.long(at: 40) : header.word(at: 32),
      let size = header.half(at: isWide ? 58 : 46), let count = header.half(at: isWide ? 60 : 48)
    else { return [] }
    return entries(at: start, size: size, count: count, least: isWide ? 64 : 40, header) { table, entry in
      guard let name = table.word(at: entry), let type = table.word(at: entry + 4),
        let offset = isWide ? table.long(at: entry + 24) : table.word(at: entry + 16),
        let size = isWide ? table.long(at: entry + 32) : table.word(at: entry + 20)
      else { return nil }
      return Section(name: Int(name), type: type, offset: offset, size: size)
    }
  }

  private func entries<Entry>(
    at start: UInt64, size: Int, count: Int, least: Int, _ header: FileFields,
    _ read: (FileFields, Int) -> Entry?
  ) -> [Entry] {
    guard size >= least, let bytes = file.bytes(at: start, count: UInt64(size * count), in: whole) else {
      return []
    }
    let table = bytes.ordered(littleEndian: header.isLittleEndian)
    return (0..<count).compactMap { read(table, $0 * size) }
  }

  private func hasLines(_ sections: [Section], _ header: FileFields, _ isWide: Bool) -> Bool {
    guard let place = header.half(at: isWide ? 62 : 50), sections.indices.contains(place),
      let names = file.bytes(at: sections[place].offset, count: sections[place].size, in: whole)
    else { return false }
    return sections.contains { [".debug_info", ".zdebug_info"].contains(names.text(at: $0.name)) }
  }

  /// The build id among notes: a name `GNU` and the type 3.
  private static func identifier(in notes: FileFields) -> ModuleIdentifier? {
    var position = 0
    while let nameSize = notes.word(at: position), let size = notes.word(at: position + 4),
      let type = notes.word(at: position + 8), nameSize <= notes.count, size <= notes.count
    {
      let name = position + 12
      let start = name + (Int(nameSize) + 3) / 4 * 4
      if type == 3, notes.text(at: name, size: Int(nameSize)) == "GNU",
        let id = notes[start, count: Int(size)]
      {
        return ModuleIdentifier(bytes: id)
      }
      position = start + (Int(size) + 3) / 4 * 4
    }
    return nil
  }
}
