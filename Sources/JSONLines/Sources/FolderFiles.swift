package import Platform

/// Chooses the files of folders that are read: those with the name of a log or of records that also begin like one.
///
/// A file's beginning is read once, and again if it was left out while it was short.
package final class FolderFiles: Sendable {
  /// The ends of names that are read.
  package static let endings = [".jsonl", ".ndjson", ".log", ".json"]
  /// Bytes of a file's beginning that are searched for a record.
  static let headSize = 8 << 10

  /// The files of one folder.
  package struct Listing: Hashable, Sendable {
    /// Names, sorted by bytes.
    package var taken: [String] = []
    /// All others, sorted by bytes, except for hidden files and rotated ones of those taken.
    package var leftOut: [LeftOut] = []
  }

  /// A file that is not read.
  package struct LeftOut: Hashable, Sendable {
    package var name: String
    package var reason: Reason

    package init(name: String, reason: Reason) {
      self.name = name
      self.reason = reason
    }
  }

  package enum Reason: Hashable, Sendable {
    /// Its name has another end.
    case name
    /// It does not begin with records.
    case noRecords
    /// It holds a payload of MetricKit, which has to be imported.
    case payload
    /// It is a folder; folders are not searched.
    case folder
    case unreadable(FileFailure)
  }

  /// The verdict on a file's beginning.
  private struct Known {
    var file: FileFingerprint
    var reason: Reason?

    /// True if the verdict holds for a file with this status.
    func holds(for status: FileStatus) -> Bool {
      guard file != FileFingerprint(status) else { return true }
      // Growth changes nothing once there was enough to judge by.
      let isEnough = reason == nil ? file.size > 0 : file.size >= UInt64(headSize)
      return isEnough && file.identity == status.identity && status.size > file.size
    }
  }

  private let fileSystem: any TailFileSystem
  private let known = Locked<[PathKey: Known]>([:])

  package init(_ fileSystem: any TailFileSystem = PosixFileSystem()) {
    self.fileSystem = fileSystem
  }

  /// The files of a folder.
  package func list(_ folder: String) throws(FileFailure) -> Listing {
    var listing = Listing()
    for name in try fileSystem.names(in: folder).sortedByBytes() where !name.hasBytePrefix(".") {
      if let reason = reason(toLeaveOut: name, of: folder) {
        listing.leftOut.append(LeftOut(name: name, reason: reason))
      } else {
        listing.taken.append(name)
      }
    }
    let taken = Set(listing.taken.map { PathKey($0) })
    listing.leftOut.removeAll { file in
      file.reason == .name
        && RotatedName.originals(of: RotatedName.unpacked(file.name)).contains { taken.contains(PathKey($0)) }
    }
    return listing
  }

  private func reason(toLeaveOut name: String, of folder: String) -> Reason? {
    let path = PathParts.join(folder, name)
    guard let ending = Self.endings.first(where: { name.lowercased().hasByteSuffix($0) }) else {
      return (try? fileSystem.status(ofPath: path))?.kind == .directory ? .folder : .name
    }
    // Whatever is wrong with such a file is told where it is followed.
    guard ending != ".jsonl" else { return nil }
    do throws(FileFailure) {
      let status = try fileSystem.status(ofPath: path)
      guard status.kind == .regular else { return status.kind == .directory ? .folder : nil }
      if let known = known.withLock({ $0[PathKey(path)] }), known.holds(for: status) { return known.reason }
      let reason = RecordHead.reason(toLeaveOut: try head(of: path), isJSON: ending == ".json")
      let verdict = Known(file: FileFingerprint(status), reason: reason)
      known.withLock { $0[PathKey(path)] = verdict }
      return reason
    } catch {
      return .unreadable(error)
    }
  }

  private func head(of path: String) throws(FileFailure) -> [UInt8] {
    let file = try fileSystem.open(path)
    defer { fileSystem.close(file) }
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.headSize, alignment: 16)
    defer { room.deallocate() }
    return Array(room[..<(try fileSystem.read(file, at: 0, into: room))])
  }
}

/// Tells whether a file begins with records.
private enum RecordHead {
  /// Names that occur in payloads of MetricKit and hardly anywhere else.
  private static let payloadKey = Array("\"timeStampBegin\"".utf8)

  /// The reason to leave a file out; `nil` if it begins with records, or has no content yet.
  ///
  /// - Parameter isJSON: True for a name in `.json`: most such files are settings, which are one value of many lines.
  static func reason(toLeaveOut head: [UInt8], isJSON: Bool) -> FolderFiles.Reason? {
    // UTF-16, with its mark.
    if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) { return nil }
    let text = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head[3...] : head[...]
    // A record separator may come first (RFC 7464).
    let content = text.drop { $0 <= 0x20 }
    guard let first = content.first else { return nil }
    guard isJSON else { return hasObject(content) || isReadable(content) ? nil : .noRecords }
    if contains(payloadKey, content) { return .payload }
    switch first {
    case UInt8(ascii: "["):
      return hasObject(content.dropFirst(), isFirst: true) ? nil : .noRecords
    case UInt8(ascii: "{"):
      let line = content.prefix { $0 != 0x0A && $0 != 0x0D }
      guard hasObject(line, isFirst: true) else { return .noRecords }
      // A line that is longer than what was read may end in any way.
      let last = line.last { $0 > 0x20 && $0 != UInt8(ascii: ",") }
      return line.endIndex == head.endIndex || last == UInt8(ascii: "}") ? nil : .noRecords
    default: return .noRecords
    }
  }

  /// True if a line that is not JSON can be read.
  private static func isReadable(_ text: ArraySlice<UInt8>) -> Bool {
    var (scanner, batch) = (SampleScanner(), SampleBatch())
    text.withUnsafeBytes { scanner.scan($0, into: &batch) }
    return !batch.samples.isEmpty
  }

  /// True if an object begins with a member.
  ///
  /// - Parameter isFirst: True if nothing but space may precede it.
  private static func hasObject(_ bytes: ArraySlice<UInt8>, isFirst: Bool = false) -> Bool {
    var rest = bytes
    while let brace = rest.firstIndex(of: UInt8(ascii: "{")) {
      if isFirst, rest[..<brace].contains(where: { $0 > 0x20 }) { return false }
      rest = rest[(brace + 1)...]
      let next = rest.first { $0 > 0x20 }
      if next == UInt8(ascii: "\"") || next == nil || isFirst && next == UInt8(ascii: "}") { return true }
      if isFirst { return false }
    }
    return false
  }

  private static func contains(_ word: [UInt8], _ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    while let place = rest.firstIndex(of: word[0]) {
      rest = rest[place...]
      if rest.starts(with: word) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
