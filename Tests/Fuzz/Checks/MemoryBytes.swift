import History
import JSONLines
import Platform

/// A file of bytes in memory.
final class MemoryBytes: HistoryBytes {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var status: FileStatus {
    FileStatus(
      kind: .regular, identity: FileIdentity(device: 0, inode: 0), size: UInt64(bytes.count), modified: 0)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) -> Int {
    guard offset < UInt64(bytes.count) else { return 0 }
    let part = bytes[Int(offset)...].prefix(buffer.count)
    buffer.copyBytes(from: part)
    return part.count
  }
}
