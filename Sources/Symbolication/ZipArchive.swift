import JSONLines

/// The directory of a zip archive, and the contents of its files.
struct ZipArchive<File: ObjectBytes> {
  struct Entry: Equatable {
    let name: String
    /// 0 for stored, 8 for deflated.
    let method: Int
    let packed: UInt64
    let unpacked: UInt64
    /// Offset of its header.
    let header: UInt64
  }

  /// Maximum number of files that are looked at.
  private static var entryLimit: UInt64 { 100_000 }
  /// Maximum bytes of a directory.
  private static var directoryLimit: UInt64 { 32 << 20 }
  private static var pieceSize: UInt64 { 256 << 10 }

  private let file: File
  let entries: [Entry]

  /// Reads the directory; `nil` if the file has none.
  init?(_ file: File) {
    self.file = file
    let whole = 0..<file.size
    guard let place = Self.directory(of: file), place.count <= Self.entryLimit,
      let bytes = file.bytes(at: place.offset, count: place.size, in: whole, limit: Self.directoryLimit)
    else { return nil }
    var entries: [Entry] = []
    var position = 0
    for _ in 0..<place.count {
      guard bytes.word(at: position) == 0x0201_4B50, let name = bytes.half(at: position + 28),
        let extra = bytes.half(at: position + 30), let comment = bytes.half(at: position + 32),
        let entry = Self.entry(bytes, at: position, nameSize: name, extraSize: extra)
      else { break }
      entries.append(entry)
      position += 46 + name + extra + comment
    }
    self.entries = entries
  }

  /// Offset, size and number of entries of the directory, from the record at the end of the file.
  private static func directory(of file: File) -> (offset: UInt64, size: UInt64, count: UInt64)? {
    let whole = 0..<file.size
    let tailSize = min(file.size, 22 + 65_535)
    guard tailSize >= 22, let tail = file.bytes(at: file.size - tailSize, count: tailSize, in: whole) else {
      return nil
    }
    for place in stride(from: tail.count - 22, through: 0, by: -1) where tail.word(at: place) == 0x0605_4B50 {
      guard let count = tail.half(at: place + 10), let size = tail.word(at: place + 12),
        let offset = tail.word(at: place + 16)
      else { return nil }
      guard count == 0xFFFF || size == 0xFFFF_FFFF || offset == 0xFFFF_FFFF else {
        return (offset, size, UInt64(count))
      }
      // Larger archives have a second record, whose place stands before this one.
      guard tail.word(at: place - 20) == 0x0706_4B50, let record = tail.long(at: place - 12),
        let wide = file.bytes(at: record, count: 56, in: whole), wide.word(at: 0) == 0x0606_4B50,
        let wideCount = wide.long(at: 32), let wideSize = wide.long(at: 40),
        let wideOffset = wide.long(at: 48)
      else { return nil }
      return (wideOffset, wideSize, wideCount)
    }
    return nil
  }

  private static func entry(
    _ bytes: FileFields, at position: Int, nameSize: Int, extraSize: Int
  ) -> Entry? {
    guard let method = bytes.half(at: position + 10), var packed = bytes.word(at: position + 20),
      var unpacked = bytes.word(at: position + 24), var header = bytes.word(at: position + 42),
      let name = bytes[position + 46, count: nameSize]
    else { return nil }
    // Numbers that do not fit stand in an extra field, in this order.
    var place = position + 46 + nameSize
    let end = place + extraSize
    while place + 4 <= end, let kind = bytes.half(at: place), let size = bytes.half(at: place + 2) {
      var field = place + 4
      if kind == 1 {
        if unpacked == 0xFFFF_FFFF, let wide = bytes.long(at: field) { (unpacked, field) = (wide, field + 8) }
        if packed == 0xFFFF_FFFF, let wide = bytes.long(at: field) { (packed, field) = (wide, field + 8) }
        if header == 0xFFFF_FFFF, let wide = bytes.long(at: field) { header = wide }
      }
      place += 4 + size
    }
    return Entry(
      name: String(decoding: name, as: UTF8.self), method: method, packed: packed, unpacked: unpacked,
      header: header)
  }

  /// Unpacks a file piece by piece.
  ///
  /// - Returns: False if it is damaged, or of a kind that is not read.
  func unpack(_ entry: Entry, to write: ([UInt8]) throws -> Void) rethrows -> Bool {
    let whole = 0..<file.size
    guard let header = file.bytes(at: entry.header, count: 30, in: whole), header.word(at: 0) == 0x0403_4B50,
      let name = header.half(at: 26), let extra = header.half(at: 28)
    else { return false }
    let (start, overflow) = entry.header.addingReportingOverflow(UInt64(30 + name + extra))
    guard !overflow, start <= file.size, entry.packed <= file.size - start else { return false }
    guard entry.method == 0 || entry.method == 8 else { return false }
    let inflater = entry.method == 8 ? Inflater(behind: (0, 0), window: []) : nil
    var position = start
    var left = entry.unpacked
    let end = start + entry.packed
    while position < end {
      let piece = file.read(position..<min(end, position + Self.pieceSize))
      guard !piece.isEmpty else { return false }
      position += UInt64(piece.count)
      guard let inflater else {
        guard UInt64(piece.count) <= left else { return false }
        left -= UInt64(piece.count)
        try write(piece)
        continue
      }
      guard try inflate(piece, inflater, &left, write) else { return false }
    }
    return left == 0
  }

  private func inflate(
    _ piece: [UInt8], _ inflater: Inflater, _ left: inout UInt64, _ write: ([UInt8]) throws -> Void
  ) rethrows -> Bool {
    var rest = piece[...]
    while true {
      var outcome = Inflater.Outcome.goesOn
      var taken = 0
      let made = [UInt8](unsafeUninitializedCapacity: Int(Self.pieceSize)) { buffer, count in
        rest.withUnsafeBytes { input in
          let step = inflater.step(input, into: UnsafeMutableRawBufferPointer(buffer))
          (taken, count, outcome) = (step.taken, step.made, step.outcome)
        }
      }
      rest = rest.dropFirst(taken)
      // No more than the directory says: a small file may unpack to any size.
      guard UInt64(made.count) <= left else { return false }
      left -= UInt64(made.count)
      if !made.isEmpty { try write(made) }
      switch outcome {
      case .memberEnded: return true
      case .damaged, .outOfMemory: return false
      case .goesOn: if rest.isEmpty && made.count < Int(Self.pieceSize) { return true }
      }
      if taken == 0 && made.isEmpty { return false }
    }
  }
}
