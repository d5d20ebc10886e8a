import Aggregation
import Codecs
import Foundation
import History
import JSONLines
import MisterMetricsCore
import Platform
import Testing

@testable import DashboardCore
@testable import EngineScreens

/// The whole way from files to a store, on real files and threads; waits for conditions, never for time.
@Suite("Ingest")
struct IngestTests {
  private let folder: String
  private var path: String { folder + "/app.jsonl" }

  init() throws {
    folder = NSTemporaryDirectory() + "ingest-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private func line(_ name: String, _ type: String, _ time: Double, _ json: String) -> String {
    let value = Data(json.utf8).base64EncodedString()
    return "{\"metric\":{\"bucket\":\"app\",\"name\":\"\(name)\",\"valueTypeString\":\"\(type)\"},"
      + "\"timestamp\":\(time),\"value\":\"\(value)\"}\n"
  }

  private func append(_ text: String, to path: String? = nil) {
    let descriptor = open(path ?? self.path, O_WRONLY | O_APPEND | O_CREAT, 0o644)
    let bytes = Array(text.utf8)
    _ = write(descriptor, bytes, bytes.count)
    close(descriptor)
  }

  @Test func `A folder without records says what it leaves out, and takes a file that has some`() {
    append("GET / HTTP/1.1\n", to: folder + "/access.log")
    let ingest = Ingest(sources: [.folder(folder)])
    ingest.start()
    defer { ingest.stop() }
    let empty = wait(ingest) { $0.status.problem != nil }
    let name = PathParts(folder).name
    #expect(
      empty.status.problem
        == "\(name) has no file of records; left out: access.log (no records at its start)")
    append(line("n", "Int", 1, "5"), to: folder + "/app.log")
    let taken = wait(ingest) { $0.store.count > 0 }
    #expect(numbers(taken, "n", "Int") == [5] && taken.status.problem == nil)
    let last = wait(ingest) { $0.status.events.last?.text.hasPrefix("left out") == true }
    #expect(last.status.events.map(\.kind) == [.noted])
  }

  @Test func `Narrowed to a host, the samples are those of its file alone, until it is widened again`() {
    append(line("n", "Int", 1, "5"), to: folder + "/web-1.jsonl")
    append(line("n", "Int", 2, "6"), to: folder + "/web-2.jsonl")
    let ingest = Ingest(sources: [.folder(folder)])
    ingest.start()
    defer { ingest.stop() }
    _ = wait(ingest) { numbers($0, "n", "Int").count == 2 }
    ingest.narrow(to: .host("web-2"))
    let part = wait(ingest) { $0.store.recorded == 1 }
    #expect(numbers(part, "n", "Int") == [6] && part.scope == .host("web-2"))
    append(line("n", "Int", 3, "7"), to: folder + "/web-2.jsonl")
    append(line("n", "Int", 4, "8"), to: folder + "/web-1.jsonl")
    #expect(wait(ingest) { numbers($0, "n", "Int") == [6, 7] }.scope == .host("web-2"))
    ingest.narrow(to: .all)
    let all = wait(ingest) { numbers($0, "n", "Int").count == 4 }
    #expect(all.scope == .all)
    ingest.narrow(to: .host("gone"))
    #expect(wait(ingest) { numbers($0, "n", "Int").count == 4 }.scope == .all)
  }

  @Test func `A file that is polled says so once, in the header and in the list of changes`() {
    append(line("n", "Int", 1, "5"))
    let ingest = Ingest(sources: [.file(path)], polling: PollOptions(forced: 0.2))
    ingest.start()
    defer { ingest.stop() }
    _ = wait(ingest) { $0.store.count > 0 }
    append(line("n", "Int", 2, "6"))
    let snapshot = wait(ingest) { numbers($0, "n", "Int") == [5, 6] }
    #expect(numbers(snapshot, "n", "Int") == [5, 6])
    #expect(snapshot.status.polling == "looked at every 200ms, as asked")
    #expect(snapshot.status.events.map(\.text) == ["looked at every 200ms, as asked"])
    #expect(ingest.reports.map(\.polling) == [snapshot.status.polling])
  }

  /// Takes snapshots whenever the feed wakes us, until one is as wanted or 20 seconds have passed.
  private func wait(_ ingest: Ingest, until isReached: (FeedSnapshot) -> Bool) -> FeedSnapshot {
    let limit = Date().addingTimeInterval(20)
    var snapshot = ingest.snapshot()
    while !isReached(snapshot), Date() < limit {
      var request = pollfd(fd: ingest.wakeDescriptor, events: Int16(POLLIN), revents: 0)
      poll(&request, 1, 1000)
      snapshot = ingest.snapshot()
    }
    return snapshot
  }

  private func values(_ snapshot: FeedSnapshot, _ name: String, _ type: String, field: String? = nil)
    -> [SeriesValue]
  {
    let identity = SeriesIdentity(bucket: "app", name: name, typeName: type, field: field)
    guard let id = snapshot.store.id(of: identity) else { return [] }
    // The store tells the newest first.
    return snapshot.store.samples(of: id, from: -1e12, to: 1e12, limit: 1_000_000).reversed().map(\.value)
  }

  private func numbers(_ snapshot: FeedSnapshot, _ name: String, _ type: String, field: String? = nil)
    -> [Double]
  {
    values(snapshot, name, type, field: field).compactMap {
      if case .number(let number) = $0 { number } else { nil }
    }
  }

  @Test("a big file: its end first, the rest in pieces, every line once, then what is appended")
  func bigFile() throws {
    append((0..<5000).map { line("n", "Int", Double($0), "\($0)") }.joined())
    let ingest = Ingest(sources: [.file(path)], firstWindow: 10_000, blockSize: 30_000)
    ingest.start()
    defer { ingest.stop() }
    append(line("n", "Int", 5000, "5000"))
    let snapshot = wait(ingest) { $0.store.recorded == 5001 && $0.status.progress == nil }
    #expect(numbers(snapshot, "n", "Int") == (0...5000).map(Double.init))
    #expect(ingest.isLoaded)
    #expect(ingest.reports.first?.lines == 5001)
    append(line("n", "Int", 5001, "5001"))
    let later = wait(ingest) { $0.store.recorded == 5002 }
    #expect(numbers(later, "n", "Int").last == 5001)
    #expect(later.status.rejected == 0)
    #expect(later.status.problem == nil)
  }

  @Test("what a sync engine recorded in a big file is there in its order, once all is read")
  func syncEntries() throws {
    let story = try SyncFixture.entries("healthy-day")
    var bytes: [UInt8] = []
    for entry in story { try LineEncoder.append(entry, to: &bytes) }
    append(String(decoding: bytes, as: UTF8.self))
    let ingest = Ingest(sources: [.file(path)], firstWindow: 20_000, blockSize: 30_000)
    ingest.start()
    defer { ingest.stop() }
    let snapshot = wait(ingest) { $0.status.isLoaded }
    let whole = try SyncFixture.feed(story).engines.sync
    #expect(snapshot.engines.sync.generation == 1 && snapshot.engines.sync.total == whole.total)
    #expect(snapshot.engines.sync.after(0) == whole.after(0))
  }

  @Test("a screen that knew the end of a record begins anew when the rest was read")
  func lateEntries() throws {
    let story = try SyncFixture.entries("healthy-day")
    let end = try SyncFixture.feed(story.suffix(300))
    var model = SyncFixture.model(120, 36, feed: end)
    let decisions = model.sync.engine.decisions
    var later = end
    later.engines.sync.prepend(try SyncFixture.feed(story.dropLast(300)).engines.sync.after(0))
    while update(&model, .feed(later)) == [], model.syncScreen.backlog > 0 {}
    #expect(model.sync.engine.decisions > decisions)
    let whole = SyncFixture.model(120, 36, feed: try SyncFixture.feed(story)).sync.engine
    #expect(model.sync.engine == whole)
  }

  @Test("a sample's line is found in its file, with its number and its first byte")
  func rawLine() throws {
    append((0..<50).map { line("n", "Int", Double($0), "\($0)") }.joined())
    let ingest = Ingest(sources: [.file(path)])
    ingest.start()
    defer { ingest.stop() }
    _ = wait(ingest) { $0.store.recorded == 50 }
    let identity = SeriesIdentity(bucket: "app", name: "n", typeName: "Int")
    let found = ingest.line(
      of: LineQuery(identity: identity, time: Timestamp(20), value: .number(20), selection: 0))
    let before = (0..<20).reduce(0) { $0 + line("n", "Int", Double($1), "\($1)").utf8.count }
    #expect(found?.line == 21 && found?.offset == UInt64(before) && found?.source == path)
    #expect(found.map { $0.text + "\n" } == line("n", "Int", 20, "20"))
    #expect(
      ingest.line(
        of: LineQuery(identity: identity, time: Timestamp(20), value: .number(1), selection: 0)) == nil)
  }

  @Test("a snapshot does not change when more comes")
  func snapshotIsFixed() {
    append(line("n", "Int", 1, "1"))
    let ingest = Ingest(sources: [.file(path)])
    ingest.start()
    defer { ingest.stop() }
    let before = wait(ingest) { $0.store.recorded == 1 }
    append(line("n", "Int", 2, "2"))
    let after = wait(ingest) { $0.store.recorded == 2 }
    #expect(numbers(before, "n", "Int") == [1])
    #expect(numbers(after, "n", "Int") == [1, 2])
  }

  @Test("values of every kind go to series of their own")
  func kinds() throws {
    append(line("d", "Double", 1, "1.5"))
    append(line("b", "Bool", 1, "true"))
    append(line("t", "String", 1, "\"hello\""))
    append(line("o", "Optional<Int>", 1, "null"))
    append(line("a", "Array<Int>", 1, "[1,2]"))
    append(line("e", "Empty", 1, "{}"))
    append(line("s", "Startup", 1, "{\"totalMs\":7,\"isCold\":true,\"inner\":{\"ms\":3}}"))
    let ingest = Ingest(sources: [.file(path)])
    ingest.start()
    defer { ingest.stop() }
    let snapshot = wait(ingest) { $0.store.recorded == 9 }
    #expect(numbers(snapshot, "d", "Double") == [1.5])
    #expect(numbers(snapshot, "s", "Startup", field: "totalMs") == [7])
    #expect(numbers(snapshot, "s", "Startup", field: "inner.ms") == [3])
    func tally(_ name: String, _ type: String, field: String? = nil) -> SeriesTally? {
      snapshot.store.id(of: SeriesIdentity(bucket: "app", name: name, typeName: type, field: field))
        .map { snapshot.store.tally(of: $0) }
    }
    #expect(tally("b", "Bool")?.bools == 1)
    #expect(tally("t", "String")?.texts == 1)
    #expect(tally("o", "Optional<Int>")?.nulls == 1)
    #expect(values(snapshot, "a", "Array<Int>") == [.text("[1,2]")])
    #expect(values(snapshot, "e", "Empty") == [.text("{}")])
    #expect(tally("s", "Startup", field: "isCold")?.bools == 1)
    #expect(tally("s", "Startup") == nil)
  }

  @Test("rejected lines are told with file, line and byte, wherever they are")
  func rejections() throws {
    let good = line("n", "Int", 1, "1")
    append("no json\n" + String(repeating: good, count: 200) + "{}\n" + good)
    let ingest = Ingest(sources: [.file(path)], firstWindow: 300, blockSize: 4000)
    ingest.start()
    defer { ingest.stop() }
    let snapshot = wait(ingest) { $0.store.recorded == 201 && $0.status.progress == nil }
    #expect(snapshot.status.rejected == 2)
    let told = snapshot.status.rejections
    #expect(told.map(\.line) == [1, 202])
    #expect(told.map(\.offset) == [0, UInt64(8 + 200 * good.utf8.count)])
    #expect(told.allSatisfy { $0.source == path })
    #expect(told.first?.excerpt == Array("no json".utf8))
    #expect(snapshot.status.events.contains { $0.kind == .rejected })
  }

  @Test("what many files have that cannot be read is one event in ten seconds, and takes no room from others")
  func manyRejections() {
    var state = IngestState(limits: SeriesStore.Limits())
    state.lost("gone", of: "first", at: Timestamp(999))
    for (index, time) in (0..<500).map({ ($0, 1000 + Double($0) / 100) }) + [(7, 1011), (8, 1011)] {
      var intake = MemberIntake(member: TailMember(index: index, path: "\(index).jsonl"))
      let text = index == 3 ? "no\nnor this\n" : "no\n"
      text.utf8.withContiguousStorageIfAvailable { intake.take(UnsafeRawBufferPointer($0), at: 0) }
      state.take(&intake, at: Timestamp(time))
    }
    let status = state.status(sources: [], at: Timestamp(1012))
    #expect(
      status.events.map(\.text) == [
        "gone", "501 lines of this and 499 other files cannot be read",
        "2 lines of this and another file cannot be read",
      ])
    #expect(status.events.map(\.source) == ["first", "499.jsonl", "8.jsonl"])
    #expect(status.rejected == 503)
  }

  @Test("a line that is read except for a value is told as such, with its place")
  func inPart() {
    var state = IngestState(limits: SeriesStore.Limits())
    var intake = MemberIntake(member: TailMember(index: 0, path: "a.log"))
    let text = "{\"ts\":1795454102.5,\"msg\":\"m\",\"n\":1,\"load\":NaN}\n"
    Array(text.utf8).withUnsafeBytes { intake.take($0, at: 0) }
    state.take(&intake, at: Timestamp(1000))
    let status = state.status(sources: [], at: Timestamp(1001))
    #expect(status.rejected == 1 && status.inPart == 1)
    #expect(status.events.map(\.text) == ["a line cannot be read completely"])
    #expect(status.rejections.map(\.reason) == ["has NaN or infinity instead of a number"])
    #expect(state.store.recorded > 0)
  }

  @Test("of several files that cannot be read their number is told, and one of them")
  func severalProblems() throws {
    let missing = [path, path + "-2", path + "-3"]
    let ingest = Ingest(sources: missing.map(TailSource.file))
    ingest.start()
    defer { ingest.stop() }
    let all = wait(ingest) { $0.status.unreadFiles == 3 }
    #expect(
      all.status.problem
        == "3 files are not read; app.jsonl is not there yet; it is read once it appears")
    append(line("n", "Int", 1, "1"))
    let two = wait(ingest) { $0.store.recorded == 1 && $0.status.unreadFiles == 2 }
    #expect(two.status.problem?.hasPrefix("2 files are not read; app.jsonl-2 ") == true)
    #expect(two.status.sources == missing && two.status.isFollowing)
  }

  @Test("a missing file is waited for, a rotation and a cut are told")
  func events() throws {
    let ingest = Ingest(sources: [.file(path)])
    ingest.start()
    defer { ingest.stop() }
    let missing = wait(ingest) { $0.status.problem != nil }
    #expect(missing.status.problem == "app.jsonl is not there yet; it is read once it appears")
    append(line("n", "Int", 1, "1"))
    _ = wait(ingest) { $0.store.recorded == 1 }
    rename(path, path + ".1")
    append(line("n", "Int", 2, "2"))
    _ = wait(ingest) { $0.store.recorded == 2 }
    truncate(path, 0)
    append(line("n", "Int", 3, "3"))
    append(line("n", "Int", 4, "4"))
    let snapshot = wait(ingest) { $0.store.recorded == 4 }
    #expect(numbers(snapshot, "n", "Int") == [1, 2, 3, 4])
    #expect(snapshot.status.problem == nil)
    let kinds = snapshot.status.events.map(\.kind)
    #expect(kinds.contains(.rotated))
    #expect(kinds.contains(.truncated))
    #expect(ingest.reports.first?.rotations == 1)
    #expect(ingest.reports.first?.truncations == 1)
  }

  @Test(
    "a file that is written anew and tells of the same time again is told as it is; one that goes on keeps its past",
    arguments: [true, false])
  func writtenAnew(isCut: Bool) throws {
    for time in 1...60 { append(line("n", "Int", Double(time), "\(time)")) }
    let ingest = Ingest(sources: [.file(path)])
    ingest.start()
    defer { ingest.stop() }
    _ = wait(ingest) { $0.store.recorded == 60 }
    if isCut { truncate(path, 0) } else { unlink(path) }
    for time in 1...20 { append(line("n", "Int", Double(time), "\(100 + time)")) }
    let anew = wait(ingest) { $0.store.recorded == 20 }
    #expect(numbers(anew, "n", "Int") == (101...120).map(Double.init))
    #expect(anew.beginnings == 1)
    truncate(path, 0)
    append(line("n", "Int", 21, "121"))
    let continued = wait(ingest) { $0.store.recorded == 21 }
    #expect(continued.beginnings == 1)
  }

  @Test("of a file whose end was taken back the rest is told, and what comes then")
  func takenBack() throws {
    for time in 1...2000 { append(line("n", "Int", Double(time), "\(time)")) }
    let whole = try String(contentsOfFile: path, encoding: .utf8)
    let ingest = Ingest(sources: [.file(path)])
    ingest.start()
    defer { ingest.stop() }
    _ = wait(ingest) { $0.store.recorded == 2000 }
    truncate(path, off_t(whole.utf8.count / 2))
    let half = wait(ingest) { $0.beginnings == 1 && $0.store.recorded > 900 && $0.status.progress == nil }
    let left = half.store.recorded
    #expect(numbers(half, "n", "Int") == (1...left).map(Double.init))
    append("\n")
    append(line("n", "Int", 1500, "7"))
    let more = wait(ingest) { $0.store.recorded == left + 1 }
    #expect(numbers(more, "n", "Int").last == 7 && more.beginnings == 1)
  }

  @Test("lag and rate tell of what arrives, lag from a sample's stamp to its arrival")
  func lag() {
    append(line("n", "Int", 1, "1"))
    let ingest = Ingest(sources: [.file(path)], clock: { Timestamp(1000) })
    ingest.start()
    defer { ingest.stop() }
    let before = wait(ingest) { _ in ingest.isLoaded }
    #expect(before.status.lag == nil)
    #expect(before.status.linesPerSecond == 0)
    append(line("n", "Int", 999.5, "2"))
    let after = wait(ingest) { $0.store.recorded == 2 }
    #expect(after.status.lag == 0.5)
    #expect(after.status.linesPerSecond == 1)
  }

  /// Appends lines of sources at a hand-moved clock, fourteen times in seven seconds.
  private func follow(
    _ sources: [(path: String, text: (Timestamp, Int) -> String)], start: Double = 800_000_000
  ) -> FeedSnapshot {
    let now = Locked(Timestamp(start))
    for source in sources { append(source.text(Timestamp(start - 600), -1), to: source.path) }
    let ingest = Ingest(
      sources: sources.map { .file($0.path) }, clock: { now.withLock { $0 } })
    ingest.start()
    defer { ingest.stop() }
    var snapshot = wait(ingest) { _ in ingest.isLoaded }
    for index in 0..<14 {
      let recorded = snapshot.store.recorded
      let moment = now.withLock { now in
        now += 0.5
        return now
      }
      for source in sources { append(source.text(moment, index), to: source.path) }
      snapshot = wait(ingest) { $0.store.recorded >= recorded + sources.count }
    }
    return snapshot
  }

  @Test("the clock of each source is told, and which series follow it", arguments: [-90.0, 120])
  func clocks(skew: Double) throws {
    let skewed: (Timestamp, Int) -> String = { self.line("late", "Int", $0.seconds - skew, "\($1)") }
    let alone = follow([(path, skewed)])
    #expect(alone.status.skews == [SourceSkew(source: path, seconds: skew)])
    #expect(!alone.status.hasPunctualSource)
    let both = follow([
      (folder + "/a.jsonl", skewed),
      (
        folder + "/b.jsonl",
        { self.line("own", "Int", $0.seconds, "1") + self.line("both", "Int", $0.seconds, "\($1)") }
      ),
      (folder + "/c.jsonl", { self.line("both", "Int", $0.seconds - skew, "\($1)") }),
    ])
    #expect(both.status.skews.map(\.source) == [folder + "/a.jsonl", folder + "/c.jsonl"])
    #expect(both.status.hasPunctualSource)
    let names = both.skews.keys.compactMap { both.store.identity(of: $0)?.name }
    #expect(names == ["late"] && Array(both.skews.values) == [skew])
  }

  @Test("stamps without a zone name the zone that would fit")
  func zones() {
    let tokyo = follow([
      (
        path,
        { moment, number in
          let text = ClockZone.utc.date(moment + 9 * 3600) + " " + ClockZone.utc.time(moment + 9 * 3600)
          return #"{"asctime":"\#(text)","levelname":"INFO","message":"m","n":\#(number)}"# + "\n"
        }
      )
    ])
    #expect(tokyo.status.skews.first?.fittingZone == "+09:00")
  }

  @Test("a file that was written before has no clock to tell, nor one that is copied in")
  func written() {
    for number in 0..<50 { append(line("n", "Int", 700_000_000 + Double(number) * 60, "1")) }
    let copied = follow([
      (path, { _, number in self.line("n", "Int", 700_003_000 + Double(number) * 3600, "1") })
    ])
    #expect(copied.status.skews.isEmpty && copied.skews.isEmpty)
  }

  @Test("a file whose newest stamp is in the future has a clock that is ahead, before a line arrives")
  func opened() {
    let now = Timestamp(800_000_000)
    append(line("n", "Int", now.seconds + 80, "1"))
    let ingest = Ingest(sources: [.file(path)], clock: { now })
    ingest.start()
    defer { ingest.stop() }
    let snapshot = wait(ingest) { _ in ingest.isLoaded }
    #expect(snapshot.status.skews == [SourceSkew(source: path, seconds: -80)])
  }

  @Test("several files, one series; a folder's files appear")
  func folderOfFiles() {
    append(line("n", "Int", 1, "1"), to: folder + "/one.jsonl")
    let ingest = Ingest(sources: [.folder(folder)])
    ingest.start()
    defer { ingest.stop() }
    _ = wait(ingest) { $0.store.recorded == 1 }
    append(line("n", "Int", 2, "2"), to: folder + "/two.jsonl")
    let snapshot = wait(ingest) { $0.store.recorded == 2 }
    #expect(numbers(snapshot, "n", "Int") == [1, 2])
    #expect(snapshot.status.sources == [folder + "/one.jsonl", folder + "/two.jsonl"])
  }

  @Test("standard input is read to its end and stays")
  func standardInput() {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    let ingest = Ingest(sources: [.standardInput], input: ends[0])
    ingest.start()
    defer { ingest.stop() }
    let bytes = Array(line("n", "Int", 1, "1").utf8)
    _ = write(ends[1], bytes, bytes.count)
    close(ends[1])
    let snapshot = wait(ingest) { !$0.status.isFollowing }
    #expect(numbers(snapshot, "n", "Int") == [1])
    close(ends[0])
  }
}
