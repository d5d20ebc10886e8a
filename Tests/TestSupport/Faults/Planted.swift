import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Traps placed by another account where the program is about to write.
package enum Planted: String, CaseIterable {
  case link, danglingLink, fifo, folder, secondName

  /// Places the trap at a path; `victim` is the file that must not change.
  package func put(at path: String, victim: String) throws {
    switch self {
    case .link: try Self.require(symlink(victim, path) == 0)
    case .danglingLink: try Self.require(symlink(victim + "-new", path) == 0)
    case .fifo: try Self.require(mkfifo(path, 0o666) == 0)
    case .folder: try Self.require(mkdir(path, 0o777) == 0)
    case .secondName: try Self.require(giveSecondName(victim, path) == 0)
    }
  }

  private static func require(_ isDone: Bool) throws {
    if !isDone { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }
}

// In the scope of the enumeration, `link` is a case.
private func giveSecondName(_ file: String, _ name: String) -> Int32 { link(file, name) }
