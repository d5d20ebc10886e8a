import JSONLines
import Platform

/// The file whose lines are sent, looked at for whether it is still the one whose position was noted.
struct SentFile {
  let path: String
  let descriptor: Int32
  /// How it began when it was opened.
  private let head: [UInt8]

  /// Of longer lines the ends are often the same.
  private static let markerLength: UInt64 = 64 << 10
  /// What earlier versions have noted the hash of.
  private static let formerLength: UInt64 = 4096

  init(path: String, descriptor: Int32) {
    (self.path, self.descriptor) = (path, descriptor)
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

  /// Whether the bytes before a position are there still, and those with which the file began.
  func holds(_ position: SendPosition) -> Bool {
    guard let size = (try? Posix.status(of: descriptor))?.size, position.offset <= size,
      (try? Posix.read(descriptor, at: 0, count: head.count)) == head
    else { return false }
    return position.offset == 0
      || [Self.markerLength, Self.formerLength].contains {
        position.matches(marker(before: position.offset, length: $0))
      }
  }

  /// Why a file is not gone on with.
  enum Change {
    case cut, rewritten, replaced

    /// The same in words, with the place where the last run ended.
    func text(_ offset: UInt64) -> String {
      switch self {
      case .cut: "it ends before byte \(offset), where that ended"
      case .rewritten: "before byte \(offset), where that ended, is something else"
      case .replaced: "it is a new one that begins alike"
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

  /// Whether before a place there are lines that nobody but a program that copies writes a second time.
  private func hasTellingLines(before offset: UInt64) -> Bool {
    let bytes = marker(before: offset)
    return bytes.withUnsafeBytes { LastLines(of: $0, from: offset - UInt64(bytes.count)) }.areTelling
  }

  /// What has become of the file that a position is of, if it was rotated and another one has its name now.
  ///
  /// Lines without a time may be alike in both, so that the bytes alone would not tell them apart; and a file number alone may be
  /// another file's by now. Only what is packed has another number than the file that it was made of.
  func rotated(from position: SendPosition) -> (name: String, hasMore: Bool)? {
    guard position.file != nil, let status, !position.isIn(status) else { return nil }
    var packed: [(order: RotationOrder, file: (name: String, path: String))] = []
    // Beside the path, and beside the file that it leads to.
    for place in Set([PathParts(path), PathParts(Posix.resolved(path))]) {
      for name in (try? Posix.names(in: place.directory)) ?? [] {
        let unpacked = name.droppingByteSuffix(".gz")
        guard RotatedName.isRotated(unpacked ?? name, of: place.name) else { continue }
        let path = PathParts.join(place.directory, name)
        guard let found = Posix.status(at: path), found.kind == .regular else { continue }
        if let unpacked {
          packed.append((RotationOrder(modified: found.modified, name: unpacked), (name, path)))
        } else if found.identity.inode == position.file?.inode,
          let hasMore = Self.hasMore(in: path, behind: position)
        {
          return (name, hasMore)
        }
      }
    }
    // Most often it is the youngest.
    for (_, file) in packed.sorted(by: { $0.order > $1.order }) {
      if let hasMore = Self.hasMore(inPacked: file.path, behind: position) { return (file.name, hasMore) }
    }
    return nil
  }

  /// Whether anything follows a position in a file; `nil` if it is not the one that the position is of.
  private static func hasMore(in path: String, behind position: SendPosition) -> Bool? {
    guard let descriptor = try? Posix.open(path) else { return nil }
    defer { Posix.close(descriptor) }
    let file = SentFile(path: path, descriptor: descriptor)
    guard let status = file.status, position.isIn(status), file.holds(position) else { return nil }
    return status.size > position.offset
  }

  /// The same of a packed file.
  private static func hasMore(inPacked path: String, behind position: SendPosition) -> Bool? {
    guard let descriptor = try? Posix.open(path) else { return nil }
    defer { Posix.close(descriptor) }
    let stream = PlainStream(descriptor: descriptor)
    var (last, place) = ([UInt8](), UInt64(0))
    var chunk = [UInt8](repeating: 0, count: Int(markerLength))
    while place < position.offset {
      let wanted = Int(min(UInt64(chunk.count), position.offset - place))
      guard
        let count = try? chunk.withUnsafeMutableBytes({
          try stream.read(into: .init(rebasing: $0[..<wanted]))
        }),
        count > 0
      else { return nil }
      last = Array((last + chunk[..<count]).suffix(Int(markerLength)))
      place += UInt64(count)
    }
    let markers = [markerLength, formerLength].map { Array(last.suffix(Int($0))) }
    guard markers.contains(where: position.matches) else { return nil }
    return (try? chunk.withUnsafeMutableBytes { try stream.read(into: $0) }) ?? 0 > 0
  }
}
