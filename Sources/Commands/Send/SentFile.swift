import JSONLines
import Platform

/// The file whose lines are sent, looked at for whether it is still the one whose position was noted.
struct SentFile {
  let path: String
  let descriptor: Int32
  /// Ends the comparison with what has to be unpacked.
  private let stop: WakeSignal
  /// How it began when it was opened.
  private let head: [UInt8]

  /// Of longer lines the ends are often the same.
  private static let markerLength: UInt64 = 64 << 10
  /// Length of the beginning whose hash earlier versions noted.
  private static let formerLength: UInt64 = 4096

  init(path: String, descriptor: Int32, stop: WakeSignal) {
    (self.path, self.descriptor, self.stop) = (path, descriptor, stop)
    head = (try? Posix.read(descriptor, at: 0, count: Int(Self.formerLength))) ?? []
  }

  /// How it looks, with when it was made.
  var status: FileStatus? {
    var status = try? Posix.status(of: descriptor)
    status?.born = Posix.birth(of: descriptor)
    return status
  }

  /// The bytes before a place.
  func marker(before offset: UInt64, length: UInt64 = markerLength) -> [UInt8] {
    let count = min(offset, length)
    guard let start = Int(exactly: offset - count) else { return [] }
    return (try? Posix.read(descriptor, at: start, count: Int(count))) ?? []
  }

  /// True if the bytes before a position are there still, and those with which the file began.
  func holds(_ position: SendPosition) -> Bool {
    guard let size = (try? Posix.status(of: descriptor))?.size, position.offset <= size,
      (try? Posix.read(descriptor, at: 0, count: head.count)) == head
    else { return false }
    return position.offset == 0
      || [Self.markerLength, Self.formerLength].contains {
        position.matches(marker(before: position.offset, length: $0))
      }
  }

  /// The stop came before it was known what happened to a file.
  struct Stopped: Error {}

  /// The reason not to continue a file.
  enum Change {
    case cut, rewritten, replaced

    /// The same in words, with the place where the last run ended.
    func text(_ offset: UInt64) -> String {
      switch self {
      case .cut: "it ends before byte \(offset), where that ended"
      case .rewritten: "its content before byte \(offset), where that ended, is different"
      case .replaced: "it is a new file with the same beginning"
      }
    }
  }

  /// Why it is neither the file that a position is of nor a copy of it that took its place; `nil` if it is.
  ///
  /// Of another file that begins with the same lines nothing was sent.
  func change(since position: SendPosition) -> Change? {
    guard let status, position.offset <= status.size else { return .cut }
    guard holds(position) else { return .rewritten }
    return position.isIn(status) || hasTellingLines(before: position.offset) ? nil : .replaced
  }

  /// True if before a place there are lines that no one but a program that copies writes a second time.
  private func hasTellingLines(before offset: UInt64) -> Bool {
    let bytes = marker(before: offset)
    return bytes.withUnsafeBytes { LastLines(of: $0, from: offset - UInt64(bytes.count)) }.areTelling
  }

  /// The present state of the file that a position refers to, if it was rotated and another one has its name now.
  ///
  /// Lines without a time may be alike in both, so that the bytes alone would not tell them apart; and a file number alone may be
  /// another file's by now. What is packed, or was copied since, has another number than the file that it was made of. A file that
  /// was copied and cut has its number still: then such a copy says so, unless the lines do.
  ///
  /// - Throws: `Stopped` if the stop is raised while a packed file is read.
  func rotated(from position: SendPosition) throws(Stopped) -> (name: String, hasMore: Bool)? {
    guard position.file != nil, let status else { return nil }
    let isOther = !position.isIn(status)
    guard isOther || !holds(position) || !hasTellingLines(before: position.offset) else { return nil }
    for file in siblings {
      let hasMore = try hasMore(in: file, behind: position) { found in
        if isOther, position.isIn(found) { return true }
        // A file packed before the position was noted comes from an earlier file: it need not be unpacked.
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

  /// Files named like rotated ones, beside the path and beside the file that it leads to; packed ones last, the
  /// youngest first.
  private var siblings: [RotatedFile] {
    Set([PathParts(path), PathParts(Posix.resolved(path))]).flatMap { place in
      RotatedFile.beside(PathParts.join(place.directory, place.name))
    }.sorted { $0.isPacked != $1.isPacked ? $1.isPacked : $0.order > $1.order }
  }

  /// True if anything follows a position in a file; `nil` if it is another file, or has other bytes.
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

  /// The same of what a packed file becomes.
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
