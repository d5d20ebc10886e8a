import DeliveryCore
import Foundation
import JSONLines
import Platform
import TestSupport
import Testing

@testable import Commands

@Suite("send")
struct SenderTests {
  @Test("All events arrive, in the order of the file, whatever the endpoint answered meanwhile")
  func delivers() async throws {
    let rig = try SendRig(SendRig.events(0..<2500))
    rig.endpoint.answer(503, 200, 429, 408, 200, 500)
    #expect(await rig.run() == .success)
    rig.expectEvents(0..<2500)
    #expect(rig.output.all.joined().hasPrefix("delivered  2500 events in "))
    #expect(rig.errors.all.isEmpty)
  }

  @Test("Lines that are no events are named and counted, and the rest is sent")
  func rejects() async throws {
    let rig = try SendRig(["{}", SendRig.events(0..<1)[0], "", "no"] + Array(repeating: "no", count: 9))
    #expect(await rig.run() == .failed)
    rig.expectEvents(0..<1)
    #expect(rig.output.all.joined().hasSuffix("rejected   11 lines that are not events\n"))
    #expect(rig.errors.all.count == 6)
    #expect(rig.errors.all.first == "mistertop send: line 1: 'event' is missing")
    #expect(rig.errors.all.last == "mistertop send: further lines like these are only counted")
  }

  @Test("A line of which a part could not be sent is named, and nothing of it is sent")
  func wrongTypes() async throws {
    let order =
      #"{"type":"track","event":"order","userId":12345,"timestamp":1700000000,"properties":["a"]}"#
    let rig = try SendRig([order] + SendRig.events(0..<1))
    #expect(await rig.run() == .failed)
    rig.expectEvents(0..<1)
    #expect(rig.errors.all == ["mistertop send: line 1: 'userId' is not a string"])
    #expect(rig.output.all.joined().hasSuffix("rejected   1 line that is not an event\n"))
  }

  @Test("What the endpoint refuses is dropped by its cause")
  func drops() async throws {
    let rig = try SendRig(SendRig.events(0..<3))
    // The first batch may leave before all is queued.
    rig.endpoint.answer(always: 400)
    #expect(await rig.run() == .failed)
    let told = rig.output.all.joined()
    #expect(told.hasPrefix("delivered  0 events in "))
    #expect(told.hasSuffix("\ndropped    3 events, because the endpoint refused them\n"))
  }

