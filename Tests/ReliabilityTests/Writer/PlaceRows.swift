import Foundation
import MisterMetricsCore
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// W16: the place of the file changes, goes or is forbidden.
extension FaultMatrix {
  @Test func `W16: after any fault of the file's place the next record lands at once, the rest is counted`()
    async throws
  {
    try await Self.row("W16") { run in
      var worst = 0.0
      let faults = try PlaceFault.allCases.filter { try !$0.needsModes || FaultySite.modesCount }
      while run.goesOn() {
        for fault in faults {
          let site = try FaultySite(fault)
          let (bad, time) = (run.tally.bad, try site.run(into: &run.tally))
          worst = max(worst, time)
          if run.tally.bad > bad { print("W16 \(fault): first record \(time) ms after it") }
        }
      }
      run.note =
        "\(faults.count) of \(PlaceFault.allCases.count) faults a round; first record at most "
        + String(format: "%.0f ms after the fault", worst)
    }
  }
}

/// Changes to the place of a file while a process writes to it.
private enum PlaceFault: CaseIterable {
  case folderRemoved, folderIsFile, folderForbidden
  case replaced, deleted, rotated, forbidden, isFolder, linkLoop
  case noDescriptors

  /// True if it shows only to those whom modes bind.
  var needsModes: Bool { self == .folderForbidden || self == .forbidden }
}

/// A process that writes a record a millisecond, never twice, while a fault comes and goes.
private struct FaultySite {
  private let fault: PlaceFault
  private let bench: WriterBench
  private let writer: RunningWriter
  private let folder: String
  private var files: FileManager { .default }

  init(_ fault: PlaceFault) throws {
    self.fault = fault
    let place = try TemporaryFolder()
    bench = try WriterBench(path: place.path("a/metrics.jsonl"), in: place)
    folder = place.path("a")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for shared in [place.url.path, folder] {
      try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: shared)
    }
    writer = try bench.start("pause=700", wrapper: fault.needsModes ? Self.nobody : [])
  }

  /// Modes say nothing to root, so root becomes no one.
  private static let nobody =
    geteuid() == 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : ["env"]

  /// True if the writer can be somebody whom modes bind.
  static var modesCount: Bool {
    get throws {
      guard ChildProcess.isInstalled(nobody[0]) else { return false }
      let probe = nobody.dropFirst() + ["test", "-x", try ChildProcess.program("metric-writer")]
      return try ChildProcess(nobody[0], Array(probe)).wait() == .exited(0)
    }
  }

  /// - Returns: How long after the fault the first record landed, in milliseconds.
  func run(into tally: inout MatrixRun.Tally) throws -> Double {
    writer.waitForRecords(5)
    tally.bad += writer.process.isRunning ? 0 : 1
    let lines = try begin()
    let reached = writer.table.offered
    writer.waitForRecords(reached + 20)
    let refused = writer.table.countedRefused
    // A fault that only takes the file away refuses nothing: the next record makes it again.
    tally.bad += mustRefuse == (refused > 0) ? 0 : 1
    try clear()
    let cleared = AckTable.now()
    let next = writer.table.offered
    writer.wait {
      (next..<(next + 2_000)).contains { writer.table.acknowledgedAt($0).map { $0 > cleared } ?? false }
    }
    let landed = (next..<(next + 2_000)).lazy.compactMap { writer.table.acknowledgedAt($0) }.first {
      $0 > cleared
    }
    let time = landed.map { Double($0 - cleared) / 1e6 } ?? .infinity
    tally.bad += time <= 1_000 ? 0 : 1
    writer.process.send(SIGTERM)
    writer.process.wait()
    let all = (0..<writer.table.offered).count { writer.table.fate(of: $0) == .refused }
    tally.bad += abs(all - writer.table.countedRefused) <= 1 ? 0 : 1
    try compare(lines, into: &tally)
    return time
  }

  private var mustRefuse: Bool {
    switch fault {
    case .folderRemoved, .replaced, .deleted, .rotated: false
    case .folderIsFile, .folderForbidden, .forbidden, .isFolder, .linkLoop, .noDescriptors: true
    }
  }

  /// Puts the fault in; what others take away meanwhile is kept aside.
  private func begin() throws -> String {
    let aside = bench.folder.path("aside")
    let path = bench.path
    // A writer that finds nothing makes it again, and what it has open is not forbidden any more: it sees all at once.
    if mustRefuse { kill(writer.process.identifier, SIGSTOP) }
    defer { kill(writer.process.identifier, SIGCONT) }
    switch fault {
    case .folderRemoved, .folderForbidden: try files.moveItem(atPath: folder, toPath: aside)
    case .folderIsFile:
      try files.moveItem(atPath: folder, toPath: aside)
      try Data().write(to: URL(fileURLWithPath: folder))
    case .replaced:
      let other = bench.folder.path("other")
      try Data().write(to: URL(fileURLWithPath: other))
      try files.setAttributes([.posixPermissions: 0o666], ofItemAtPath: other)
      link(path, aside)
      rename(other, path)
    case .deleted:
      link(path, aside)
      unlink(path)
    case .rotated, .isFolder, .linkLoop: try files.moveItem(atPath: path, toPath: aside)
    case .forbidden:
      // Another file, as a descriptor that is open stays usable.
      try files.moveItem(atPath: path, toPath: aside)
      try Data().write(to: URL(fileURLWithPath: path))
      try files.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
    case .noDescriptors:
      // Not even the number that is free once the file is closed: it may be the lowest but those of the streams.
      try limitDescriptors("3")
      try files.moveItem(atPath: path, toPath: aside)
    }
    switch fault {
    case .folderForbidden:
      try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try files.setAttributes([.posixPermissions: 0], ofItemAtPath: folder)
    case .isFolder: try files.createDirectory(atPath: path, withIntermediateDirectories: true)
    case .linkLoop: try files.createSymbolicLink(atPath: path, withDestinationPath: path)
    default: break
    }
    return aside
  }

  private func clear() throws {
    switch fault {
    case .folderRemoved, .replaced, .deleted, .rotated: break
    case .folderIsFile:
      try files.removeItem(atPath: folder)
      try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try files.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
    case .folderForbidden: try files.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
    case .forbidden: try files.setAttributes([.posixPermissions: 0o666], ofItemAtPath: bench.path)
    case .isFolder, .linkLoop: try files.removeItem(atPath: bench.path)
    case .noDescriptors: try limitDescriptors("1000")
    }
  }

  private func limitDescriptors(_ limit: String) throws {
    let words = ["--pid", "\(writer.process.identifier)", "--nofile=\(limit):"]
    guard try ChildProcess("prlimit", words).wait() == .exited(0) else {
      throw ChildProcess.Failure(description: "the limit cannot be set")
    }
  }

  private func compare(_ aside: String, into tally: inout MatrixRun.Tally) throws {
    var isFolder: ObjCBool = false
    let exists = files.fileExists(atPath: aside, isDirectory: &isFolder)
    let old = isFolder.boolValue ? aside + "/metrics.jsonl" : aside
    var ledger = Ledger(tables: bench.tables)
    ledger.deaths = 1
    try ledger.check((exists ? [old] : []) + [bench.path], into: &tally)
  }
}
