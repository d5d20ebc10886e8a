import Aggregation
import Foundation
import History
import Platform
import TestSupport
import Testing

@testable import DashboardCore

@Suite("Marks and views, kept")
struct HistoryNotesTests {
  static var notes: HistoryNotes {
    var notes = HistoryFixture.notes
    notes.keep(
      HistoryNotes.SavedView(
        name: "one value \"quoted\" \u{1B}", focus: HistoryFixture.state, narrowed: "backoff", window: nil,
        order: .value(descending: false), filter: ""))
    return notes
  }

  @Test("what is written is read again")
  func roundTrip() {
    #expect(HistoryNotes.decoded(Self.notes.encoded) == Self.notes)
    #expect(HistoryNotes.decoded(HistoryNotes().encoded) == HistoryNotes())
  }

  @Test("any bytes may come: nothing traps, and nothing beyond the bounds is taken")
  func fuzzed() {
    var generator = SeededGenerator(seed: 11)
    let whole = Self.notes.encoded
    for _ in 0..<4000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      guard let notes = HistoryNotes.decoded(bytes) else { continue }
      #expect(
        notes.marks.values.allSatisfy {
          $0.time.seconds.isFinite && $0.text.utf8.count <= HistoryNotes.textLimit
        })
      #expect(
        notes.views.allSatisfy {
          ($0.window?.seconds).map { $0.lowerBound >= -1e12 && $0.upperBound <= 1e12 } ?? true
        })
    }
    for length in 0..<whole.count { #expect(HistoryNotes.decoded(Array(whole[..<length])) == nil) }
  }

  @Test("numbers, names and lists out of bounds are left out or cut")
  func bounds() {
    let long = String(repeating: "x", count: 5000)
    let views = (0..<80).map { "{\"name\":\"\($0)\"}" }.joined(separator: ",")
    let text = """
      {"version":1,"marks":[{"letter":"a","time":1,"text":"\(long)"},{"letter":"ab","time":1},{"letter":"A","time":1},
      {"letter":"","time":1}],"looks":[{"name":""},{"name":"w","from":5,"to":5},{"name":"f","from":-1e300,"to":1e300},\(views)]}
      """
    let notes = HistoryNotes.decoded(Array(text.utf8))
    #expect(
      notes?.marks.keys.sorted() == ["a"] && notes?.marks["a"]?.text.utf8.count == HistoryNotes.textLimit)
    #expect(
      notes.map { $0.views.count <= HistoryNotes.viewLimit && !$0.views.contains { $0.window != nil } }
        == true)
    #expect(HistoryNotes.decoded(Array("{\"version\":2}".utf8)) == nil)
    #expect(HistoryNotes.decoded([UInt8](repeating: 32, count: HistoryNotes.sizeLimit + 1)) == nil)
  }

  @Test("a folder keeps notes by content, for the owner alone; what is damaged is said and read as nothing")
  func folder() throws {
    let temporary = try TemporaryFolder()
    let folder = temporary.path("state/notes")
    let store = NotesFolder(folder: folder)
    let key = NotesFolder.key(of: Array("{\"metric\"".utf8))
    #expect(store.load(key).notes.isEmpty && store.load(key).problem == nil)
    #expect(store.save(Self.notes, key) == nil)
    #expect(NotesFolder(folder: folder).load(key).notes == Self.notes)
    let file = folder + "/\(key).json"
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["\(key).json"])
    try Data("{".utf8).write(to: URL(fileURLWithPath: file))
    #expect(store.load(key).notes.isEmpty && store.load(key).problem?.contains("damaged") == true)
    #expect(NotesFolder(folder: "/proc/none").save(Self.notes, key)?.contains("cannot be saved") == true)
  }

  /// Notes in memory.
  final class MemoryNotes: NotesStore {
    var kept: [String: HistoryNotes] = [:]

    func load(_ key: String) -> (notes: HistoryNotes, problem: String?) { (kept[key] ?? HistoryNotes(), nil) }

    func save(_ notes: HistoryNotes, _ key: String) -> String? {
      kept[key] = notes
      return nil
    }

    func setAside(_ key: String) -> String? { nil }
  }

  @Test("What cannot be read is kept aside, or nothing is written", arguments: ["x", #"{"version":2}"#, ""])
  func unreadable(text: String) throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(text, to: "k.json")
    let session = Notebook(store: NotesFolder(folder: folder.url.path), key: "k")
    #expect(session.problem?.contains("cannot be read") == true)
    #expect(session.keep(Self.notes) == nil)
    #expect(try String(contentsOfFile: folder.path("k.json.damaged"), encoding: .utf8) == text)
    #expect(Notebook(store: NotesFolder(folder: folder.url.path), key: "k").notes == Self.notes)
    for name in [
      ".damaged-2", ".damaged-3", ".damaged-4", ".damaged-5", ".damaged-6", ".damaged-7", ".damaged-8",
      ".damaged-9",
    ] { _ = try folder.write("", to: "k.json" + name) }
    _ = try folder.write(text, to: "k.json")
    #expect(session.keep(Self.notes)?.contains("is left as it is") == true)
    #expect(try String(contentsOfFile: folder.path("k.json"), encoding: .utf8) == text)
  }

  @Test("What could not be read for a moment only stays where it is")
  func unreadForAMoment() throws {
    let folder = try TemporaryFolder()
    let store = NotesFolder(folder: folder.url.path)
    #expect(store.save(Self.notes, "k") == nil)
    #expect(store.setAside("k")?.contains("is left as it is") == true)
    #expect(store.load("k").notes == Self.notes)
    #expect(try Posix.names(in: folder.url.path) == ["k.json"])
  }

  @Test("a session reads its notes once and keeps every change; without a place it says so")
  func notebook() {
    let store = MemoryNotes()
    #expect(Notebook(store: store, key: "k").keep(Self.notes) == nil)
    #expect(Notebook(store: store, key: "k").notes == Self.notes)
    #expect(Notebook(store: store, key: "other").notes.isEmpty)
    #expect(
      Notebook(store: store, key: nil).keep(Self.notes)?.contains("there is no folder for them") == true)
  }

  @Test("two sessions on one file keep each other's marks; what one takes back is gone")
  func twoSessions() {
    let store = MemoryNotes()
    let (one, two) = (Notebook(store: store, key: "k"), Notebook(store: store, key: "k"))
    var (first, second) = (one.notes, two.notes)
    first.set(HistoryNotes.Mark(time: Timestamp(1), text: "one"), letter: "a")
    #expect(one.keep(first) == nil)
    second.set(HistoryNotes.Mark(time: Timestamp(2), text: "two"), letter: "b")
    #expect(two.keep(second) == nil)
    first.set(HistoryNotes.Mark(time: Timestamp(3), text: "one again"), letter: "a")
    #expect(one.keep(first) == nil)
    #expect(store.kept["k"]?.marks.mapValues(\.text) == ["a": "one again", "b": "two"])
  }

  @Test("what is no file is not waited for")
  func fifo() throws {
    let temporary = try TemporaryFolder()
    #expect(mkfifo(temporary.path("pipe"), 0o600) == 0 && mkfifo(temporary.path("key.json"), 0o600) == 0)
    #expect(NotesFolder.key(ofFile: temporary.path("pipe")) == nil)
    #expect(NotesFolder(folder: temporary.url.path).load("key").problem?.contains("damaged") == true)
  }

  @Test("a file keeps its key when it grows or moves, another one has another")
  func keys() throws {
    let temporary = try TemporaryFolder()
    let path = temporary.path("a.jsonl")
    try Data("first\nsecond\n".utf8).write(to: URL(fileURLWithPath: path))
    let key = NotesFolder.key(ofFile: path)
    try Data("first\nsecond\nthird\n".utf8).write(to: URL(fileURLWithPath: path))
    #expect(NotesFolder.key(ofFile: path) == key && key?.count == 32)
    #expect(NotesFolder.key(of: Array("other".utf8)) != key)
    #expect(NotesFolder.key(ofFile: temporary.path("none")) == nil)
  }
}
