import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A small file system of its own, mounted where nothing else sees it; it is removed with the value or the test.
///
/// It belongs to a process in its own mount namespace, which ends when the test does: nothing stays mounted.
package final class MountedFileSystem: Sendable {
  package enum Kind: Sendable {
    /// In memory, with a maximum size in bytes.
    case memory(bytes: Int)
    /// ext4 in an image of this size in bytes on a loop device; errors make it read-only. Needs root.
    case ext4(bytes: Int)
  }

  /// The mount point.
  package let folder: String
  /// The name of the loop device, such as `loop3`, if there is one.
  package let device: String?

  private let place: TemporaryFolder
  private let holder: ChildProcess
  private let bytesAtStart: Int
  private let isVisible: Bool

  deinit {
    if isVisible { _ = try? ChildProcess("umount", ["--lazy", folder]).wait() }
  }

  /// Mounts the file system; `nil` if the machine does not allow it.
  ///
  /// - Parameter isVisible: True to mount it for all processes, for libraries that resolve links, as SQLite does; needs
  ///   root. It goes with the value, or with the process.
  package init?(_ kind: Kind, isVisible: Bool = false) throws {
    place = try TemporaryFolder()
    self.isVisible = isVisible
    let (target, output) = (place.path("mount"), place.path("output"))
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
    let isRoot = geteuid() == 0
    var commands: String
    switch kind {
    case .memory(let bytes): commands = "mount -t tmpfs -o size=\(bytes) none \"$1\" && "
    case .ext4(let bytes):
      guard isRoot, ChildProcess.isInstalled("mkfs.ext4") else { return nil }
      commands =
        "truncate -s \(bytes) \"$2\" && mkfs.ext4 -q -m 0 \"$2\" >/dev/null && "
        + "mount -o loop,errors=remount-ro \"$2\" \"$1\" && "
    }
    commands += "echo \"mounted $(findmnt -n -o SOURCE \"$1\")\" && "
    commands += isVisible ? "cat; umount --lazy \"$1\"" : "exec cat"
    let space = isRoot ? ["--mount"] : ["--user", "--map-root-user", "--mount"]
    guard ChildProcess.isInstalled("unshare"), isRoot || !isVisible else { return nil }
    let (program, arguments) =
      isVisible ? ("sh", []) : ("unshare", space + ["--propagation", "private", "sh"])
    holder = try ChildProcess(
      program, arguments + ["-c", commands, "sh", target, place.path("image")], input: .untilForgotten,
      output: output)
    var said = ""
    while holder.isRunning, !said.hasSuffix("\n") {
      usleep(1_000)
      said = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
    }
    guard said.hasPrefix("mounted") else { return nil }
    folder = isVisible ? target : "/proc/\(holder.identifier)/root\(target)"
    device = said.contains("/dev/") ? said.split(separator: "/").last.map { String($0.dropLast()) } : nil
    bytesAtStart = Self.bytesFree(in: folder)
  }

  /// The path of a file in it.
  package func path(_ name: String) -> String { "\(folder)/\(name)" }

  /// Fills the file system except for about `spare` bytes.
  package func fill(sparing spare: Int) {
    let descriptor = open(path("ballast"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    var block = [UInt8](repeating: 1, count: 65_536)
    while !block.isEmpty {
      let written = write(descriptor, block, block.count)
      if written <= 0 { block.removeLast((block.count + 1) / 2) }
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return }
    _ = ftruncate(descriptor, max(0, status.st_size - off_t(spare)))
  }

  /// Frees that space again, and waits until it is available.
  package func free() {
    var ballast = stat()
    guard stat(path("ballast"), &ballast) == 0 else { return }
    unlink(path("ballast"))
    waitUntil { bytesFree in bytesFree >= ballast.st_blocks * 512 / 2 }
  }

  /// Waits until all space is free again; `false` if it does not become free, for example because a removed file is
  /// open.
  package func waitUntilEmpty() -> Bool { waitUntil { $0 >= bytesAtStart } }

  @discardableResult
  private func waitUntil(_ isEnough: (_ bytesFree: Int) -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(10)
    while ContinuousClock.now < deadline {
      // ext4 frees the blocks of a removed file only when its journal has been written, and the journal's own thread
      // counts them as free a moment later.
      let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
      fsync(descriptor)
      close(descriptor)
      if isEnough(Self.bytesFree(in: folder)) { return true }
      usleep(1_000)
    }
    return false
  }

  private static func bytesFree(in folder: String) -> Int {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { return 0 }
    return Int(status.f_bavail) * Int(status.f_frsize)
  }
}
