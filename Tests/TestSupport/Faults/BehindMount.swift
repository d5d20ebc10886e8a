import Foundation

/// A folder that is seen through a FUSE mount, so that changes in the folder itself send no events to those who watch the
/// mount: as on NFS, SMB, WSL and Docker Desktop.
package final class BehindMount {
  /// The folder itself.
  package let behind: String
  /// The same contents through the mount.
  package let mount: String
  private let folder: TemporaryFolder

  /// - Returns: `nil` if this machine cannot mount one.
  package init?() throws {
    folder = try TemporaryFolder()
    (behind, mount) = (folder.path("behind"), folder.path("mount"))
    mkdir(behind, 0o755)
    mkdir(mount, 0o755)
    guard (try? ChildProcess("bindfs", [behind, mount]).wait()) == .exited(0) else { return nil }
  }

  deinit {
    for words in [["fusermount", "-uz", mount], ["umount", "-l", mount]] {
      if (try? ChildProcess(words[0], Array(words.dropFirst())).wait()) == .exited(0) { return }
    }
  }
}
