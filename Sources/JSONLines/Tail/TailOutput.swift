package import Platform

/// Output of a tail, in the order of the followed stream.
package enum TailOutput {
  /// Bytes of the file from `offset` on, valid only during the call; lines may be cut at either end.
  case bytes(UnsafeRawBufferPointer, offset: UInt64)
  /// The following bytes do not continue the previous ones: drop any half line.
  case restarted(TailRestart)
  /// Something could not be read or was lost.
  case gap(TailGap)
  /// The state of the path has changed.
  case state(TailState)
  /// The tail started at a line start inside the file; what precedes it can be read from the given file.
  case earlier(EarlierBytes)
  /// The file is looked at by size and time from now on, because events do not tell of all its changes.
  case polled(PollReason, every: Double)
}

/// The offset at which a tail restarted, and the reason.
package struct TailRestart: Hashable, Sendable {
  package enum Reason: String, CaseIterable, Sendable {
    /// The first file under this path.
    case began
    /// The path names a new file; the old one was renamed away.
    case rotated
    /// The path names a new file; the old one was deleted.
    case recreated
    /// The file was truncated or rewritten in place.
    case truncated
    /// The end of the file was removed; the rest is unchanged.
    case cutBack
    /// Reading resumes in a file that was read before.
    case resumed
    /// The file was copied and then truncated; reading continues in the copy.
    case continued
    /// The file was rewritten and still has the last line that was read.
    case compacted
  }

  package var reason: Reason
  /// Offset of the next byte to be delivered; always a line start.
  package var offset: UInt64

  package init(reason: Reason, offset: UInt64) {
    self.reason = reason
    self.offset = offset
  }
}

/// Bytes of the stream that could not be delivered as lines.
package struct TailGap: Hashable, Sendable {
  package enum Reason: String, CaseIterable, Sendable {
    /// The file was truncated before these bytes were read, and no copy of them was found.
    case truncated
    /// The file was replaced, and rotated files were overwritten unseen.
    case overwritten
    /// The file ended with an incomplete line.
    case halfLine
    /// The file could not be read.
    case unreadable
    /// No file has the saved place any more.
    case placeLost
  }

  package var reason: Reason
  /// Bytes known to be lost; more may have been lost unseen.
  package var bytes: UInt64
  /// The reason why a packed stream cannot be unpacked to its end.
  package var note: String?

  package init(reason: Reason, bytes: UInt64, note: String? = nil) {
    self.reason = reason
    self.bytes = bytes
    self.note = note
  }
}

/// The relation of a tail to its path.
package enum TailState: Hashable, Sendable {
  /// Nothing was examined yet.
  case starting
  case following
  /// The path does not exist; its file is read once it appears.
  case missing
  /// The file exists, but this process lacks the permission to open it.
  case noPermission
  /// A file without lines: a directory, FIFO, socket or device.
  case notAFile(FileKind)
  /// Opening or reading fails with this `errno`; retried after a second, or after growing delays if there are no free
  /// descriptors.
  case failing(Int32)
  /// Standard input reached its end.
  case ended
}
