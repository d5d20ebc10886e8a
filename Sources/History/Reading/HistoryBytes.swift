import Essentials
package import JSONLines
package import Platform

/// A file as the history reads it; tests substitute counting and damaged ones.
package protocol HistoryBytes: AnyObject, Sendable {
  /// The current status of the opened file.
  ///
  /// - Throws: the system error.
  var status: FileStatus { get throws }
  /// The mapping of lines that do not come from MisterMetrics; `nil` to detect them.
  var mapping: LineMapping? { get }
  /// End of the last complete line, if known without reading; otherwise `nil`.
  var wholeEnd: UInt64? { get }
  /// Description of missing content, worded to follow the name of the file; `nil` if none is missing.
  var note: String? { get }
  /// Reads at an offset; returns the number of bytes read, 0 at the end.
  ///
  /// - Throws: the system error.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws -> Int
}

extension HistoryBytes {
  package var mapping: LineMapping? { nil }
  package var wholeEnd: UInt64? { nil }
  package var note: String? { nil }

  /// The bytes of a range, fewer if the file ends earlier.
  ///
  /// - Throws: the system error.
  package func bytes(_ range: Range<UInt64>) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: Int(clamping: range.count)) { buffer, count in
      while count < buffer.count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
        let read = try read(into: rest, at: range.lowerBound + UInt64(count))
        guard read > 0 else { return }
        count += read
      }
    }
  }
}

/// A local file, held open, so that it stays the same file even if its name is given to another.
package final class OpenFile: HistoryBytes {
  private let file: ReadableFile
  package let mapping: LineMapping?

  /// Opens a file.
  ///
  /// - Parameter mapping: the mapping of lines that do not come from MisterMetrics; `nil` to detect them.
  /// - Throws: `POSIXError` with the system's reason; `ESPIPE` for a file without random access.
  package init(path: String, mapping: LineMapping? = nil) throws {
    self.mapping = mapping
    file = try ReadableFile.seekable(path: path)
  }

  /// Takes over an open descriptor; it is closed with the object, or immediately if it cannot be read.
  init(taking descriptor: Int32) throws {
    mapping = nil
    file = try ReadableFile(taking: descriptor)
  }

  deinit { file.close() }

  package var status: FileStatus {
    get throws { try file.status }
  }

  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws -> Int {
    try file.read(into: buffer, at: offset)
  }
}
