import Foundation
import JSONLines
import Platform
import TerminalUI
import TestSupport
import Testing

@testable import Commands
@testable import Dashboard
@testable import DashboardCore

@Suite("Spools")
struct SpoolTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A member of a gzip file that is cut right behind its head.
  private static let cut: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

  private func packed(_ bytes: [UInt8]) throws -> String {
    let path = folder.path("app.jsonl.GZ")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test("are made for standard input and for packed files, under names that a person knows")
  func operands() throws {
    let packed = try packed(Self.cut)
    let plain = try folder.write("{}\n", to: "plain.gz")
    #expect(SpooledOperands.isNeeded(for: [plain, packed]) && SpooledOperands.isNeeded(for: ["-"]))
    #expect(!SpooledOperands.isNeeded(for: [plain, folder.path("missing.gz"), folder.url.path]))
    let operands = SpooledOperands([packed, plain, "-", packed], in: URL(fileURLWithPath: "/s"))
    #expect(operands.paths == ["/s/app.jsonl", plain, "/s/standard input", "/s/2-app.jsonl"])
    #expect(operands.spools.map(\.name) == [packed, "-", packed])
  }

  @Test("leave the names of operands in commands that can be typed")
  func commands() {
    var session = Model(
      size: Size(width: 80, height: 24), now: Timestamp(0),
      theme: Theme(capabilities: Capabilities(depth: .none))
    ).session
    session.spooled = ["/s/app.jsonl": "app.jsonl.gz", "/s/standard input": "-"]
    session.shown.status.sources = ["/s/app.jsonl", "/s/standard input", "other.jsonl"]
    #expect(session.files == ["app.jsonl.gz", "-", "other.jsonl"])
  }

  @Test("are readable by their owner alone, replace nothing, and say what is missing")
  func file() throws {
    let target = folder.path("target")
    let spool = Spool(.packed(try packed(Self.cut)), to: target)
    #expect(try spool.run()?.contains("is damaged or cut off") == true)
    var status = stat()
    #expect(lstat(target, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(throws: FileFailure.self) { try spool.run() }
  }

  @Test("end at their limit, in words")
  func limit() throws {
    let content = [UInt8](repeating: 0x0A, count: 100_000)
    let length = UInt16(50_000)
    let block =
      withUnsafeBytes(of: length.littleEndian) { Array($0) }
      + withUnsafeBytes(of: (~length).littleEndian) { Array($0) }
    let packed = try packed(Self.cut + [0] + block + content[..<50_000] + [0] + block + content[50_000...])
    let target = folder.path("target")
    let note = try Spool(.packed(packed), to: target, limit: 60_000).run()
    #expect(note?.contains("only its beginning is shown") == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: target)).count <= 60_000)
  }

  @Test("end the last line of what has come to its end", arguments: ["1\n2", "1\n2\n", ""])
  func lastLine(_ text: String) throws {
    let content = Array(text.utf8)
    let length = UInt16(content.count)
    let block =
      withUnsafeBytes(of: length.littleEndian) { Array($0) }
      + withUnsafeBytes(of: (~length).littleEndian) { Array($0) }
    // Cut behind the data: what came out is all that comes.
    let packed = try packed(Self.cut + [0] + block + content)
    let target = folder.path("target")
    _ = try Spool(.packed(packed), to: target).run()
    let kept = try String(contentsOfFile: target, encoding: .utf8)
    #expect(kept == (text.isEmpty ? "" : "1\n2\n"))
  }
}
