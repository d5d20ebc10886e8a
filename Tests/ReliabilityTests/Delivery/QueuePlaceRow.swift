import DeliveryCore
import Foundation
import Platform
import TestDelivery
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Q10: folders that cannot hold a disk queue.
extension FaultMatrix {
  @Test func `Q10: a client whose folder cannot be used says so, works in memory, and changes nothing there`()
    async throws
  {
    try await Self.row("Q10") { run in
      let user = OtherUser()
      for place in QueuePlace.allCases where user != nil || !place.needsOtherUser {
        try place.check(by: user, into: &run.tally)
        run.add(rounds: 1)
      }
      run.note = user == nil ? "no other user can run the client: without what needs rights" : "as user 65534"
    }
  }
}

/// Possible things in the place of the folder.
private enum QueuePlace: CaseIterable {
  case file, fileAbove, danglingLink, circularLink, lockIsFolder, usedFolder
  case readOnlyFolder, readOnlyFolderAbove, foreignFolder, foreignLock

  var needsOtherUser: Bool {
    switch self {
    case .file, .fileAbove, .danglingLink, .circularLink, .lockIsFolder, .usedFolder: false
    case .readOnlyFolder, .readOnlyFolderAbove, .foreignFolder, .foreignLock: true
    }
  }

  func check(by user: OtherUser?, into tally: inout MatrixRun.Tally) throws {
    let bench = try DeliveryBench()
    chmod(bench.folder.url.path, 0o777)
    mkdir(bench.folder.path("home"), 0o777)
    chmod(bench.folder.path("home"), 0o777)
    let queue = bench.folder.path(
      self == .fileAbove || self == .readOnlyFolderAbove ? "home/above/queue" : "home/queue")
    let held = try prepare(queue)
    let before = try Self.state(of: bench.folder.path("home"))
    let worker = try bench.start(
      "count=30", "calm=1", "queue=\(queue)", wrapper: user?.wrapper ?? [], by: user?.program)
    tally.bad += worker.wait() == .exited(0) ? 0 : 1
    tally.bad +=
      bench.output.contains("Events are kept in memory alone: ") && bench.output.contains(queue) ? 0 : 1
    tally.bad += try Self.state(of: bench.folder.path("home")) == before ? 0 : 1
    let delivered = EndpointRecord(path: bench.folder.path("client.endpoint")).settled.count
    tally.expected += 30
    tally.got += delivered
    tally.lost += 30 - delivered
    _ = held
  }

  /// Makes the place what it is.
  ///
  /// - Returns: Who uses it.
  private func prepare(_ queue: String) throws -> SegmentedEventStorage? {
    let above = PathParts(queue).directory
    switch self {
    case .file: try QueueFiles(above).write([1, 2, 3], to: queue)
    case .fileAbove: try QueueFiles(above).write([1, 2, 3], to: above)
    case .danglingLink: symlink("/nowhere/queue", queue)
    case .circularLink: symlink(queue, queue)
    case .lockIsFolder:
      mkdir(queue, 0o777)
      mkdir(PathParts.join(queue, "queue.lock"), 0o777)
    case .usedFolder, .readOnlyFolder, .foreignFolder, .foreignLock:
      let storage = try QueueFiles.open(queue)
      try storage.append(EventSamples.events(0..<5))
      if self == .usedFolder { return storage }
      chmod(queue, self == .readOnlyFolder ? 0o555 : self == .foreignFolder ? 0o700 : 0o777)
    case .readOnlyFolderAbove: mkdir(above, 0o555)
    }
    return nil
  }

  /// All names below a folder with their sizes and rights.
  private static func state(of folder: String) throws -> [String] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
    return names.sorted().map { name in
      let status = Posix.status(at: PathParts.join(folder, name))
      return "\(name) \(status?.size ?? 0) \(status?.permissions ?? 0)"
    }
  }
}

/// The client where a user without rights can run it.
private struct OtherUser {
  let program: String
  let wrapper = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
  private let folder: TemporaryFolder

  /// `nil` if that is not to be had.
  init?() {
    guard getuid() == 0, ChildProcess.isInstalled("setpriv"), let folder = try? TemporaryFolder(),
      let built = try? ChildProcess.program("delivery-worker")
    else { return nil }
    self.folder = folder
    program = folder.path("delivery-worker")
    chmod(folder.url.path, 0o755)
    guard (try? FileManager.default.copyItem(atPath: built, toPath: program)) != nil else { return nil }
    // Without arguments it ends at once.
    let words = wrapper + [program]
    guard let trial = try? ChildProcess(words[0], Array(words.dropFirst())), trial.wait() == .exited(2) else {
      return nil
    }
  }
}
