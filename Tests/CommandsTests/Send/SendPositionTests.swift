import Foundation
import Platform
import TestSupport
import Testing

@testable import Commands

@Suite("How far send came")
struct SendPositionTests {
  @Test(
    "What does not say how far earlier runs came has nothing sent again, until that is asked for",
    arguments: [#"{"off"#, "", "{}", #"{"offset":"-1","time":"1","marker":"0"}"#, "[]"])
  func damagedPosition(content: String) async throws {
    let rig = try SendRig(SendRig.events(0..<5))
    #expect(await rig.run() == .success)
    let position = try rig.folder.write(content, to: "queue/position.json")
    for _ in 0..<2 {
      #expect(await rig.run() == .failed)
      #expect(
        rig.errors.all.last?.hasPrefix("mistertop send: \(position) is damaged, so the position")
          == true)
      #expect(
        rig.errors.all.last?.hasSuffix("nothing was sent; --from-start sends the file from its start") == true
      )
    }
    rig.expectEvents(0..<5)
    #expect(try String(contentsOfFile: position, encoding: .utf8) == content)
    rig.request.fromStart = true
    #expect(await rig.run() == .success)
    #expect(rig.endpoint.taken.count == 10)
    #expect(rig.errors.all.last?.hasSuffix("is damaged; it is kept as \(position).damaged") == true)
    #expect(try String(contentsOfFile: position + ".damaged", encoding: .utf8) == content)
    rig.request.fromStart = false
    #expect(await rig.run() == .success)
    #expect(rig.endpoint.taken.count == 10)
  }

  @Test(
    "A position that the system does not let be read has nothing sent, and is not replaced",
    .enabled(if: UnreadableFile.exists))
  func unreadablePosition() async throws {
    let rig = try SendRig(SendRig.events(0..<5))
    #expect(await rig.run() == .success)
    let position = rig.folder.path("queue/position.json")
    #expect(rename(position, position + ".kept") == 0)
    try UnreadableFile.put(at: position)
    for fromStart in [false, true] {
      rig.request.fromStart = fromStart
      #expect(await rig.run() == .failed)
      #expect(
        rig.errors.all.last == "mistertop send: \(position): Permission denied; "
          + "it has the position of earlier runs, so nothing was sent")
    }
    #expect(throws: FileFailure.denied) { try Posix.open(position) }
    #expect(rename(position + ".kept", position) == 0)
    rig.request.fromStart = false
    #expect(await rig.run() == .success)
    rig.expectEvents(0..<5)
  }

  @Test("A damaged identity is told of and kept, and there is a new one")
  func damagedIdentity() async throws {
    let rig = try SendRig(SendRig.events(0..<5))
    try FileManager.default.createDirectory(atPath: rig.request.folder, withIntermediateDirectories: false)
    let identity = try rig.folder.write("{", to: "queue/identity.json")
    #expect(await rig.run() == .success)
    #expect(
      rig.errors.all == ["mistertop send: The stored identity is damaged: the anonymous id is a new one"])
    #expect(try String(contentsOfFile: identity + ".damaged", encoding: .utf8) == "{")
    rig.expectEvents(0..<5)
  }

  @Test("A damaged event on disk is told of and counted, and keeps no other from being sent")
  func damagedEvent() async throws {
    let rig = try SendRig(SendRig.events(0..<5))
    rig.endpoint.answer(always: 503)
    #expect(await rig.run() == .failed)
    let queue = rig.request.folder + "/disk-queue"
    let name = try #require(try Posix.names(in: queue).first { $0 != "queue.lock" })
    let file = URL(fileURLWithPath: queue + "/" + name)
    var content = try Data(contentsOf: file)
    content[content.count / 2] ^= 0xFF
    try content.write(to: file)
    rig.endpoint.answer(always: nil)
    #expect(await rig.run() == .failed)
    #expect(rig.endpoint.taken.map(\.name) == ["e0", "e1", "e3", "e4"])
    #expect(
      rig.errors.all.contains(
        "mistertop send: The events on disk are damaged: 1 damaged event was skipped."))
    #expect(
      rig.output.all.last?.hasSuffix("dropped    1 event, because it could not be read from disk\n") == true
    )
    #expect(await rig.run() == .success)
    #expect(rig.endpoint.taken.count == 4)
  }
}
