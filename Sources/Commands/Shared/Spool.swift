import Essentials
import JSONLines
import Platform

/// Copies standard input or a packed file, as lines, into a file of this session, which can be read at any offset while
/// it is still growing.
///
/// Only the owner can read the file. Endless standard input is kept up to a limit.
final class Spool: Sendable {
  /// Maximum size of the file in bytes: 4 GiB.
  static let limit: UInt64 = 4 << 30
  private static let bufferSize = 256 << 10
  private static let newline = UInt8(ascii: "\n")
  /// Microseconds between two looks at a text that may grow.
  private static let growthPause: UInt32 = 500_000

  enum Source: Equatable, Sendable {
    case standardInput
    /// A file that is packed, in UTF-16, or has records that span lines.
    case packed(String)
  }

  private let source: Source
  let path: String
  private let limit: UInt64
  private let isStopped = Locked(false)

  /// - Parameters:
  ///   - path: The file to create; nothing may exist there.
  ///   - limit: Maximum size of the file in bytes.
  init(_ source: Source, to path: String, limit: UInt64 = Spool.limit) {
    self.source = source
    self.path = path
    self.limit = limit
  }

  /// Creates the file and copies on a separate thread.
  ///
  /// - Parameter report: Called on that thread with what is missing at the end, as text that follows the source's name.
  /// - Throws: `FileFailure` if the file cannot be created or the source cannot be opened.
  func start(report: @escaping @Sendable (String) -> Void) throws(FileFailure) {
    let ends = try open()
    SystemThread.start("spool") { [self] in
      defer { close(ends) }
      if let problem = copy(from: ends.input, to: ends.output, follows: source != .standardInput) {
        report(problem)
      }
    }
  }

  /// Copies everything at once.
  ///
  /// - Returns: What is missing at the end, as text that follows the source's name; `nil` if nothing is.
  /// - Throws: `FileFailure` if the file cannot be created or the source cannot be opened.
  func run() throws(FileFailure) -> String? {
    let ends = try open()
    defer { close(ends) }
    return copy(from: ends.input, to: ends.output, follows: false)
  }

  /// Requests the copying to end, without waiting for a read that blocks.
  func stop() { isStopped.withLock { $0 = true } }

  private typealias Ends = (input: Int32, output: Int32)

  private func open() throws(FileFailure) -> Ends {
    let output = try Posix.open(path, flags: O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600)
    guard case .packed(let packed) = source else { return (STDIN_FILENO, output) }
    do throws(FileFailure) { return (try Posix.open(packed), output) } catch {
      Posix.close(output)
      throw error
    }
  }

  private func close(_ ends: Ends) {
    Posix.close(ends.output)
    if source != .standardInput { Posix.close(ends.input) }
  }

  /// - Parameter follows: True to wait for what is appended to a file that is not packed.
  private func copy(from input: Int32, to output: Int32, follows: Bool) -> String? {
    let stream = PlainStream(descriptor: input, follows: follows)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferSize, alignment: 16)
    defer { buffer.deallocate() }
    var written: UInt64 = 0
    var endsLine = true
    do throws(FileFailure) {
      while !isStopped.withLock({ $0 }) {
        let count = try stream.read(into: buffer)
        guard count > 0 else {
          guard stream.canGrow else { break }
          usleep(Self.growthPause)
          continue
        }
        guard written + UInt64(count) <= limit else {
          return "is longer than \(limit >> 20) MiB; only its beginning is shown"
        }
        try Posix.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: output)
        written += UInt64(count)
        endsLine = buffer[count - 1] == Self.newline
      }
      // The source has ended, so the rest is a whole line; without a newline, a follower of the file would wait for
      // more.
      if !endsLine, written < limit, !isStopped.withLock({ $0 }) {
        buffer[0] = Self.newline
        try Posix.write(UnsafeRawBufferPointer(rebasing: buffer[..<1]), to: output)
      }
      return stream.note?.text
    } catch {
      return "can no longer be read or kept: \(error.text)"
    }
  }
}

/// The files of a command line, some of them spooled.
struct SpooledOperands {
  /// The files to read, in the order given.
  let paths: [String]
  let spools: [(name: String, spool: Spool)]

  /// True if any operand has to be spooled.
  static func isNeeded(for paths: [String]) -> Bool {
    paths.contains { $0 == "-" || StreamedFile.isNeeded($0) }
  }

  /// - Parameter folder: The folder of the spool files.
  init(_ paths: [String], in folder: URL) {
    var spools: [(name: String, spool: Spool)] = []
    var names: Set<PathKey> = []
    self.paths = paths.map { path in
      guard path == "-" || StreamedFile.isNeeded(path) else { return path }
      let name = Self.name(for: path, besides: &names)
      let file = PathParts.join(folder.path, name)
      spools.append((path, Spool(path == "-" ? .standardInput : .packed(path), to: file)))
      return file
    }
    self.spools = spools
  }

  /// A unique name that lets the user recognize the source.
  private static func name(for path: String, besides names: inout Set<PathKey>) -> String {
    let last = path == "-" ? "standard input" : PathParts.end(of: path)
    let ending = [".gz", ".xz", ".zst", ".bz2"].first { last.lowercased().hasByteSuffix($0) }
    let plain = ending.map { String(Substring(last.utf8.dropLast($0.utf8.count))) } ?? last
    var (name, number) = (plain.isEmpty ? "unpacked" : plain, 2)
    while !names.insert(PathKey(name)).inserted {
      name = "\(number)-\(plain)"
      number += 1
    }
    return name
  }
}
