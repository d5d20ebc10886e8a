import Essentials
import Platform

/// A file of an archive, unpacked to a file without a name, which disappears with this object.
package final class UnpackedFile: ObjectBytes, Sendable {
  private let file: ReadableFile

  /// A path by which another program can open the file while this object exists.
  let path: String

  /// Unpacks a file.
  ///
  /// - Parameter fill: Writes the contents; returns false to stop.
  /// - Returns: `nil` if that was stopped, and on systems without a path to a file without a name.
  init?(in folder: String, _ fill: (_ write: ([UInt8]) throws -> Void) throws -> Bool) throws {
    #if os(Linux)
      let descriptor = try Posix.openUnnamed(in: folder)
      file = try ReadableFile(taking: descriptor)
      path = "/proc/\(getpid())/fd/\(descriptor)"
      let isWhole = try fill { bytes in
        try bytes.withUnsafeBytes { try Posix.write($0, to: descriptor, path: folder) }
      }
      guard isWhole else { return nil }
    #else
      return nil
    #endif
  }

  deinit { file.close() }

  package var size: UInt64 { (try? file.size) ?? 0 }

  package func read(_ range: Range<UInt64>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(clamping: range.count)) { buffer, done in
      while done < buffer.count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[done...])
        let read = (try? file.read(into: rest, at: range.lowerBound + UInt64(done))) ?? 0
        guard read > 0 else { return }
        done += read
      }
    }
  }
}
