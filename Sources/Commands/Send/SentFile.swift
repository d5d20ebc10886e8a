import JSONLines
import Platform

/// The file whose lines are sent; detects whether it is still the one whose position was saved.
struct SentFile {
  let path: String
  let descriptor: Int32
  /// Interrupts the decompression of packed files.
  private let stop: WakeSignal
  /// The first bytes of the file when it was opened.
  private let head: [UInt8]

  /// Maximum bytes hashed before a position: enough to tell long lines apart, which often end alike.
  private static let markerLength: UInt64 = 64 << 10
  /// Maximum bytes hashed by earlier versions.
  private static let formerLength: UInt64 = 4096

  init(path: String, descriptor: Int32, stop: WakeSignal) {
    (self.path, self.descriptor, self.stop) = (path, descriptor, stop)
    head = (try? Posix.read(descriptor, at: 0, count: Int(Self.formerLength))) ?? []
  }

  /// The status of the file, with its creation time.
  var status: FileStatus? {
    var status = try? Posix.status(of: descriptor)
    status?.born = Posix.birth(of: descriptor)
    return status
  }

  /// The bytes before an offset.
  func marker(before offset: UInt64, length: UInt64 = markerLength) -> [UInt8] {
    let count = min(offset, length)
    guard let start = Int(exactly: offset - count) else { return [] }
    return (try? Posix.read(descriptor, at: start, count: Int(count))) ?? []
  }

  /// True if the bytes before a position, and those at the start of the file, are still the same.
  func holds(_ position: SendPosition) -> Bool {
    guard let size = (try? Posix.status(of: descriptor))?.size, position.offset <= size,
      (try? Posix.read(descriptor, at: 0, count: head.count)) == head
    else { return false }
    return position.offset == 0
      || [Self.markerLength, Self.formerLength].contains {
        position.matches(marker(before: position.offset, length: $0))
      }
  }

  /// The stop was raised before it was known what happened to a file.
  struct Stopped: Error {}

  /// The reason not to continue a file.
  enum Change {
    case cut, rewritten, replaced

    /// A clause for a message, with the offset at which the last run ended.
    func text(_ offset: UInt64) -> String {
      switch self {
      case .cut: "it ends before byte \(offset), where the last run ended"
      case .rewritten: "its content before byte \(offset), where the last run ended, has changed"
      case .replaced: "it is a new file with the same beginning"
      }
    }
  }

  /// The reason why the file is neither that of a position nor a copy that replaced it; `nil` if it is.
  ///
  /// A different file may begin with the same lines, none of which was sent.
  func change(since position: SendPosition) -> Change? {
    guard let status, position.offset <= status.size else { return .cut }
    guard holds(position) else { return .rewritten }
    return position.isIn(status) || hasTellingLines(before: position.offset) ? nil : .replaced
  }

  /// True if the lines before an offset are distinctive: only a copy would contain them again.
  private func hasTellingLines(before offset: UInt64) -> Bool {
    let bytes = marker(before: offset)
    return bytes.withUnsafeBytes { LastLines(of: $0, from: offset - UInt64(bytes.count)) }.areTelling
  }

  /// The rotated file that a position refers to, if another file has taken its name.
  ///
  /// Lines without a time may be the same in both, so the bytes alone cannot distinguish them; and an inode alone may
  /// have been reused by another file. A packed or copied file has another inode than its original. A file that was
  /// copied and truncated keeps its inode: then a copy made since is evidence of a rotation, unless distinctive lines
  /// show that the file continues.
  ///
  /// - Throws: `Stopped` if the stop is raised while a packed file is read.
  func rotated(from position: SendPosition) throws(Stopped) -> (name: String, hasMore: Bool)? {
    guard position.file != nil, let status else { return nil }
    let isOther = !position.isIn(status)
    guard isOther || !holds(position) || !hasTellingLines(before: position.offset) else { return nil }
    for file in siblings {
      let hasMore = try hasMore(in: file, behind: position) { found in
        if isOther, position.isIn(found) { return true }
        // A file packed before the position was saved comes from an earlier file, so it need not be unpacked.
        if isOther, file.isPacked {
          return found.born.flatMap { born in position.noted.map { $0 <= born } } ?? true
        }
        guard file.isNumbered, let born = found.born, let noted = position.noted else { return false }
        return noted <= born && (isOther || born <= status.modified)
      }
      if let hasMore { return (file.name, hasMore) }
    }
    return nil
  }

  /// Rotated files beside the path and beside the file that it links to; packed ones last, the newest first.
  private var siblings: [RotatedFile] {
    Set([PathParts(path), PathParts(Posix.resolved(path))]).flatMap { place in
      RotatedFile.beside(PathParts.join(place.directory, place.name))
    }.sorted { $0.isPacked != $1.isPacked ? $1.isPacked : $0.order > $1.order }
  }

  /// True if anything follows a position in a file; `nil` if it is a different file or has different bytes.
  private func hasMore(
    in sibling: RotatedFile, behind position: SendPosition, where isSought: (FileStatus) -> Bool
  ) throws(Stopped) -> Bool? {
    guard let descriptor = try? Posix.open(sibling.path) else { return nil }
    defer { Posix.close(descriptor) }
    let file = SentFile(path: sibling.path, descriptor: descriptor, stop: stop)
    guard let status = file.status, status.kind == .regular, isSought(status) else { return nil }
    if sibling.isPacked { return try file.hasMoreUnpacked(behind: position) }
    return file.holds(position) ? status.size > position.offset : nil
  }

  /// The same for the decompressed contents of a packed file.
  private func hasMoreUnpacked(behind position: SendPosition) throws(Stopped) -> Bool? {
    let stream = PlainStream(descriptor: descriptor)
    var (last, place) = ([UInt8](), UInt64(0))
    var chunk = [UInt8](repeating: 0, count: Int(Self.markerLength))
    while place < position.offset {
      if stop.isRaised { throw Stopped() }
      let wanted = Int(min(UInt64(chunk.count), position.offset - place))
      guard
        let count = try? chunk.withUnsafeMutableBytes({
          try stream.read(into: .init(rebasing: $0[..<wanted]))
        }),
        count > 0
      else { return nil }
      last = Array((last + chunk[..<count]).suffix(Int(Self.markerLength)))
      place += UInt64(count)
    }
    let markers = [Self.markerLength, Self.formerLength].map { Array(last.suffix(Int($0))) }
    guard markers.contains(where: position.matches) else { return nil }
    return (try? chunk.withUnsafeMutableBytes { try stream.read(into: $0) }) ?? 0 > 0
  }
}
