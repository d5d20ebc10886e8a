import Codecs
package import Platform

/// The saved positions of several paths, in their file format.
///
/// Text: a line with the version, one line per path, and a last line with the checksum of everything before it, so that
/// a damaged or truncated file is not trusted. The bytes before a position are stored as their count, hash and last few
/// bytes, then the hashes of the last lines; a line too long for that is stored as its start offset and a hash of its
/// beginning. A file number is followed by the file's creation time, if known. Version 1 stored all of the bytes before
/// a position and none of the rest, and did not record since when a path is missing. The line of a path is preceded by
/// one line for each rotated file that was still watched, with `late` in place of that time: older versions use the
/// last line. A line whose samples are numbered is preceded by one with their stream and the number of the next sample,
/// which older versions skip.
///
///     mistertop positions 2
///     stream 5f0c11d27b226d65 81000
///     2049 131077:1763706000123456789 1763707000123456789 4711 412:91b2…:7b226d65…:5f0c11d2… - /var/log/app.jsonl
///     end 8c3f0a5be2d94417
package struct PositionFile: Hashable, Sendable {
  /// Maximum size in bytes; a larger file is not ours.
  package static let sizeLimit = 64 << 20
  /// Marks the line of a rotated file.
  private static let late = "late"
  /// Marks the line with the place in a stream.
  private static let stream = "stream"
  private static let heads = ["mistertop positions 1", "mistertop positions 2"]

  /// Positions by absolute path.
  package var positions: [PathKey: TailPosition]
  /// The time since when a path is missing, in seconds since 1970; no entry for an existing path.
  package var missing: [PathKey: Int64]

  package init(positions: [PathKey: TailPosition] = [:], missing: [PathKey: Int64] = [:]) {
    self.positions = positions
    self.missing = missing
  }

  /// The contents of the file.
  package var encoded: [UInt8] {
    var text = Self.heads[1] + "\n"
    for (path, position) in positions.sorted(by: { $0.key < $1.key }) {
      for late in position.late { text += Self.line(path, late, Self.late) }
      text += Self.line(path, position, missing[path].map(String.init) ?? "-")
    }
    let sum = FNV1a.hash(text.utf8)
    return Array((text + "end " + String(sum, radix: 16) + "\n").utf8)
  }

  /// True if bytes start like a position file, whatever follows.
  static func isHeaded(_ bytes: some Sequence<UInt8>) -> Bool {
    heads.contains { bytes.starts(with: ($0 + "\n").utf8) }
  }

  /// Reads saved positions; `nil` unless all bytes are as some version of this type writes them.
  ///
  /// Pure and total: it accepts any bytes, so it can be fuzzed. Lines that make no sense are skipped.
  package static func decoded(_ bytes: [UInt8]) -> PositionFile? {
    guard bytes.count <= sizeLimit, bytes.last == newline,
      let end = bytes.dropLast().lastIndex(of: newline)
    else { return nil }
    let (body, last) = (bytes[...end], bytes[(end + 1)...].dropLast())
    guard last.starts(with: "end ".utf8), let sum = number(last.dropFirst(4), radix: 16) as UInt64?,
      sum == FNV1a.hash(body)
    else { return nil }
    var lines = body.split(separator: newline, omittingEmptySubsequences: false)
    let head = lines.removeFirst()
    guard let version = heads.firstIndex(where: { head.elementsEqual($0.utf8) }) else { return nil }
    var file = PositionFile()
    var late: [PathKey: [TailPosition]] = [:]
    var stream: StreamPlace?
    for line in lines {
      let fields = line.split(separator: UInt8(ascii: " "))
      if fields.count == 3, fields[0].elementsEqual(Self.stream.utf8) {
        stream = place(fields)
      } else {
        file.read(line, version: version + 1, stream, late: &late)
        stream = nil
      }
    }
    return file
  }

  private static func line(_ path: PathKey, _ position: TailPosition, _ word: String) -> String {
    (position.stream.map { "\(stream) \(Hexadecimal.text($0.stream)) \($0.next)\n" } ?? "")
      + "\(position.identity.device) \(position.identity.inode)" + (position.born.map { ":\($0)" } ?? "")
      + " \(position.modified) \(position.mark.offset) \(text(position.place)) \(word) "
      + path.text.utf8.map { isPlain($0) ? String(UnicodeScalar($0)) : "%" + Hexadecimal.text($0) }.joined()
      + "\n"
  }

  private static func text(_ place: TailPlace) -> String {
    let mark = place.mark
    guard !mark.isEmpty else { return "-" }
    var text = "\(mark.count):\(Hexadecimal.text(mark.hash)):" + mark.ending.map(Hexadecimal.text).joined()
    if !place.lines.hashes.isEmpty || mark.head != nil {
      text += ":" + place.lines.hashes.map(Hexadecimal.text).joined()
    }
    return text + (mark.head.map { ":\($0.start):\(Hexadecimal.text($0.hash))" } ?? "")
  }

  private static func place(_ fields: [ArraySlice<UInt8>]) -> StreamPlace? {
    guard let stream = number(fields[1], radix: 16) as UInt64?, let next = number(fields[2]) as UInt64?
    else { return nil }
    return StreamPlace(stream: stream, next: next)
  }

  private mutating func read(
    _ line: ArraySlice<UInt8>, version: Int, _ stream: StreamPlace?, late: inout [PathKey: [TailPosition]]
  ) {
    let space = UInt8(ascii: " ")
    let fields = line.split(separator: space, maxSplits: version == 1 ? 5 : 6)
    guard fields.count == (version == 1 ? 6 : 7), let device = Self.number(fields[0]) as UInt64?,
      let (inode, born) = Self.file(fields[1]), let modified = Self.number(fields[2]) as Int64?,
      let offset = Self.number(fields[3]) as UInt64?, let path = fields.last.flatMap(Self.path),
      let place = version == 1
        ? Self.wholePlace(fields[4], at: offset) : Self.place(fields[4], at: offset),
      place.mark.isEmpty == (offset == 0), place.mark.count <= TailMark.limit,
      UInt64(place.mark.count) <= offset
    else { return }
    var position = TailPosition(
      identity: FileIdentity(device: device, inode: inode), born: born, modified: modified, mark: place.mark,
      lines: place.lines)
    position.stream = stream
    if version > 1, fields[5].elementsEqual(Self.late.utf8) {
      if let position = position.asLate { late[PathKey(path), default: []].append(position) }
      return
    }
    position.late = late.removeValue(forKey: PathKey(path))?.suffix(TailPosition.lateCapacity) ?? []
    positions[PathKey(path)] = position
    if version > 1, let since = Self.number(fields[5]) as Int64? { missing[PathKey(path)] = since }
  }

  /// The number of a file, and its creation time.
  private static func file(_ text: ArraySlice<UInt8>) -> (UInt64, Int64?)? {
    let parts = text.split(separator: colon, omittingEmptySubsequences: false)
    guard parts.count <= 2, let inode = parts.first.flatMap({ number($0) as UInt64? }) else { return nil }
    guard parts.count == 2 else { return (inode, nil) }
    return (number(parts[1]) as Int64?).map { (inode, $0) }
  }

  private static func wholePlace(_ text: ArraySlice<UInt8>, at offset: UInt64) -> TailPlace? {
    guard let bytes = text.elementsEqual("-".utf8) ? [] : bytes(hex: text) else { return nil }
    return TailPlace(mark: TailMark(offset: offset, bytes: bytes), lines: LastLines(end: offset))
  }

  private static func place(_ text: ArraySlice<UInt8>, at offset: UInt64) -> TailPlace? {
    if text.elementsEqual("-".utf8) { return wholePlace(text, at: offset) }
    let parts = text.split(separator: colon, omittingEmptySubsequences: false)
    guard [3, 4, 6].contains(parts.count), let count = number(parts[0]) as Int?, count > 0,
      let hash = number(parts[1], radix: 16) as UInt64?, let ending = bytes(hex: parts[2]),
      ending.count == min(count, TailMark.length)
    else { return nil }
    guard let lines = parts.count > 3 ? lines(parts[3]) : [] else { return nil }
    var head: LineHead?
    if parts.count == 6 {
      guard let start = number(parts[4]) as UInt64?, let hash = number(parts[5], radix: 16) as UInt64?,
        start < offset, offset - start > UInt64(LineHead.length)
      else { return nil }
      head = LineHead(start: start, hash: hash)
    }
    return TailPlace(
      mark: TailMark(offset: offset, count: count, ending: ending, hash: hash, head: head),
      lines: LastLines(hashes: lines, end: offset))
  }

  private static func lines(_ text: ArraySlice<UInt8>) -> [UInt32]? {
    guard text.count % 8 == 0, text.count / 8 <= LastLines.savedCapacity else { return nil }
    let hashes = stride(from: text.startIndex, to: text.endIndex, by: 8).compactMap {
      number(text[$0..<$0 + 8], radix: 16) as UInt32?
    }
    return hashes.count == text.count / 8 ? hashes : nil
  }

  private static let colon = UInt8(ascii: ":")
  private static let newline = UInt8(ascii: "\n")

  private static func number<Number: FixedWidthInteger>(_ text: ArraySlice<UInt8>, radix: Int = 10) -> Number?
  {
    Number(String(decoding: text, as: UTF8.self), radix: radix)
  }

  private static func bytes(hex text: ArraySlice<UInt8>) -> [UInt8]? {
    guard text.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: text.startIndex, to: text.endIndex, by: 2) {
      guard let byte = number(text[index...(index + 1)], radix: 16) as UInt8?,
        text[index] != UInt8(ascii: "+")
      else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  private static func path(_ text: ArraySlice<UInt8>) -> String? {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let escaped = Self.bytes(hex: rest.prefix(2)) else { return nil }
      bytes += escaped
      rest = rest.dropFirst(2)
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "%")
  }
}
