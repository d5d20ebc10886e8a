import Platform
import Testing

@testable import ClickHouse
@testable import Commands

@Suite("The address of a server in place of files")
struct ServerOperandTests {
  private static let environment = ProcessEnvironment(
    variables: ["HOME": "/home/me"], now: Timestamp(0), exists: { _ in true })

  private func request(_ arguments: [String]) throws -> (any Sendable)? {
    guard case .command(let prepared) = try CommandLineParser(environment: Self.environment).parse(arguments)
    else {
      return nil
    }
    return prepared.request
  }

  @Test func `the dashboard, snapshot, stats, export and doctor read a server`() throws {
    let text = "clickhouses://me@h/shop"
    let server = ServerOperand(try ServerAddress(text))
    let dashboard = try #require(try request([text]) as? DashboardCommand.Request)
    #expect(dashboard.server == server && dashboard.paths == [text])
    #expect((try request(["snapshot", text]) as? SnapshotCommand.Request)?.server == server)
    #expect((try request(["stats", text]) as? StatsCommand.Request)?.server == server)
    #expect((try request(["export", text]) as? ExportCommand.Request)?.server == server)
    let doctor = try #require(try request(["doctor", "a", text, "--ca", "ca.pem"]) as? DoctorCommand.Request)
    #expect(doctor.paths == ["a"] && doctor.servers == [ServerOperand(server.address, authorities: "ca.pem")])
    #expect((try request(["stats", "a.jsonl"]) as? StatsCommand.Request)?.server == nil)
  }

  @Test(
    arguments: [
      (["tail", "clickhouse://h/shop"], UsageError.readsNoServer),
      (["info", "clickhouses://h/shop"], .readsNoServer),
      (["stats", "clickhouse://h/shop", "a.jsonl"], .conflict("an address", "other operands")),
      (["clickhouse://h"], .invalidAddress(for: "the server", reason: ServerAddress.Refusal.noDatabase.text)),
      (
        ["snapshot", "clickhouse://me:secret@h/shop"],
        .invalidAddress(for: "the server", reason: ServerAddress.Refusal.hasPassword.text)
      ),
      (
        ["stats", "--incidents", "clickhouse://h/shop"],
        .conflict("--incidents", "an address: incidents are found in files")
      ),
      (
        ["export", "--format", "ips", "--output", "x", "clickhouse://h/shop"],
        .conflict("--format ips", "an address: crash reports are made of payload files")
      ),
    ] as [([String], UsageError)])
  func `other uses of an address are refused`(arguments: [String], error: UsageError) {
    #expect(throws: error) { try request(arguments) }
    #expect(!error.message.contains("secret"))
  }
}
