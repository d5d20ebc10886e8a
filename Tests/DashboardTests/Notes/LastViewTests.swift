import Foundation
import TerminalUI
import TestSupport
import Testing

@testable import DashboardCore
@testable import LiveScreen

@Suite("What comes back with a file's next opening")
struct LastViewTests {
  init() { adoptUTF8() }

  private func press(_ model: inout Model, _ keys: KeyPress...) {
    for key in keys { _ = update(&model, .input(.key(key))) }
  }

  /// Leaves the dashboard as a person had it, and opens it again on the same file.
  private func reopened(_ model: Model) throws -> Model {
    let notes = try #require(HistoryNotes.decoded(model.keptNotes.encoded))
    #expect(notes == model.keptNotes)
    var next = LiveFixture.model(120, 36, depth: .none)
    next.session.notes = notes
    next.restore(notes.last)
    _ = update(&next, [.clock(LiveFixture.now), .feed(LiveFixture.shared)])
    return next
  }

  @Test("filter, order, window and screen come back")
  func all() throws {
    var model = LiveFixture.model(120, 36, depth: .none)
    press(&model, KeyPress("/"), KeyPress("m"), KeyPress("s"), KeyPress(.enter))
    press(&model, KeyPress("s"), KeyPress("s"), KeyPress("I"), KeyPress("T"), KeyPress("+"), KeyPress("2"))
    #expect(model.screen == "history")
    var next = try reopened(model)
    #expect(next.screen == "history" && next.live.filter == "ms" && next.live.isTree)
    #expect(next.live.sort == model.live.sort && next.live.isInverted && next.session.window == 60)
    press(&next, KeyPress("1"))
    press(&model, KeyPress("1"))
    #expect(next.session.window == 60)
    #expect(next.live.content.rows.map(\.id) == model.live.content.rows.map(\.id))
  }

  @Test("the selected metric comes back, unless a key was pressed meanwhile")
  func selection() throws {
    var model = LiveFixture.model(120, 36, depth: .none)
    press(&model, KeyPress("j"), KeyPress("j"))
    let selected = model.live.selection
    #expect(try reopened(model).live.selection == selected)
    var next = LiveFixture.model(120, 36, depth: .none, feed: .unread)
    next.restore(model.keptNotes.last)
    press(&next, KeyPress("j"))
    _ = update(&next, [.clock(LiveFixture.now), .feed(LiveFixture.shared)])
    #expect(next.live.selection != selected)
  }

  @Test("a filter of words that begin like those of the language is whole when it comes back")
  func wholeFilter() throws {
    var model = LiveFixture.model(120, 36, depth: .none)
    press(&model, KeyPress("/"), KeyPress("p"), KeyPress("9"), KeyPress(.enter))
    #expect(model.live.content.rows.isEmpty)
    #expect(try reopened(model).live.content.rows.isEmpty)
  }

  @Test("the order that was kept is there as soon as the samples are")
  func late() throws {
    var model = LiveFixture.model(120, 36, depth: .none)
    press(&model, KeyPress("s"), KeyPress("s"))
    let notes = model.keptNotes
    var next = LiveFixture.model(120, 36, depth: .none, feed: .unread)
    next.restore(notes.last)
    _ = update(&next, [.clock(LiveFixture.now), .feed(.unread)])
    #expect(next.live.mustSort)
    var loaded = LiveFixture.shared
    loaded.status.isLoaded = true
    _ = update(&next, [.clock(LiveFixture.now), .feed(loaded)])
    #expect(!next.live.mustSort && next.live.sort == .p50)
    #expect(next.live.content.rows.map(\.id) == model.live.content.rows.map(\.id))
  }

  @Test("the theme and the limits that were set on the screen are kept")
  func face() throws {
    var model = LiveFixture.model(120, 36, depth: .none)
    #expect(model.keptNotes.isEmpty)
    press(&model, .control("t"), KeyPress("#"), KeyPress("5"), KeyPress(.enter))
    let last = try reopened(model).session.notes.last
    #expect(last.theme == "night" && last.limits.count == 1)
    // The kept value stays though nothing is chosen the next time.
    #expect(try reopened(reopened(model)).session.notes.last.theme == "night")
  }

  @Test("a window that was reset is kept no more")
  func reset() throws {
    var model = LiveFixture.model(120, 36, depth: .none)
    press(&model, KeyPress("+"))
    var next = try reopened(model)
    press(&next, KeyPress("="))
    #expect(next.keptNotes.last.window == nil)
  }

  @Test("nothing that is in the file of notes stops the opening")
  func hostile() {
    var last = LastView()
    (last.screen, last.theme, last.window) = ("none", "plaid", .infinity)
    last.screens = ["live": ["sort": "?", "filter": String(repeating: "x", count: 10_000)], "x": ["y": "z"]]
    for index in 0..<1000 { last.limits["m\(index)"] = "1" }
    var notes = HistoryNotes()
    notes.keep(last)
    #expect(notes.last.window == nil && notes.last.limits.count == LastView.entryLimit)
    var model = LiveFixture.model(120, 36, depth: .none)
    model.restore(notes.last)
    _ = update(&model, [])
    #expect(model.screen == "live" && model.live.sort == .unusual && model.live.filter.isEmpty)
    #expect(model.session.window == Session.usualWindow)
  }

  @Test("notes of before, without what was looked at, are read as they were")
  func older() throws {
    let bytes = Array(#"{"version":1,"marks":[{"letter":"a","time":5}]}"#.utf8)
    let notes = try #require(HistoryNotes.decoded(bytes))
    #expect(notes.last.isEmpty && notes.marks.count == 1)
    #expect(!String(decoding: notes.encoded, as: UTF8.self).contains("last"))
  }
}
