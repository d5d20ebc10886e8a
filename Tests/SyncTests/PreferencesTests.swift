import Foundation
import MisterMetricsCore
import Platform
import Sync
import TestSupport
import Testing

@Suite("Preferences")
struct PreferencesTests {
  @Test func `In memory they keep what was set until it is removed`() {
    let preferences = InMemoryPreferences(["a": Data([1])])
    let copy = preferences
    copy.set(Data([2]), for: "b")
    copy.set(nil, for: "a")
    #expect(preferences.value("a") == nil)
    #expect(preferences.value("b") == Data([2]))
  }

  @Test func `A file has them after the process, for its owner alone`() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("of/its/own/preferences.json")
    let preferences = FilePreferences(file: file)
    #expect(preferences.unreadable == nil)
    try preferences.set(Data([0, 255]), for: "cursor é")
    try preferences.set(Data(), for: "empty")
    try preferences.set(Data([1]), for: "gone")
    try preferences.set(nil, for: "gone")
    let again = FilePreferences(file: file)
    #expect(again.value("cursor é") == Data([0, 255]))
    #expect(again.value("empty") == Data())
    #expect(again.value("gone") == nil)
    #expect(Posix.status(at: file.path).map { $0.permissions & 0o777 } == 0o600)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path).count == 1)
  }

  @Test(arguments: ["", "{", "[]", #"{"a":7}"#, "\u{0}"])
  func `What cannot be read counts as empty, and says so`(content: String) throws {
    let folder = try TemporaryFolder()
    let preferences = FilePreferences(file: URL(fileURLWithPath: try folder.write(content, to: "file")))
    #expect(preferences.unreadable != nil)
    #expect(preferences.value("a") == nil)
    try preferences.set(Data([1]), for: "a")
    #expect(FilePreferences(file: preferences.file).value("a") == Data([1]))
  }

  @Test func `After a failed write everything is as before`() throws {
    let preferences = FilePreferences(file: URL(fileURLWithPath: "/dev/null/preferences.json"))
    let error = #expect(throws: SyncError.self) { try preferences.set(Data([1]), for: "a") }
    #expect(error?.code == .store)
    #expect(preferences.value("a") == nil)
  }
}
