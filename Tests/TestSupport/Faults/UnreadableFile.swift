import Foundation
import Platform

/// A file that its owner may not read, be he root.
package enum UnreadableFile {
  /// Root may write to it alone.
  private static let system = "/proc/sys/vm/compact_memory"

  /// True if this machine has one.
  package static var exists: Bool { geteuid() != 0 || Posix.isTaken(system) }

  /// Puts one, or a link to one, where nothing is.
  package static func put(at path: String) throws {
    let result = geteuid() == 0 ? symlink(system, path) : close(open(path, O_CREAT | O_EXCL, 0))
    if result != 0 { throw FileFailure.last }
  }
}
