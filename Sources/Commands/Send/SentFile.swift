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

  var identity: FileIdentity? { (try? Posix.status(of: descriptor))?.identity }

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

  /// What has become of the file that a position is of, if it was rotated and another one has its name now.
  ///
  /// Lines without a time may be alike in both, so that the bytes alone would not tell them apart; and a file number alone may be
  /// another file's by now.
  func rotated(from position: SendPosition) -> (name: String, size: UInt64)? {
    let parts = PathParts(path)
    guard let former = position.file, former != identity, let folder = try? OpenFolder(parts.directory)
    else { return nil }
    for name in (try? Posix.names(in: folder.path)) ?? [] where RotatedName.isRotated(name, of: parts.name) {
      guard let status = folder.status(of: name), status.identity == former,
        let descriptor = try? Posix.open(folder.path(of: name))
      else { continue }
      defer { Posix.close(descriptor) }
      if SentFile(path: name, descriptor: descriptor).holds(position) { return (name, status.size) }
    }
    return nil
  }
}