  @Test("Of warnings the first five are shown, however many events are too large alone")
  func tooLarge() async throws {
    let rig = try SendRig(SendRig.events(0..<200))
    rig.endpoint.answer(always: 413)
    #expect(await rig.run() == .failed)
    #expect(
      rig.output.all.joined().contains("dropped    200 events, because the endpoint found them too large"))
    #expect(rig.errors.all.count == 6)
    #expect(rig.errors.all.last?.contains("further warnings are left out") == true)
  }

  @Test("A refused key ends the run, and what waits is sent by a later one", arguments: [401, 403, 404])
  func disabled(status: Int) async throws {
    let rig = try SendRig(SendRig.events(0..<1200))
    rig.endpoint.answer(200, status)
    #expect(await rig.run() == .failed)
    #expect(rig.errors.all.contains { $0.contains("\(status)") })
    #expect(!rig.errors.all.joined().contains("secret-key"))
    #expect(rig.errors.all.last == "mistertop send: the next run sends the file from byte 0 on")
    #expect(await rig.run() == .success)
    #expect(Set(rig.endpoint.taken.map(\.name)).count == 1200)
    #expect(Set(rig.endpoint.taken.map(\.id)).count == 1200)
  }

  @Test("The rest of a line that was half written is not lost, and lines keep their numbers from run to run")
  func halfLine() async throws {
    let rig = try SendRig(SendRig.events(0..<2) + [#"{"event":"e2""#])
    let path = try #require(rig.request.file)
    var text = try String(contentsOfFile: path, encoding: .utf8)
    text.removeLast()
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    #expect(await rig.run() == .failed)
    #expect(rig.errors.all.last == "mistertop send: line 3: not a JSON object")
    #expect(rig.output.all.joined().hasSuffix("rejected   1 line that is not an event\n"))
    try Data((text + "}\nno\n").utf8).write(to: URL(fileURLWithPath: path))
    #expect(await rig.run() == .failed)
    rig.expectEvents(0..<3)
    #expect(rig.errors.all.last == "mistertop send: line 4: not a JSON object")
  }

  @Test("The rest of a line that is too long is no line of its own in the next run")
  func longHalfLine() async throws {
    let rig = try SendRig([])
    let path = try #require(rig.request.file)
    let long = String(repeating: "x", count: EventLines.defaultLongest + 1)
    let rest = SendRig.events(0..<2).map { $0 + "\n" }.joined()
    for text in [long, long + rest] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      #expect(await rig.run() == .failed)
      #expect(rig.errors.all.last == "mistertop send: line 1: longer than 4 MiB")
      #expect(rig.output.all.last?.hasSuffix("rejected   1 line that is not an event\n") == true)
    }
    rig.expectEvents(1..<2)
  }

  @Test("Without progress for the time that is given, it ends; the next run goes on without a gap")
  func noProgress() async throws {
    let rig = try SendRig(SendRig.events(0..<2300))
    rig.endpoint.onPost { [endpoint = rig.endpoint] in if $0 == 13 { endpoint.answer(always: 503) } }
    #expect(await rig.run() == .failed)
    #expect(
      rig.errors.all.last?.hasPrefix("mistertop send: nothing was delivered for 120 s (last: 503)") == true)
    #expect(rig.output.all.joined().contains("of them on disk"))
    rig.endpoint.answer(always: nil)
    rig.endpoint.onPost(nil)
    #expect(await rig.run() == .success)
    rig.expectEvents(0..<2300)
    #expect(await rig.run() == .success)
    rig.expectEvents(0..<2300)
    #expect(rig.errors.all.last?.contains("--from-start sends it again") == true)
  }

  @Test("A time without progress that is no whole number of seconds is told as it was given")
  func halfSecond() async throws {
    let rig = try SendRig(SendRig.events(0..<1))
    rig.request.wait = 0.5
    rig.endpoint.answer(always: 503)
    #expect(await rig.run() == .failed)
    #expect(
      rig.errors.all.last?.hasPrefix("mistertop send: nothing was delivered for 0.5 s (last: 503)") == true)
  }

  @Test("An interrupted run is continued without a gap; what was on its way may come again, with the same id")
  func interrupted() async throws {
    let rig = try SendRig(SendRig.events(0..<3000))
    for length in [1, 6, 8, 7] {
      // Counted from the start of this run: how often the one before tried again depends on the machine.
      rig.endpoint.answer(always: nil)
      let end = rig.endpoint.posts + length
      rig.endpoint.onPost { [stop = rig.stop, endpoint = rig.endpoint] number in
        guard number >= end else { return }
        stop.raise()
        endpoint.answer(always: 503)
      }
      #expect(await rig.run() == .interrupted)
      rig.stop.clear()
    }
    rig.endpoint.onPost(nil)
    rig.endpoint.answer(always: nil)
    #expect(await rig.run() == .success)
    let taken = rig.endpoint.taken
    var known: Set<String> = []
    let first = taken.filter { known.insert($0.id).inserted }
    #expect(first.map(\.name) == (0..<3000).map { "e\($0)" })
    #expect(taken.count <= 3000 + 4 * 100)
  }

  @Test("A run that died repeats what it had not noted, with the same ids")
  func died() async throws {
    let rig = try SendRig(SendRig.events(0..<1500))
    let known = Locked(0)
    rig.endpoint.onPost { [folder = rig.folder.path("queue"), endpoint = rig.endpoint] number in
      guard number == 17 else { return }
      // The remains of a program that is killed at this moment.
      try? FileManager.default.copyItem(atPath: folder, toPath: folder + "-killed")
      known.withLock { $0 = endpoint.taken.count }
    }
    #expect(await rig.run() == .success)
    let all = rig.endpoint.taken
    #expect(Set(all.map(\.id)).count == 1500)
    let taken = all.prefix(known.withLock { $0 })
    rig.request.folder += "-killed"
    #expect(await rig.run() == .success)
    let second = rig.endpoint.taken.dropFirst(1500)
    #expect(second.map(\.name) == all.suffix(second.count).map(\.name))
    let repeated = second.count - (1500 - taken.count)
    #expect((1...1000).contains(repeated))
    #expect(second.prefix(repeated).map(\.id) == taken.suffix(repeated).map(\.id))
  }

  @Test("A file that was replaced is sent from its start, and one that grew from where it ended")
  func changed() async throws {
    let rig = try SendRig(SendRig.events(0..<10))
    #expect(await rig.run() == .success)
    let path = try #require(rig.request.file)
    let grown = SendRig.events(0..<14).map { $0 + "\n" }.joined()
    try Data(grown.utf8).write(to: URL(fileURLWithPath: path))
    #expect(await rig.run() == .success)
    rig.expectEvents(0..<14)
    try Data((SendRig.events(14..<17).joined(separator: "\n")).utf8).write(to: URL(fileURLWithPath: path))
    #expect(await rig.run() == .success)
    rig.expectEvents(0..<17)
    rig.request.fromStart = true
    #expect(await rig.run() == .success)
    #expect(rig.endpoint.taken.count == 20)
    #expect(Set(rig.endpoint.taken.map(\.id)).count == 20)
  }

  @Test("After a rotation the new file is sent from its start, however alike the lines are")
  func rotated() async throws {
    let beats = { (count: Int) in
      Data(String(repeating: #"{"type":"track","event":"beat"}"# + "\n", count: count).utf8)
    }
    let rig = try SendRig([])
    let path = try #require(rig.request.file)
    let file = URL(fileURLWithPath: path)
    try beats(20).write(to: file)
    #expect(await rig.run() == .success)
    let writer = try FileHandle(forWritingTo: file)
    try writer.seekToEnd()
    #expect(rename(path, path + ".1") == 0)
    try writer.write(contentsOf: beats(1))
    try beats(30).write(to: file)
    #expect(await rig.run() == .success)
    #expect(rig.endpoint.taken.count == 50)
    #expect(
      rig.errors.all.contains {
        $0.hasSuffix("from its start; what events.jsonl.1 holds from byte 640 on is not sent by this run")
      })
  }

  @Test("A file that is written anew with long lines that end as those before did is sent from its start")
  func longAlike() async throws {
    func event(_ number: Int) -> String {
      #"{"type":"track","event":"e\#(number)","properties":{"z":"\#(String(repeating: "x", count: 6000))"}}"#
        + "\n"
    }
    let rig = try SendRig([])
    let path = try #require(rig.request.file)
    for number in 0..<3 {
      let file = try #require(FileHandle(forWritingAtPath: path))
      try file.truncate(atOffset: 0)
      try file.write(contentsOf: Data(event(number).utf8))
      try file.close()
      #expect(await rig.run() == .success)
    }
    rig.expectEvents(0..<3)
  }

  @Test(
    "A file that is cut and written anew while it is sent is sent from its start again",
    arguments: [900, 4000])
  func cutMeanwhile(count: Int) async throws {
    let rig = try SendRig(SendRig.events(0..<3000))
    let path = try #require(rig.request.file)
    rig.endpoint.onPost { number in
      guard number == 1, let file = FileHandle(forWritingAtPath: path) else { return }
      try? file.truncate(atOffset: 0)
      try? file.write(
        contentsOf: Data(SendRig.events(10_000..<10_000 + count).map { $0 + "\n" }.joined().utf8))
    }
    #expect(await rig.run() == .success)
    let names = rig.endpoint.taken.map(\.name)
    #expect(names.suffix(count) == (10_000..<10_000 + count).map { "e\($0)" })
    #expect(
      rig.errors.all.filter {
        $0 == "mistertop send: the file was truncated or replaced and is sent from its start"
      }.count == 1)
  }

  @Test("Standard input is sent to its end")
  func standardInput() async throws {
    let rig = try SendRig(SendRig.events(0..<2100))
    let descriptor = try Posix.open(try #require(rig.request.file))
    defer { Posix.close(descriptor) }
    rig.request.file = nil
    #expect(await rig.run(input: descriptor) == .success)
    rig.expectEvents(0..<2100)
  }

  @Test("Of what came from a pipe, what is neither delivered nor on disk is told as lost")
  func lost() async throws {
    let rig = try SendRig(SendRig.events(0..<12))
    let descriptor = try Posix.open(try #require(rig.request.file))
    defer { Posix.close(descriptor) }
    rig.request.file = nil
    rig.endpoint.answer(always: 503)
    #expect(await rig.run(input: descriptor, disk: FullDisk()) == .failed)
    #expect(rig.output.all.joined().contains("queued     12 events, 0 of them on disk\n"))
    #expect(
      rig.errors.all.suffix(2) == [
        "mistertop send: 12 events of standard input, which is not read again, are not on disk and lost",
        "mistertop send: nothing was delivered for 120 s (last: 503)",
      ])
  }

  @Test("A store that takes no metrics is refused before anything is sent")
  func stores() async throws {
    let rig = try SendRig(SendRig.events(0..<3))
    let fifo = rig.folder.path("fifo")
    #expect(mkfifo(fifo, 0o600) == 0)
    for (place, problem) in [
      (fifo, "not a regular file"), ("/dev/null", "not a regular file"), ("/dev/full", "not a regular file"),
      (rig.folder.url.path, "Is a directory"), ("/dev/null/no", "Not a directory"),
      ("/proc/version", "/proc/version"),
    ] {
      rig.request.store = place
      #expect(await rig.run() == .failed)
      #expect(rig.errors.all.last?.contains(place) == true && rig.errors.all.last?.contains(problem) == true)
    }
    #expect(rig.endpoint.posts == 0)
    #expect(Posix.status(ofName: rig.request.folder) == nil)
  }

  @Test("What cannot be sent from says why, and a second run in the same folder does not start")
  func refusals() async throws {
    let rig = try SendRig(SendRig.events(0..<3))
    let file = try #require(rig.request.file)
    for (path, message) in [
      (rig.folder.path("none"), "No such file or directory"), (rig.folder.url.path, "not a regular file"),
    ] {
      rig.request.file = path
      #expect(await rig.run() == .failed)
      #expect(rig.errors.all.last?.contains(message) == true)
    }
    rig.request.file = file
    let other = try SegmentedEventStorage(folder: rig.request.folder + "/disk-queue")
    #expect(await rig.run(isAlone: false) == .failed)
    #expect(rig.endpoint.posts == 0)
    #expect(
      rig.errors.all.last
        == "mistertop send: nothing was sent: another process, or another client, uses the disk "
        + "queue in \(rig.request.folder)/disk-queue")
    #expect(!rig.errors.all.joined().contains("in memory alone"))
    withExtendedLifetime(other) {}
  }

  @Test("No file of a run holds the write key, and the records tell of each batch")
  func records() async throws {
    let rig = try SendRig(SendRig.events(0..<250))
    rig.request.store = rig.folder.path("store.jsonl")
    rig.endpoint.answer(503)
    #expect(await rig.run() == .success)
    let store = try String(contentsOfFile: rig.folder.path("store.jsonl"), encoding: .utf8)
    #expect(store.split(separator: "\n").count { $0.contains(#""bucket":"delivery""#) } >= 4)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: rig.folder.url.path)
    #expect(paths.count > 3)
    for path in paths {
      guard let data = FileManager.default.contents(atPath: rig.folder.path(path)) else { continue }
      #expect(data.range(of: Data("secret-key".utf8)) == nil, "\(path)")
    }
  }
}
