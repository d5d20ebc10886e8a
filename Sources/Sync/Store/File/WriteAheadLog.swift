/// SQLite's write-ahead log beside a database, checked before SQLite reads it: SQLite stops at the first damaged frame
/// and does not report the frames behind it.
///
/// The format: <https://www.sqlite.org/fileformat2.html#the_write_ahead_log>.
package struct WriteAheadLog {
  /// Suffix of the log's name, after the database's.
  package static let suffix = "-wal"

  private static let headerSize = 32
  private static let frameHeader = 24

  private let isBigEndian: Bool
  private var sum: (UInt32, UInt32) = (0, 0)

  /// True if a transaction that was written to its end is damaged.
  ///
  /// SQLite writes frames in order: behind a damaged frame, one that ends a transaction shows that nothing was missing.
  /// A damaged last frame may be an incomplete write over one from before the log's restart, unless the file ends there.
  ///
  /// - Parameters:
  ///   - size: The size of the log in bytes.
  ///   - read: Reads bytes at an offset.
  package static func isDamaged<Failure: Error>(
    size: Int, read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> Bool {
    guard size >= headerSize else { return false }
    let header = try read(0, headerSize)
    guard header.count == headerSize, header.contains(where: { $0 != 0 }) else { return false }
    let magic = word(header, at: 0, isBigEndian: true)
    var log = WriteAheadLog(isBigEndian: magic == 0x377F_0683)
    log.add(header[..<24])
    let pageSize = Int(word(header, at: 8, isBigEndian: true))
    guard magic & ~1 == 0x377F_0682, (512...65_536).contains(pageSize), log.hasSum(header, at: 24) else {
      return true
    }
    let frameSize = frameHeader + pageSize
    var isWhole = true
    for offset in stride(from: headerSize, through: size - frameSize, by: frameSize) {
      let frame = try read(offset, isWhole ? frameSize : frameHeader)
      guard frame.count >= frameHeader else { return false }
      // Frames from before a restart of the log have other salts, in both words.
      let salts = (
        frame[8..<12].elementsEqual(header[16..<20]), frame[12..<16].elementsEqual(header[20..<24])
      )
      let isCommit = word(frame, at: 4, isBigEndian: true) != 0
      if isWhole {
        log.add(frame[..<8])
        log.add(frame[frameHeader...])
        isWhole = salts == (true, true) && log.hasSum(frame, at: 16)
        if isWhole || offset + 2 * frameSize <= size { continue }
      }
      if salts.0 || salts.1, isCommit { return true }
    }
    return false
  }

  private init(isBigEndian: Bool) {
    self.isBigEndian = isBigEndian
  }

  /// Adds bytes in a multiple of eight.
  private mutating func add(_ bytes: ArraySlice<UInt8>) {
    var place = bytes.startIndex
    while place + 8 <= bytes.endIndex {
      sum.0 &+= Self.word(bytes, at: place, isBigEndian: isBigEndian) &+ sum.1
      sum.1 &+= Self.word(bytes, at: place + 4, isBigEndian: isBigEndian) &+ sum.0
      place += 8
    }
  }

  private func hasSum(_ bytes: [UInt8], at place: Int) -> Bool {
    Self.word(bytes, at: place, isBigEndian: true) == sum.0
      && Self.word(bytes, at: place + 4, isBigEndian: true) == sum.1
  }

  private static func word(_ bytes: [UInt8], at place: Int, isBigEndian: Bool) -> UInt32 {
    word(bytes[...], at: place, isBigEndian: isBigEndian)
  }

  private static func word(_ bytes: ArraySlice<UInt8>, at place: Int, isBigEndian: Bool) -> UInt32 {
    let word =
      UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
      | UInt32(bytes[place + 3]) << 24
    return isBigEndian ? word.byteSwapped : word
  }
}
