import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A small file system of its own, mounted where no one else sees it; it goes with the value, or with the test.
///
/// A process in a mount namespace of its own holds it, and ends when the test does: nothing stays mounted.
package final class MountedFileSystem: Sendable {
  package enum Kind: Sendable {
    /// In memory, with at most so many bytes.
    case memory(bytes: Int)
    /// ext4 in an image of so many bytes on a loop device; an error turns it read-only. Needs root.
    case ext4(bytes: Int)
  }

  /// The folder in which it lies.
  package let folder: String
  /// The loop device's name, such as `loop3`, if there is one.
  package let device: String?

  private let place: TemporaryFolder
  private let holder: ChildProcess
  private let bytesAtStart: Int

  /// Mounts it; `nil` if the machine does not let us.
  package init?(_ kind: Kind) throws {
    place = try TemporaryFolder()
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
    commands += "echo \"mounted $(findmnt -n -o SOURCE \"$1\")\" && exec cat"
    let space = isRoot ? ["--mount"] : ["--user", "--map-root-user", "--mount"]
    guard ChildProcess.isInstalled("unshare") else { return nil }
    holder = try ChildProcess(
      "unshare",
      space + ["--propagation", "private", "sh", "-c", commands, "sh", target, place.path("image")],
      input: .untilForgotten, output: output)
    var said = ""
    while holder.isRunning, !said.hasSuffix("\n") {
      usleep(1_000)
      said = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
    }
    guard said.hasPrefix("mounted") else { return nil }
    folder = "/proc/\(holder.identifier)/root\(target)"
    device = said.contains("/dev/") ? said.split(separator: "/").last.map { String($0.dropLast()) } : nil
    bytesAtStart = Self.bytesFree(in: folder)
  }

  /// The path of a file in it.
  package func path(_ name: String) -> String { "\(folder)/\(name)" }

  /// Fills it but for about `spare` bytes.
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

  /// Gives the space back, and waits until it is there.
  package func free() {
    var ballast = stat()
    guard stat(path("ballast"), &ballast) == 0 else { return }
    unlink(path("ballast"))
    waitUntil { bytesFree in bytesFree >= ballast.st_blocks * 512 / 2 }
  }

  /// Waits until all space is free again; `false` if it does not come, as when somebody keeps a removed file open.
  package func waitUntilEmpty() -> Bool { waitUntil { $0 >= bytesAtStart } }

  @discardableResult
  private func waitUntil(_ isEnough: (_ bytesFree: Int) -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(10)
    while ContinuousClock.now < deadline {
      // ext4 gives the blocks of a removed file back only when its journal has been written, and the journal's own
      // thread counts them as free a moment after that.
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
