import Foundation
import Platform
import TestSupport
import Testing

@testable import JSONLines

/// Files that other programs unpack.
@Suite("Unpacking programs")
struct UnpackingProgramTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func read(_ bytes: some Collection<UInt8>) throws -> (content: [UInt8], note: PlainStream.Note?) {
    let path = folder.path("input")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    #expect(StreamedFile.isNeeded(path))
    let descriptor = try Posix.open(path)
    defer { Posix.close(descriptor) }
    let stream = PlainStream(descriptor: descriptor)
    var (content, piece) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
    while case let count = try piece.withUnsafeMutableBytes({ try stream.read(into: $0) }), count > 0 {
      content += piece[..<count]
    }
    #expect(stream.isPacked && !stream.canGrow)
    return (content, stream.note)
  }

  private func packed(_ text: String, by name: String) throws -> [UInt8] {
    let plain = folder.path("plain")
    try Data(text.utf8).write(to: URL(fileURLWithPath: plain))
    let output = folder.path("packed")
    #expect(try ChildProcess(name, ["-c", "-q", plain], output: output).wait() == .exited(0))
    return try Array(Data(contentsOf: URL(fileURLWithPath: output)))
  }

  static let programs = ["xz", "zstd", "bzip2"].filter(ChildProcess.isInstalled)

  @Test("xz, zstd and bzip2 are unpacked by their programs, and damage is told", arguments: programs)
  func unpacked(name: String) throws {
    var generator = SeededGenerator(seed: 3)
    let text = (0..<60_000).map { "{\"n\":\($0),\"r\":\(generator.next())}\n" }.joined()
    let bytes = try packed(text, by: name)
    let whole = try read(bytes)
    #expect(whole.content == Array(text.utf8) && whole.note == nil)
    let cut = try read(bytes.prefix(bytes.count / 2))
    #expect(text.utf8.starts(with: cut.content) && cut.content.count < text.utf8.count)
    guard case .failed(_, let words)? = cut.note else {
      return #expect(Bool(false), "\(String(describing: cut.note))")
    }
    #expect(!words.isEmpty && cut.note?.text.contains(name) == true)
  }

  @Test("A packed text may have any form")
  func forms() throws {
    guard Self.programs.contains("xz") else { return }
    #expect(try read(packed("[\n  {\n    \"a\": 1\n  }\n]\n", by: "xz")).content == Array("{\"a\":1}\n".utf8))
  }

  @Test("What cannot be unpacked here comes with the command that does it")
  func commands() throws {
    let zip = try read(Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 1, count: 100))
    #expect(zip.content.isEmpty && zip.note?.text == "is packed with zip: unzip -p FILE | mistertop -")
    #expect(
      PlainStream.Note.packed(.xz).text
        == "is packed with xz: xz -dc FILE | mistertop - (xz is not installed here)")
  }

  @Test("A stream that is left early kills its program")
  func leftEarly() throws {
    guard Self.programs.contains("xz") else { return }
    let path = folder.path("input")
    try Data(packed(String(repeating: "{\"a\":1}\n", count: 4_000_000), by: "xz")).write(
      to: URL(fileURLWithPath: path))
    let descriptor = try Posix.open(path)
    defer { Posix.close(descriptor) }
    var stream: PlainStream? = PlainStream(descriptor: descriptor)
    var piece = [UInt8](repeating: 0, count: 100)
    #expect(try piece.withUnsafeMutableBytes { try stream?.read(into: $0) ?? 0 } > 0)
    let start = MonotonicInstant.now()
    stream = nil
    #expect(MonotonicInstant.now() - start < 5)
  }
}
