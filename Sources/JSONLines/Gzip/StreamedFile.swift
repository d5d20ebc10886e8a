import Platform

/// Recognizes packed files by their first bytes.
package enum GzipFile {
  /// True if a regular file starts with the gzip magic; `false` if it cannot be read.
  package static func isPacked(_ path: String) -> Bool {
    FileHead.of(path, count: Gunzip.magic.count) == Gunzip.magic
  }
}

/// Recognizes files whose samples only a ``PlainStream`` can read: packed ones, texts in UTF-16, records that span lines.
package enum StreamedFile {
  /// The first read; nearly always enough.
  private static let firstCount = 4096

  /// True for a regular file of that kind; `false` if it cannot be read.
  package static func isNeeded(_ path: String) -> Bool {
    var (count, form) = (firstCount, TextForm?.none)
    while form == nil, let head = FileHead.of(path, count: count) {
      if Packing(head: head) != nil { return true }
      form = head.withUnsafeBytes { TextForm.of($0, isWhole: head.count < count) }
      // From this length on the form is known.
      count = TextForm.headLimit
    }
    return (form ?? .lines) != .lines
  }
}

extension StreamedFile {
  /// The lines of a whole text in memory; `nil` if they are those of the text.
  package static func lines(of text: UnsafeRawBufferPointer) -> [UInt8]? {
    guard let form = TextForm.of(text, isWhole: true), form != .lines else { return nil }
    var (reading, lines) = (TextReading(), [UInt8]())
    reading.take(text, into: &lines)
    reading.finish(into: &lines)
    return lines
  }
}

private enum FileHead {
  /// The first bytes of a regular file; `nil` if it cannot be read.
  static func of(_ path: String, count: Int) -> [UInt8]? {
    guard Posix.status(at: path)?.kind == .regular, let file = try? ReadableFile(path: path) else {
      return nil
    }
    defer { file.close() }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      let room = UnsafeMutableRawBufferPointer(buffer)
      while filled < count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: room[filled...])
        guard let more = try? file.read(into: rest, at: UInt64(filled)), more > 0 else { return }
        filled += more
      }
    }
  }
}
