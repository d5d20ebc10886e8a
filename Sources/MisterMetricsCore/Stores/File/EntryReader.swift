import Codecs
import Platform

/// Reads the selected entries of a store's files, piece by piece.
actor EntryReader {
  /// Number of lines so far that are not entries.
  private(set) var undecodable = 0
  private(set) var isAtEnd = false

  private let snapshot: FileSnapshot
  private let filter: EntryFilter
  private let decoder = LineDecoder()
  private var nextPart = 0
  private var reader: LineReader?
  private var isAtStart = true

  /// Reads the current contents of the files at `path`.
  init(path: String, filter: EntryFilter) throws(MetricError) {
    do { snapshot = try FileSnapshot(path: path) } catch { throw MetricError(error) }
    self.filter = filter
  }

  /// The selected entries of the next piece; may be empty, and is empty at the end.
  func nextPiece() throws -> [MetricEntry] {
    while true {
      guard reader != nil || openNextPart() else {
        isAtEnd = true
        return []
      }
      var entries: [MetricEntry] = []
      do {
        if try reader?.readPiece({ line, piece in take(line, piece, into: &entries) }) == true {
          return entries
        }
      } catch let failure as FileFailure {
        throw MetricError(failure)
      }
      reader = nil
    }
  }

  private func openNextPart() -> Bool {
    guard nextPart < snapshot.parts.count else { return false }
    let part = snapshot.parts[nextPart]
    reader = LineReader(part.descriptor, upTo: part.size)
    nextPart += 1
    isAtStart = true
    return true
  }

  private func take(
    _ line: UnsafeRawBufferPointer, _ piece: LineReader.Piece, into entries: inout [MetricEntry]
  ) {
    let line = isAtStart ? line.withoutByteOrderMark : line
    isAtStart = false
    guard piece == .line else {
      if piece == .lastPart { undecodable += 1 }
      return
    }
    // A blank line has no meaning: writers that start each batch with a newline leave them.
    guard !line.allSatisfy({ $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: " ") }) else { return }
    switch decoder.entry(line, matching: filter) {
    case .wanted(let entry): entries.append(entry)
    case .unwanted: break
    case .undecodable: undecodable += 1
    }
  }
}
