import Essentials
import JSONLines
import Platform

/// The bytes of a payload file, decompressed if need be.
struct PayloadBytes {
  /// Maximum size in bytes, before and after decompression: parsed JSON takes about ten times as much memory.
  static let limit: UInt64 = 256 << 20

  /// The reason why all or part of the contents is missing.
  enum Problem: Error, Equatable, CustomStringConvertible {
    case tooLarge
    case unreadable(String)
    /// Damaged at an offset; only the part before it that a checksum confirms was read, if any.
    case damaged(at: UInt64, isPartRead: Bool)

    /// The text that follows the file name in a message.
    var description: String {
      switch self {
      case .tooLarge: "is larger than \(PayloadBytes.limit >> 20) MB; split it"
      case .unreadable(let text): text
      case .damaged(let position, let isPartRead):
        "is damaged or truncated at byte \(position) of the compressed file"
          + (isPartRead ? "; the part before that was read" : "")
      }
    }
  }

  let bytes: [UInt8]
  /// The reason why the end is missing.
  var problem: Problem?

  /// Reads a file, or standard input.
  init(path: String, input: Int32 = STDIN_FILENO) throws(Problem) {
    let packed = try path == "-" ? Self.stream(input) : Self.file(path)
    guard packed.starts(with: Gunzip.magic) else {
      bytes = packed
      return
    }
    do throws(GunzipFailure) {
      let (unpacked, file) = try Gunzip(limit: Self.limit).unpack(packed)
      bytes = file.damage.map { Array(unpacked.prefix(Int($0.soundBytes))) } ?? unpacked
      problem = file.damage.map { .damaged(at: $0.position, isPartRead: $0.soundBytes > 0) }
    } catch {
      switch error {
      case .damaged(let position): throw .damaged(at: position, isPartRead: false)
      case .tooLarge: throw .tooLarge
      case .notGzip, .cannotRead, .cannotWrite, .cancelled: throw .unreadable("cannot be decompressed")
      }
    }
  }

  private static func file(_ path: String) throws(Problem) -> [UInt8] {
    do {
      let file = try ReadableFile.seekable(path: path)
      defer { file.close() }
      let size = try file.size
      guard size <= limit else { throw Problem.tooLarge }
      return try whole(expecting: Int(size)) { try file.read(into: $0, at: UInt64($1)) }
    } catch let problem as Problem {
      throw problem
    } catch {
      throw .unreadable(FileErrorFormatter.problem(error))
    }
  }

  private static func stream(_ descriptor: Int32) throws(Problem) -> [UInt8] {
    do {
      return try whole(expecting: 1 << 16) { buffer, _ in try Posix.read(descriptor, into: buffer) }
    } catch let problem as Problem {
      throw problem
    } catch {
      throw .unreadable(FileErrorFormatter.problem(error))
    }
  }

  /// Reads to the end, whatever the expected size: a file may grow, and some report none.
  private static func whole(
    expecting size: Int, _ read: (UnsafeMutableRawBufferPointer, Int) throws -> Int
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var room = size + 1
    while true {
      let start = bytes.count
      var count = 0
      let piece = try [UInt8](unsafeUninitializedCapacity: room) { buffer, initialized in
        count = try read(UnsafeMutableRawBufferPointer(buffer), start)
        initialized = count
      }
      if bytes.isEmpty { bytes = piece } else { bytes += piece }
      guard UInt64(bytes.count) <= limit else { throw Problem.tooLarge }
      if count == 0 { return bytes }
      room = max(4096, min(bytes.count, 1 << 20))
    }
  }
}
