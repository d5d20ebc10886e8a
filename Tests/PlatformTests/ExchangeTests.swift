import Foundation
import TestSupport
import Testing

@testable import Platform

@Suite("Two files that change places")
struct ExchangeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func names() throws -> [String] { try Posix.names(in: folder.url.path).sorted() }
  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: folder.path(name), encoding: .utf8)
  }

  /// As if a process had died two minutes ago.
  private func abandon(_ name: String) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -120)], ofItemAtPath: folder.path(name))
  }

  private func leftover(of name: String, knowing files: [String]) throws -> String {
    let known = try files.map { try #require(Posix.status(at: folder.path($0))).identity }
    return ReplacementFile.exchangeName(of: name, known[0], known[1])
  }

  @Test("what a killed exchange has left goes when it is one of the two")
  func known() throws {
    for own in [true, false] {
      let path = try folder.write("in place", to: "a")
      _ = try folder.write("the other", to: "b")
      let left = try leftover(of: "a", knowing: own ? ["a", "b"] : ["b", "a"])
      #expect(rename(folder.path("b"), folder.path(left)) == 0)
      ReplacementFile.removeLeftovers(of: path)
      #expect(try names().contains(left))
      try abandon(left)
      ReplacementFile.removeLeftovers(of: path)
      #expect(try names() == ["a"] && text("a") == "in place")
    }
  }

  @Test(
    "a third file that a killed exchange has left gets the name that is free, or a number",
    arguments: [0, 1, 2])
  func unknown(taken: Int) throws {
    for name in ["own", "old"] { _ = try folder.write(name, to: name) }
    let left = try leftover(of: "a", knowing: ["own", "old"])
    let places = ["a", "a.1", "a.2"]
    for place in places.prefix(taken) { _ = try folder.write("another", to: place) }
    _ = try folder.write("of somebody", to: left)
    try abandon(left)
    ReplacementFile.removeLeftovers(of: folder.path("a"))
    #expect(try text(places[taken]) == "of somebody")
    #expect(try names() == places.prefix(taken + 1) + ["old", "own"])
  }

  @Test("a file that comes to a place while it is given up gets a number when the place is taken again")
  func givenUp() throws {
    let path = folder.path("a")
    let file = try ReplacementFile(for: path)
    try file.putInFreePlace()
    try file.takeBack()
    #expect(try names() == [])
    _ = try folder.write("first", to: "a")
    _ = try folder.write("second", to: ".a.left")
    try ReplacementFile.keep(".a.left", as: "a", in: OpenFolder(folder.url.path))
    #expect(try names() == ["a", "a.1"] && text("a") == "first" && text("a.1") == "second")
  }

  @Test("what somebody writes while a file has the other's name goes to the one that stays")
  func betweenExchanges() throws {
    let path = try folder.write("old\n", to: "a")
    let old = try #require(Posix.status(at: path)).identity
    do {
      let file = try ReplacementFile(for: path)
      try file.write(Array("survivor\n".utf8))
      let place = try file.putInPlace(of: old) {
        #expect(rename(path, folder.path("a.1")) == 0)
        _ = try? folder.write("first\n", to: "a")
        // As a program does that opens the path between the two exchanges.
        let writer = FileHandle(forWritingAtPath: folder.path(file.temporary))
        _ = try? writer?.seekToEnd()
        try? writer?.write(contentsOf: Data("second\n".utf8))
        try? writer?.close()
        return path
      }
      #expect(place == nil)
    }
    #expect(try names() == ["a", "a.1"] && text("a") == "first\nsecond\n" && text("a.1") == "old\n")
  }

  @Test("of two files that change places the path is never free")
  func rotated() throws {
    let path = try folder.write("full", to: "a")
    let file = try ReplacementFile(for: path)
    #expect(try file.changePlaces(with: "a.1"))
    #expect(try file.isInPlace && names() == ["a", "a.1"] && text("a") == "" && text("a.1") == "full")
  }

  @Test("a file that cannot change places leaves all as it was")
  func notRotated() throws {
    let path = try folder.write("full", to: "a")
    do {
      let file = try ReplacementFile(for: path)
      _ = try folder.write("kept", to: "a.1")
      #expect(throws: FileFailure.other(EEXIST)) { try file.changePlaces(with: "a.1") }
      #expect(try text("a") == "full" && text("a.1") == "kept")
      #expect(rename(path, folder.path("b")) == 0 && rename(folder.path("a.1"), folder.path("c")) == 0)
      #expect(throws: FileFailure.missing) { try file.changePlaces(with: "a.1") }
      #expect(!file.isInPlace && !Posix.isTaken(folder.path("a.1")))
    }
    #expect(try names() == ["b", "c"])
  }

  @Test("what is written late comes behind what others have added meanwhile")
  func late() throws {
    let file = try ReplacementFile(for: folder.path("a"))
    try file.write(Array("1\n".utf8))
    try file.putInPlace()
    let other = try Posix.openRegular(folder.path("a"), .appending)
    defer { Posix.close(other) }
    try FileHandle(fileDescriptor: other).write(contentsOf: Data("2\n".utf8))
    file.appendFromNowOn()
    try file.write(Array("3\n".utf8))
    #expect(try text("a") == "1\n2\n3\n")
  }
}
