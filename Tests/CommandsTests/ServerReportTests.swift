import Testing

@testable import ClickHouse
@testable import Commands

@Suite("What doctor says of a database")
struct ServerReportTests {
  private static func report(_ change: (inout Examination) -> Void) throws -> [String] {
    var found = Examination()
    (found.version, found.samples, found.hosts, found.streams) = ("26.9.1", 12, 1, 2)
    change(&found)
    let text = ServerReport.text(found, of: try ServerAddress("clickhouse://h/shop"))
    return text.split(separator: "\n").map(String.init)
  }

  @Test func `A sound database has no remedy`() throws {
    #expect(
      try Self.report { _ in } == [
        "h:8123, database shop: ClickHouse 26.9.1", "  samples   12 samples of 1 host in 2 streams",
        "  clock     matches this machine's", "  numbers   without gaps or repetitions",
        "  rollups   match the samples",
      ])
  }

  @Test func `Names from the server cannot drive the terminal`() throws {
    let lines = try Self.report { found in
      found.version = "26\u{1B}[2J"
      found.faultyStreams = [.init(host: "web\u{7}\n1", stream: "7", missing: 3, repeated: 1)]
    }
    #expect(lines.joined().unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    #expect(lines.contains { $0.contains("stream 7: 3 missing, 1 twice") })
  }

  @Test func `Rollups that lack values come with the statements that add them`() throws {
    let lines = try Self.report { found in
      found.clockSkew = -90
      found.faultyRollups = [.init(table: "slot_sums", slots: 2, lacking: 40, surplus: 0)]
    }
    #expect(lines.contains("  clock     1m30s behind this machine's"))
    #expect(lines.contains("    slot_sums: 2 slots off, 40 values too few, 0 too many"))
    #expect(lines.contains { $0.hasPrefix("INSERT INTO shop.slot_sums") })
  }
}
