import Codecs
package import Platform

/// The saved positions of several paths, as they stand in a file.
///
/// Text: a line with the version, one line for each path, and a last line with the checksum of all before it, so that a
/// file that was damaged or cut anywhere is not believed. Of the bytes before a position there are the number, the hash
/// and the last few. Version 1 had all of these bytes, and did not say since when a path is missing.
///
///     mistertop positions 2
///     2049 131077 1763707000123456789 4711 412:91b2…:7b226d65… - /var/log/app.jsonl
///     end 8c3f0a5be2d94417
package struct PositionFile: Hashable, Sendable {
  /// More than this is no file of ours, in bytes.
  package static let sizeLimit = 64 << 20
  private static let heads = ["mistertop positions 1", "mistertop positions 2"]

  /// By absolute path.
  package var positions: [PathKey: TailPosition]
  /// Since when nothing has a path, in seconds since 1970; nothing for one that is there.
  package var missing: [PathKey: Int64]

  package init(positions: [PathKey: TailPosition] = [:], missing: [PathKey: Int64] = [:]) {
    self.positions = positions
    self.missing = missing
  }

  /// The bytes to be kept.
  package var encoded: [UInt8] {
    var text = Self.heads[1] + "\n"
    for (path, position) in positions.sorted(by: { $0.key < $1.key }) {
      let mark = position.mark
      text += "\(position.identity.device) \(position.identity.inode) \(position.modified) \(mark.offset) "
      text += mark.isEmpty ? "-" : "\(mark.count):\(Hexadecimal.text(mark.hash)):"
      text += mark.ending.map(Hexadecimal.text).joined()
      text += " " + (missing[path].map(String.init) ?? "-") + " "
      text +=
        path.text.utf8.map { Self.isPlain($0) ? String(UnicodeScalar($0)) : "%" + Hexadecimal.text($0) }
        .joined()
        + "\n"
    }
    let sum = FNV1a.hash(text.utf8)
    return Array((text + "end " + String(sum, radix: 16) + "\n").utf8)
  }

  /// Whether bytes begin as every such file does, of whatever came of the rest.
  static func isHeaded(_ bytes: some Sequence<UInt8>) -> Bool {
    heads.contains { bytes.starts(with: ($0 + "\n").utf8) }
  }

  /// Reads what was kept; `nil` if the bytes are not, to the last one, what some version of this type has written.
  ///
  /// Pure and total: any bytes may come, so a fuzzer can call it as it is. Lines that make no sense are passed over.
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
    for line in lines { file.read(line, version: version + 1) }
    return file
  }

  private mutating func read(_ line: ArraySlice<UInt8>, version: Int) {
    let space = UInt8(ascii: " ")
    let fields = line.split(separator: space, maxSplits: version == 1 ? 5 : 6)
    guard fields.count == (version == 1 ? 6 : 7), let device = Self.number(fields[0]) as UInt64?,
      let inode = Self.number(fields[1]) as UInt64?, let modified = Self.number(fields[2]) as Int64?,
      let offset = Self.number(fields[3]) as UInt64?, let path = fields.last.flatMap(Self.path),
      let mark = version == 1
        ? Self.wholeMark(fields[4], at: offset) : Self.mark(fields[4], at: offset),
      mark.isEmpty == (offset == 0), mark.count <= TailMark.limit, UInt64(mark.count) <= offset
    else { return }
    positions[PathKey(path)] = TailPosition(
      identity: FileIdentity(device: device, inode: inode), modified: modified, mark: mark)
    if version > 1, let since = Self.number(fields[5]) as Int64? { missing[PathKey(path)] = since }
  }

  private static func wholeMark(_ text: ArraySlice<UInt8>, at offset: UInt64) -> TailMark? {
    if text.elementsEqual("-".utf8) { return TailMark(offset: offset, bytes: []) }
    return bytes(hex: text).map { TailMark(offset: offset, bytes: $0) }
  }

  private static func mark(_ text: ArraySlice<UInt8>, at offset: UInt64) -> TailMark? {
    if text.elementsEqual("-".utf8) { return TailMark(offset: offset, bytes: []) }
    let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 3, let count = number(parts[0]) as Int?, count > 0,
      let hash = number(parts[1], radix: 16) as UInt64?, let ending = bytes(hex: parts[2]),
      ending.count == min(count, TailMark.length)
    else { return nil }
    return TailMark(offset: offset, count: count, ending: ending, hash: hash)
  }

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
