import Essentials
import Platform

/// Formats of packed files, known by their first bytes whatever the name of the file.
package enum Packing: String, CaseIterable, Sendable {
  case gzip, xz, zstd, bzip2, zip

  /// The first bytes of every file of the format.
  private var magic: [UInt8] {
    switch self {
    case .gzip: Gunzip.magic
    case .xz: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]
    case .zstd: [0x28, 0xB5, 0x2F, 0xFD]
    // Followed by the size of the blocks and by the digits of pi, which begin a block.
    case .bzip2: Array("BZh".utf8)
    case .zip: [0x50, 0x4B, 0x03, 0x04]
    }
  }

  /// Number of bytes that identify any format.
  static let headCount = 10

  /// The format of a file; `nil` if it is not packed.
  ///
  /// - Parameter head: Its first bytes.
  init?(head: some Collection<UInt8>) {
    guard let found = Self.allCases.first(where: { head.starts(with: $0.magic) }) else { return nil }
    if found == .bzip2, !head.dropFirst(4).starts(with: [0x31, 0x41, 0x59, 0x26, 0x53, 0x59]) { return nil }
    self = found
  }

  /// True if more bytes could complete the first bytes of a format.
  static func mayBegin(with head: some Collection<UInt8>) -> Bool {
    allCases.contains { $0.magic.starts(with: head.prefix($0.magic.count)) }
  }

  /// The program that unpacks standard input to standard output, with its arguments; `nil` if there is none.
  var program: [String]? {
    switch self {
    case .gzip, .zip: nil
    case .xz: ["xz", "-dc", "--memlimit-decompress=1GiB"]
    case .zstd: ["zstd", "-dcq"]
    case .bzip2: ["bzip2", "-dc"]
    }
  }

  /// The command that reads a file where this program cannot.
  package var command: String { (self == .zip ? "unzip -p" : rawValue + " -dc") + " FILE | mistertop -" }
}
