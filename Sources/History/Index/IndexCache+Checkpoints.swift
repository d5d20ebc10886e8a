import Codecs
import Essentials
import JSONLines
import Platform

// Positions from which packed files can be unpacked, stored beside the indexes.
extension IndexCache {
  private static let magic = Array("MTOPGZP2".utf8)
  /// Maximum length of a checkpoint file: 32 KiB per checkpoint.
  private static let lengthLimit: UInt64 = 40 << 20

  private func url(of origin: PackedBytes.Origin) -> URL {
    let words = [
      origin.identity.device, origin.identity.inode, origin.size, UInt64(bitPattern: origin.modified),
    ]
    return folder.appendingPathComponent(
      words.map { String($0, radix: 16) }.joined(separator: "-") + ".checkpoints")
  }

  /// The checkpoints of a file; `nil` if they are missing or damaged.
  func checkpoints(of origin: PackedBytes.Origin) -> GzipCheckpoints? {
    guard let file = open(url(of: origin).lastPathComponent), let size = try? file.status.size,
      size <= Self.lengthLimit, let bytes = try? file.bytes(0..<size), bytes.starts(with: Self.magic)
    else { return nil }
    let content = bytes.dropFirst(Self.magic.count + 8)
    var head = PackedReader(bytes.dropFirst(Self.magic.count))
    guard (try? head.fixed()) == ContentHash.of(Array(content)) else { return nil }
    var reader = PackedReader(content)
    return try? Self.read(&reader)
  }

  /// Stores the checkpoints, unless they would take too large a share of the unpacked size.
  ///
  /// - Throws: `FileFailure` with the system's reason.
  func save(_ checkpoints: GzipCheckpoints, of origin: PackedBytes.Origin) throws {
    let content = Self.written(checkpoints)
    guard Double(content.count) <= Double(checkpoints.unpackedBytes) * Self.share else { return }
    var head = PackedWriter()
    head.write(raw: Self.magic)
    head.write(fixed: ContentHash.of(content))
    try keep(at: url(of: origin)) { replacement in
      for part in [head.bytes, content] {
        try part.withUnsafeBytes { try replacement.write($0) }
      }
      return true
    }
  }

  private static func written(_ checkpoints: GzipCheckpoints) -> [UInt8] {
    var writer = PackedWriter()
    writer.write(checkpoints.unpackedBytes)
    writer.write(checkpoints.wholeEnd)
    switch checkpoints.note {
    // The others are of streams that are unpacked by other programs.
    case nil, .packed, .failed: writer.write(count: 0)
    case .damaged(let damage):
      writer.write(count: 1)
      writer.write(damage.position)
      writer.write(damage.soundBytes)
    case .tooLarge(let limit):
      writer.write(count: 2)
      writer.write(limit)
    }
    writer.write(count: checkpoints.points.count)
    for point in checkpoints.points {
      writer.write(point.packed)
      writer.write(UInt64(point.bits))
      writer.write(point.unpacked)
      writer.write(count: point.window.count)
      writer.write(raw: point.window)
    }
    return writer.bytes
  }

  private static func read(_ reader: inout PackedReader) throws(IndexFault) -> GzipCheckpoints? {
    let unpacked = try reader.unsigned()
    let wholeEnd = try reader.unsigned()
    let note: PlainStream.Note? =
      switch try reader.count(atMost: 2) {
      case 0: nil
      case 1: .damaged(GzipDamage(position: try reader.unsigned(), soundBytes: try reader.unsigned()))
      default: .tooLarge(limit: try reader.unsigned())
      }
    var points: [GzipCheckpoints.Point] = []
    for _ in 0..<(try reader.count(atMost: reader.left)) {
      let packed = try reader.unsigned()
      let bits = UInt8(truncatingIfNeeded: try reader.count(atMost: 7))
      let place = try reader.unsigned()
      let window = Array(try reader.raw(count: reader.count(atMost: reader.left)))
      points.append(GzipCheckpoints.Point(packed: packed, bits: bits, unpacked: place, window: window))
    }
    return GzipCheckpoints(points: points, unpackedBytes: unpacked, wholeEnd: wholeEnd, note: note)
  }
}
