import Foundation
import TestSupport
import Testing

/// Against Debian's ClickHouse, with the script of the soak.
@Suite("mistertop ship")
struct ShipEndToEndTests {
  private struct Figures: Decodable {
    let lines: Int
    let rows: Int
    let different: Int
    let numbered: Int
    let repaired: Bool
    let kills: [String: Int]
    let dropped: Int
    let result: String
  }

  private static let hasServer = ["/usr/bin", "/usr/sbin"].contains {
    FileManager.default.isExecutableFile(atPath: $0 + "/clickhouse-server")
  }

  private static func run(_ arguments: String...) throws -> Figures {
    let folder = try TemporaryFolder()
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Soak/ship-kills")
    let output = folder.path("out")
    _ = try ChildProcess(
      "python3",
      [script.path, try Shell.program, "--lines", "60000", "--kills", "6", "--seconds", "12"] + arguments,
      environment: ["PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": folder.url.path], output: output
    ).wait()
    let text = try String(contentsOfFile: output, encoding: .utf8)
    let last = try #require(text.split(separator: "\n").last { $0.hasPrefix("{") }, "\(text)")
    return try JSONDecoder().decode(Figures.self, from: Data(last.utf8))
  }

  @Test(
    "Every line arrives once, whatever is killed, rotated or dropped meanwhile",
    .enabled(if: hasServer, "clickhouse-server is not installed"))
  func kills() throws {
    let figures = try Self.run()
    #expect(figures.lines == 60_000 && figures.rows == figures.lines, "\(figures)")
    #expect(figures.different == figures.lines && figures.numbered == figures.lines, "\(figures)")
    #expect(figures.repaired && figures.result == "green", "\(figures)")
    #expect(figures.kills.values.reduce(0, +) == 6, "\(figures)")
  }

  @Test(
    "Lines arrive twice without the question for them, and without the names of inserts",
    .enabled(if: hasServer, "clickhouse-server is not installed"), arguments: ["asking", "names"])
  func controls(without: String) throws {
    let figures = try Self.run("--without", without)
    #expect(figures.different == figures.lines && figures.rows > figures.lines, "\(figures)")
  }

  @Test func `A password in the address ends it, and is not repeated`() throws {
    let (status, output) = try Shell.mistertop(
      "ship", "metrics.jsonl", "--to", "clickhouse://me:secret@127.0.0.1/shop", "--cursor-file", "cursor")
    #expect(status == 2)
    #expect(output.contains("it has a password") && !output.contains("secret"))
  }
}
