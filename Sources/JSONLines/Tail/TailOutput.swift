package import Platform

/// Output of a tail, in the order of the followed stream.
package enum TailOutput {
  /// Bytes of the file from `offset` on; only valid during the call. A line may be cut at either end.
  case bytes(UnsafeRawBufferPointer, offset: UInt64)
  /// The following bytes do not continue the previous ones: a kept half line must be dropped.
  case restarted(TailRestart)
  /// Something could not be read.
  case gap(TailGap)
  /// The state of the path has changed.
  case state(TailState)
  /// The tail began at a line start inside the file; what is before can be read from the given file.
  case earlier(EarlierBytes)
}

/// Where and why a tail began to read at another place.
package struct TailRestart: Hashable, Sendable {
  package enum Reason: String, CaseIterable, Sendable {
    /// The first file under this path.
    case began
    /// The path names a new file; the old one was renamed away.
    case rotated
    /// The path names a new file; the old one was deleted.
    case recreated
    /// The file was cut to nothing or written again in place.
    case truncated
    /// The end of the file was taken back; all before is as it was.
    case cutBack
    /// A file that was read before is followed again.
    case resumed
    /// The file was copied and then cut; the copy is read on.
    case continued
    /// The file was rewritten and still holds the last line that was read.
    case compacted
  }

  package var reason: Reason
  /// Offset of the next byte that will be delivered; always the start of a line.
  package var offset: UInt64

  package init(reason: Reason, offset: UInt64) {
    self.reason = reason
    self.offset = offset
  }
}

/// Bytes that were in the stream and could not be delivered as lines.
package struct TailGap: Hashable, Sendable {
  package enum Reason: String, CaseIterable, Sendable {
    /// The file was cut before these bytes were read, and no copy of them was found.
    case truncated
    /// The file was replaced and rotated files were overwritten before they were seen.
    case overwritten
    /// The file ended inside a line and nothing more came.
    case halfLine
    /// The file could not be read.
    case unreadable
    /// The place that was saved when the reading ended is in no file any more.
    case placeLost
  }

  package var reason: Reason
  /// Bytes known to be lost; there may be more that were never seen.
  package var bytes: UInt64
  /// Why a packed stream cannot be unpacked to its end, in words.
  package var note: String?

  package init(reason: Reason, bytes: UInt64, note: String? = nil) {
    self.reason = reason
    self.bytes = bytes
    self.note = note
  }
}

/// The state of a tail towards its path.
package enum TailState: Hashable, Sendable {
  /// Nothing was looked at yet.
  case starting
  case following
  /// Nothing is under this path; it is read once it appears.
  case missing
  /// A file is there and may not be opened.
  case noPermission
  /// Not a file that has lines: a directory, FIFO, socket or device.
  case notAFile(FileKind)
  /// Opening or reading fails with this `errno`; it is tried again after a second, without descriptors less and less often.
  case failing(Int32)
  /// Standard input reached its end.
  case ended
}
