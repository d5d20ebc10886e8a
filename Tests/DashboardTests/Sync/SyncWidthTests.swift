import Foundation
import TerminalUI
import TestSupport
import Testing

@testable import DashboardCore

@Suite("Text of the Sync screen uses the width there is")
struct SyncWidthTests {
  /// Texts cut in a row although there is room behind them, up to the next line of a box.
  static func cut(in row: String) -> String? {
    for part in row.split(whereSeparator: { "│┃|║".contains($0) }) {
      guard let place = part.range(of: "…  ") else { continue }
      return String(part[..<place.upperBound])
    }
    return nil
  }

  @Test func `No picture that is kept cuts a text beside blank cells`() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Snapshots")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasPrefix("sync-")
    }
    #expect(names.count > 30)
    for name in names {
      let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      for row in text.split(separator: "\n") { #expect(Self.cut(in: String(row)) == nil, "\(name): \(row)") }
    }
  }

  @Test("no frame does, of any story at any size and moment", arguments: SyncFixture.stories)
  func frames(name: String) throws {
    var generator = SeededGenerator(seed: 22)
    let entries = try SyncFixture.entries(name)
    for _ in 0..<trials(2, long: 6) {
      let end = Int.random(in: 1...entries.count, using: &generator)
      let width = Int.random(in: 20...240, using: &generator)
      let height = Int.random(in: 5...80, using: &generator)
      var model = SyncFixture.model(width, height, feed: try SyncFixture.feed(entries.prefix(end)))
      for key in ["", "z", "x"] where Bool.random(using: &generator) {
        if let letter = key.first { _ = update(&model, .input(.key(KeyPress(letter)))) }
        model.session.toast = nil
        for row in view(model).buffer.lines {
          #expect(Self.cut(in: row) == nil, "\(name), \(end) entries, \(width)x\(height): \(row)")
        }
      }
    }
  }
}
