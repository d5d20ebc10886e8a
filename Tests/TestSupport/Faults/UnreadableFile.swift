import Foundation
import Platform

/// A file that its owner cannot read, even as root.
package enum UnreadableFile {
  /// A file that even root may only write.
  private static let system = "/proc/sys/vm/compact_memory"

  /// True if this machine has such a file.
  package static var exists: Bool { geteuid() != 0 || Posix.isTaken(system) }

  /// Creates such a file, or a link to one, at a path where nothing exists.
  package static func put(at path: String) throws {
    let result = geteuid() == 0 ? symlink(system, path) : close(open(path, O_CREAT | O_EXCL, 0))
    if result != 0 { throw FileFailure.last }
  }
}
