import Essentials
import JSONLines
import Platform

/// Copies what can be read only once, or only unpacked, into a file of this session, where it can be read at any place
/// while it still comes in.
///
/// The file is readable by its owner alone. Standard input that ends nowhere is kept up to a limit.
final class Spool: Sendable {
  /// How large the file becomes at most, in bytes: 4 GiB.
  static let limit: UInt64 = 4 << 30
  private static let bufferSize = 256 << 10
  private static let newline = UInt8(ascii: "\n")

  enum Source: Equatable, Sendable {
    case standardInput
    case packed(String)
  }

  private let source: Source
  /// The file.
  let path: String
  private let limit: UInt64
  private let isStopped = Locked(false)

  /// - Parameters:
  ///   - path: Where nothing is yet.
  ///   - limit: How large the file becomes at most, in bytes.
  init(_ source: Source, to path: String, limit: UInt64 = Spool.limit) {
    self.source = source
    self.path = path
    self.limit = limit
  }

  /// Makes the file and copies on a thread of its own.
  ///
  /// - Parameter report: Called on that thread with what is missing at the end, in words behind the name of the source.
  /// - Throws: `FileFailure` where the file cannot be made, or the source not be opened.
  func start(report: @escaping @Sendable (String) -> Void) throws(FileFailure) {
    let ends = try open()
    SystemThread.start("spool") { [self] in
      defer { close(ends) }
      if let problem = copy(from: ends.input, to: ends.output) { report(problem) }
    }
  }

  /// Copies all at once.
  ///
  /// - Returns: What is missing at the end, in words.
  /// - Throws: `FileFailure` where the file cannot be made, or the source not be opened.
  func run() throws(FileFailure) -> String? {
    let ends = try open()
    defer { close(ends) }
    return copy(from: ends.input, to: ends.output)
  }

  /// Lets the copying end; a read that waits for input is not waited for.
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

  private func copy(from input: Int32, to output: Int32) -> String? {
    let stream = PlainStream(descriptor: input)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferSize, alignment: 16)
    defer { buffer.deallocate() }
    var written: UInt64 = 0
    var endsLine = true
    do throws(FileFailure) {
      while !isStopped.withLock({ $0 }), case let count = try stream.read(into: buffer), count > 0 {
        guard written + UInt64(count) <= limit else {
          return "is kept up to \(limit >> 20) MiB; the rest is not shown"
        }
        try Posix.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: output)
        written += UInt64(count)
        endsLine = buffer[count - 1] == Self.newline
      }
      // Nothing more can come, so the rest is a line; a follower of the file would wait for its end.
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
  /// The files to be read, in the order given.
  let paths: [String]
  let spools: [(name: String, spool: Spool)]

  /// True if one of the operands has to be spooled.
  static func isNeeded(for paths: [String]) -> Bool {
    paths.contains { $0 == "-" || GzipFile.isPacked($0) }
  }

  /// - Parameter folder: Where the files are made.
  init(_ paths: [String], in folder: URL) {
    var spools: [(name: String, spool: Spool)] = []
    var names: Set<PathKey> = []
    self.paths = paths.map { path in
      guard path == "-" || GzipFile.isPacked(path) else { return path }
      let name = Self.name(for: path, besides: &names)
      let file = PathParts.join(folder.path, name)
      spools.append((path, Spool(path == "-" ? .standardInput : .packed(path), to: file)))
      return file
    }
    self.spools = spools
  }

  /// A name by which a person knows the source, and that no other one has.
  private static func name(for path: String, besides names: inout Set<PathKey>) -> String {
    let last = path == "-" ? "standard input" : PathParts.end(of: path)
    let plain = last.lowercased().hasByteSuffix(".gz") ? String(Substring(last.utf8.dropLast(3))) : last
    var (name, number) = (plain.isEmpty ? "unpacked" : plain, 2)
    while !names.insert(PathKey(name)).inserted {
      name = "\(number)-\(plain)"
      number += 1
    }
    return name
  }
}
