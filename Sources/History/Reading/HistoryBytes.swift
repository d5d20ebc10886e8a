import Essentials
package import JSONLines
package import Platform

/// A file as the history reads it; counted and damaged ones in tests.
package protocol HistoryBytes: AnyObject, Sendable {
  /// How the opened file looks at this moment.
  ///
  /// - Throws: the system's reason.
  var status: FileStatus { get throws }
  /// How lines that are not those of MisterMetrics are read; `nil` to recognize them.
  var mapping: LineMapping? { get }
  /// Where the last whole line ends, where that is known without a look; `nil` where it is not.
  var wholeEnd: UInt64? { get }
  /// The missing part, in words to follow the name of the file; `nil` for nothing.
  var note: String? { get }
  /// Reads at a place; returns how many bytes there were, 0 at the end.
  ///
  /// - Throws: the system's reason.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws -> Int
}

extension HistoryBytes {
  package var mapping: LineMapping? { nil }
  package var wholeEnd: UInt64? { nil }
  package var note: String? { nil }

  /// The bytes of a range, fewer where the file ends.
  ///
  /// - Throws: the system's reason.
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

/// A file of the machine, held open, so that it stays the same file if its name is given to another.
package final class OpenFile: HistoryBytes {
  private let file: ReadableFile
  package let mapping: LineMapping?

  /// Opens a file.
  ///
  /// - Parameter mapping: How lines that are not those of MisterMetrics are read; `nil` to recognize them.
  /// - Throws: `POSIXError` with the system's reason; `ESPIPE` for what cannot be read at any place.
  package init(path: String, mapping: LineMapping? = nil) throws {
    self.mapping = mapping
    file = try ReadableFile.seekable(path: path)
  }

  /// A file that is open already; it is closed with the object, or at once if it cannot be read.
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
