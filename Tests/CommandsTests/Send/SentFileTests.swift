import DeliveryCore
import Foundation
import HTTPClient
import Platform
import TestSupport
import Testing

@testable import Commands

@Suite("The file that is sent")
struct SentFileTests {
  /// The fate of a file that is no longer written.
  enum End: CaseIterable {
    case removed, packed
  }

  private static let opened = #"{"type":"track","event":"app_opened"}"#

  private func append(_ lines: [String], to path: String) throws {
    let old = FileManager.default.contents(atPath: path) ?? Data()
    try (old + Data(lines.map { $0 + "\n" }.joined().utf8)).write(to: URL(fileURLWithPath: path))
  }

  private func end(_ end: End, of path: String) throws {
    if end == .packed {
      let content = try Data(contentsOf: URL(fileURLWithPath: path))
      try BodyCompression.gzip(content).write(to: URL(fileURLWithPath: path + ".gz"))
    }
    try FileManager.default.removeItem(atPath: path)
  }

  @Test(
    "A new file that begins as the former one did is sent from its start, whatever became of that",
    arguments: End.allCases)
  func alike(end: End) async throws {
    let rig = try SendRig([Self.opened])
    let path = try #require(rig.request.file)
    #expect(await rig.run() == .success)
    #expect(rename(path, path + ".1") == 0)
    try append([Self.opened, #"{"event":"clicked"}"#], to: path)
    try self.end(end, of: path + ".1")
    #expect(await rig.run() == .success)
    #expect(rig.endpoint.taken.map(\.name) == ["app_opened", "app_opened", "clicked"])
    let change = end == .packed ? "it was rotated" : "it is a new file with the same beginning"
    #expect(rig.errors.all.last?.hasSuffix(" (\(change)): it is sent from its start") == true)
  }

  @Test("A new file that got the number of the one that is gone is told from it by when it was made")
  func sameNumber() async throws {
    let rig = try SendRig([Self.opened])
    let path = try #require(rig.request.file)
    let former = try Posix.open(path)
    defer { Posix.close(former) }
    #expect(await rig.run() == .success)
    try #require(Posix.birth(of: former) != nil)
    try FileManager.default.removeItem(atPath: path)
    try append([Self.opened, #"{"event":"clicked"}"#], to: path)
    // As the system gives it where no one has the former one open.
    let number = try #require(Posix.status(at: path)).identity.inode
    try FileKeyValues(path: rig.request.folder + "/position.json").set(String(number), for: "inode")
    #expect(await rig.run() == .success)
    #expect(rig.endpoint.taken.map(\.name) == ["app_opened", "app_opened", "clicked"])
  }

  @Test("However many lines both begin with, a packed predecessor says that the file is a new one")
  func packed() async throws {
    let rig = try SendRig(SendRig.events(0..<3000))
    let path = try #require(rig.request.file)
    #expect(await rig.run() == .success)
    let size = try #require(Posix.status(at: path)).size
    #expect(rename(path, path + ".1") == 0)
    try append(["late"], to: path + ".1")
    try append(SendRig.events(0..<3001), to: path)
    try end(.packed, of: path + ".1")
    #expect(await rig.run() == .success)
    #expect(rig.endpoint.taken.count == 6001)
    #expect(
      rig.errors.all.last?.hasSuffix(
        "from its start; what events.jsonl.1.gz holds from byte \(size) on is not sent by this run") == true)
    // That it is there says nothing of a file that goes on.
    try append(SendRig.events(3001..<3003), to: path + ".new")
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.seekToEnd()
    try file.write(contentsOf: try Data(contentsOf: URL(fileURLWithPath: path + ".new")))
    try file.close()
    #expect(await rig.run() == .success)
    #expect(rig.endpoint.taken.count == 6003)
  }

  @Test("The comparison with a packed predecessor ends with the signal to stop, and is made by the next run")
  func stoppedUnpacking() async throws {
    let rig = try SendRig([Self.opened])
    let path = try #require(rig.request.file)
    #expect(await rig.run() == .success)
    #expect(rename(path, path + ".1") == 0)
    try append([Self.opened, #"{"event":"clicked"}"#], to: path)
    try end(.packed, of: path + ".1")
    rig.stop.raise()
    #expect(await rig.run() == .interrupted)
    #expect(rig.errors.all.isEmpty && rig.endpoint.taken.count == 1)
    rig.stop.clear()
    #expect(await rig.run() == .success)
    #expect(rig.errors.all.last?.hasSuffix(" (it was rotated): it is sent from its start") == true)
    #expect(rig.endpoint.taken.map(\.name) == ["app_opened", "app_opened", "clicked"])
  }

  @Test("A copy in place of the file is gone on with, if its lines are such as nobody writes twice")
  func copied() async throws {
    let rig = try SendRig(SendRig.events(0..<4))
    let path = try #require(rig.request.file)
    #expect(await rig.run() == .success)
    try FileManager.default.copyItem(atPath: path, toPath: path + ".new")
    try append(SendRig.events(4..<6), to: path + ".new")
    #expect(rename(path + ".new", path) == 0)
    #expect(await rig.run() == .success)
    rig.expectEvents(0..<6)
    // A rotated file may have got the number of the one that is gone.
    let other = try #require(Posix.status(at: try rig.folder.write("another\n", to: "events.jsonl.2")))
      .identity
    let values = FileKeyValues(path: rig.request.folder + "/position.json")
    try values.update(["inode": String(other.inode), "device": String(other.device), "born": nil])
    #expect(await rig.run() == .success)
    rig.expectEvents(0..<6)
  }

  @Test("A position of an earlier version, which says nothing of when the file was made, is gone on from")
  func formerPosition() async throws {
    let rig = try SendRig([Self.opened])
    #expect(await rig.run() == .success)
    let values = FileKeyValues(path: rig.request.folder + "/position.json")
    #expect(
      values.value("born")
        == Posix.birth(of: try Posix.open(try #require(rig.request.file))).map { String($0) })
    try values.set(nil, for: "born")
    #expect(await rig.run() == .success)
    try values.update(["born": nil, "device": nil, "inode": nil])
    #expect(await rig.run() == .success)
    #expect(rig.endpoint.taken.count == 1)
  }

  @Test("What has changed since the last run is told")
  func changes() async throws {
    let rig = try SendRig(SendRig.events(0..<5))
    let path = try #require(rig.request.file)
    #expect(await rig.run() == .success)
    let changes: [(lines: [String], isMoved: Bool, reason: String)] = [
      (SendRig.events(0..<3), false, "it ends before byte 150, where the last run ended"),
      (SendRig.events(6..<12), false, "its content before byte 90, where the last run ended, has changed"),
      ([], true, "it was rotated"),
    ]
    for change in changes {
      if change.isMoved { #expect(rename(path, path + ".1") == 0) }
      try Data(change.lines.map { $0 + "\n" }.joined().utf8).write(to: URL(fileURLWithPath: path))
      #expect(await rig.run() == .success)
      #expect(
        rig.errors.all.last
          == "mistertop send: the file has changed since the last run (\(change.reason)): it is sent from its start"
      )
    }
  }

  @Test("A file that is written anew while it is sent, and begins as it did, is sent from its start again")
  func alikeMeanwhile() async throws {
    let rig = try SendRig(SendRig.events(0..<900))
    let path = try #require(rig.request.file)
    rig.endpoint.onPost { number in
      guard number == 1, let file = FileHandle(forWritingAtPath: path) else { return }
      let lines = SendRig.events(0..<300) + SendRig.events(1300..<2000)
      try? file.truncate(atOffset: 0)
      try? file.write(contentsOf: Data(lines.map { $0 + "\n" }.joined().utf8))
    }
    #expect(await rig.run() == .success)
    let numbers = Array(0..<900) + Array(0..<300) + Array(1300..<2000)
    #expect(rig.endpoint.taken.map(\.name) == numbers.map { "e\($0)" })
  }

  @Test("What was rotated is looked for beside the file that a link leads to, too")
  func link() async throws {
    let rig = try SendRig([])
    try FileManager.default.createDirectory(
      atPath: rig.folder.path("logs"), withIntermediateDirectories: false)
    let path = try rig.folder.write(SendRig.events(0..<5).map { $0 + "\n" }.joined(), to: "logs/app.jsonl")
    rig.request.file = rig.folder.path("current")
    #expect(symlink(path, rig.folder.path("current")) == 0)
    #expect(await rig.run() == .success)
    #expect(rename(path, path + ".1") == 0)
    try append(SendRig.events(0..<7), to: path)
    #expect(await rig.run() == .success)
    #expect(rig.endpoint.taken.map(\.name) == (Array(0..<5) + Array(0..<7)).map { "e\($0)" })
  }

  @Test(
    "A file that was copied, cut and begins alike is sent from its start; one that was only copied is gone on with",
    arguments: [("", true), (".gz", true), ("", false)])
  func copiedAndCut(ending: String, isCut: Bool) async throws {
    let rig = try SendRig([Self.opened])
    let path = try #require(rig.request.file)
    #expect(await rig.run() == .success)
    let content = try Data(contentsOf: URL(fileURLWithPath: path))
    let copy = ending.isEmpty ? content : try BodyCompression.gzip(content)
    try copy.write(to: URL(fileURLWithPath: path + (isCut ? ".1" : ".bak") + ending))
    let file = try #require(FileHandle(forWritingAtPath: path))
    if isCut { try file.truncate(atOffset: 0) } else { try file.seekToEnd() }
    let lines = (isCut ? [Self.opened] : []) + [#"{"event":"clicked"}"#]
    try file.write(contentsOf: Data(lines.map { $0 + "\n" }.joined().utf8))
    try file.close()
    #expect(await rig.run() == .success)
    let names = ["app_opened"] + (isCut ? ["app_opened"] : []) + ["clicked"]
    #expect(rig.endpoint.taken.map(\.name) == names)
    #expect(await rig.run() == .success)
    #expect(rig.endpoint.taken.count == names.count)
  }

  @Test("A file that was copied to a rotated name, removed and made anew is sent from its start")
  func copiedAndRemoved() async throws {
    let rig = try SendRig(SendRig.events(0..<5))
    let path = try #require(rig.request.file)
    #expect(await rig.run() == .success)
    try append(SendRig.events(0..<5), to: path + ".1")
    #expect(rename(path, rig.folder.path("elsewhere")) == 0)
    try append(SendRig.events(0..<7), to: path)
    #expect(await rig.run() == .success)
    #expect(rig.endpoint.taken.map(\.name) == (Array(0..<5) + Array(0..<7)).map { "e\($0)" })
  }

  @Test("Of a file that was copied and cut it is told what the copy holds that was not sent")
  func lateBeforeCut() async throws {
    let rig = try SendRig(SendRig.events(0..<5))
    let path = try #require(rig.request.file)
    #expect(await rig.run() == .success)
    let file = try #require(FileHandle(forWritingAtPath: path))
    try append(SendRig.events(0..<6), to: path + ".1")
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: Data(SendRig.events(6..<7).map { $0 + "\n" }.joined().utf8))
    try file.close()
    #expect(await rig.run() == .success)
    #expect(
      rig.errors.all.last?.hasSuffix(
        "(it was rotated): it is sent from its start; what events.jsonl.1 holds from byte 150 on is not sent by this run"
      ) == true)
  }

  @Test("Of a file that is copied and cut while it is sent it is told what the copy holds that was not sent")
  func copiedAndCutMeanwhile() async throws {
    let rig = try SendRig(SendRig.events(0..<1100))
    let path = try #require(rig.request.file)
    let end = SendRig.events(0..<1000).reduce(0) { $0 + $1.utf8.count + 1 }
    rig.endpoint.onPost { number in
      guard number == 1, let file = FileHandle(forWritingAtPath: path) else { return }
      try? Data(contentsOf: URL(fileURLWithPath: path)).write(to: URL(fileURLWithPath: path + ".1"))
      try? file.truncate(atOffset: 0)
      try? file.write(contentsOf: Data(SendRig.events(2000..<2003).map { $0 + "\n" }.joined().utf8))
    }
    #expect(await rig.run() == .success)
    #expect(rig.endpoint.taken.suffix(3).map(\.name) == ["e2000", "e2001", "e2002"])
    #expect(
      rig.errors.all == [
        "mistertop send: the file was truncated or replaced and is sent from its start; "
          + "what events.jsonl.1 holds from byte \(end) on is not sent by this run"
      ])
  }
}
