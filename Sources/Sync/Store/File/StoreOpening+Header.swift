import Essentials
import Platform

// A damaged header: the bytes that make the file a database, and a store.
extension StoreOpening {
  private static let headerSize = 100
  private static let firstTable = Array(StoreSchema.firstTable.utf8)
  /// The constant parts of a store's header (<https://www.sqlite.org/fileformat2.html#the_database_header>).
  private static let constants: [(offset: Int, bytes: [UInt8])] = [
    (0, firstBytes), (16, [0x10, 0, 2, 2, 0, 64, 32, 32]), (44, [0, 0, 0, 4]),
    (52, [0, 0, 0, 0, 0, 0, 0, 1]), (versionOffset, [0, 0, 0, UInt8(StoreSchema.version)]),
    (64, [0, 0, 0, 0]), (68, Array("sync".utf8)),
  ]
  private static let versionOffset = 60
  /// The versions of a header's format: 1 until the write-ahead log is set up.
  private static let formats = 18..<20

  /// Restores the constant parts of the header of a store; the rest is checked by SQLite.
  ///
  /// - Returns: A copy of the damaged file; `nil` for an intact header, or a file that is not a store of this version.
  func repairHeader(of descriptor: Int32) throws -> URL? {
    let page = try Posix.read(descriptor, at: 0, count: Self.pageSize, with: operations.read)
    guard page.count == Self.pageSize else { return nil }
    let header = Array(page[..<Self.headerSize])
    let hasTables = page.contains(Self.firstTable)
    var intact = header
    // Until its tables come from the log, the file has only what makes it a database.
    for (offset, bytes) in Self.constants where hasTables || offset < Self.formats.upperBound {
      intact.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
    if header[Self.formats] == [1, 1] { intact.replaceSubrange(Self.formats, with: [1, 1]) }
    guard header != intact, try hasTables || isInLog(), !isLater(header, than: intact) else { return nil }
    let size = Int(clamping: try Posix.status(of: descriptor).size)
    let kept = try keep(descriptor, of: path, size: size)
    try write(intact, to: descriptor, path: path)
    try Posix.sync(descriptor, path: path, with: operations.sync)
    return kept
  }

  /// True if the log begins with the tables of a store.
  private func isInLog() throws -> Bool {
    let log = path + WriteAheadLog.suffix
    guard Posix.status(at: log)?.kind == .regular else { return false }
    return try Posix.head(of: log, 1 << 16).contains(Self.firstTable)
  }

  /// True if only the version differs, and may be that of a later one.
  private func isLater(_ header: [UInt8], than intact: [UInt8]) -> Bool {
    var other = header
    let place = Self.versionOffset + 3
    other[place] = intact[place]
    return other == intact && (StoreSchema.version..<100).contains(Int(header[place]))
  }
}
