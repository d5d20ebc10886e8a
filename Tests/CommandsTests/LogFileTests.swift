import Foundation
import TestSupport
import Testing

@testable import Commands

@Suite("Log file")
struct LogFileTests {
  @Test("is made with its folder, for its owner alone, and grows by lines")
  func append() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("state/mistertop/mistertop.log")
    let log = LogFile(path: path)
    log.append("one")
    log.append("two")
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(lines.map { $0.split(separator: " ").last } == ["one", "two"])
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test("a log that cannot be written does no harm")
  func unwritable() {
    LogFile(path: "/dev/null/no/log").append("lost")
  }

  @Test("a log or a folder of another account is not written to", .enabled(if: geteuid() == 0))
  func foreign() throws {
    let folder = try TemporaryFolder()
    let log = try folder.write("", to: "log")
    #expect(chown(log, 65534, 65534) == 0 && chmod(log, 0o666) == 0)
    LogFile(path: log).append("secret")
    #expect(try Data(contentsOf: URL(fileURLWithPath: log)).isEmpty)
    #expect(chown(folder.url.path, 65534, 65534) == 0)
    LogFile(path: folder.path("new")).append("secret")
    #expect(!FileManager.default.fileExists(atPath: folder.path("new")))
  }

  @Test("a FIFO or a link in its place is neither waited for nor written through")
  func planted() throws {
    let folder = try TemporaryFolder()
    let fifo = folder.path("fifo")
    #expect(mkfifo(fifo, 0o600) == 0)
    LogFile(path: fifo).append("lost")
    let victim = try folder.write("keys", to: "victim")
    #expect(symlink(victim, folder.path("link")) == 0)
    LogFile(path: folder.path("link")).append("lost")
    #expect(try String(contentsOfFile: victim, encoding: .utf8) == "keys")
  }
}
