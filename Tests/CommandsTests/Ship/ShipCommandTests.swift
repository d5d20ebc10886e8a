import ClickHouse
import Codecs
import HTTPClient
import JSONLines
import Platform
import Testing

@testable import Commands

@Suite("The command line of ship")
struct ShipCommandTests {
  private static func request(_ arguments: String...) throws -> ShipCommand.Request {
    let environment = ProcessEnvironment(
      variables: ["HOME": "/home/me"], now: Timestamp(1_000_000), exists: { _ in false })
    guard
      case .command(let prepared) = try CommandLineParser(environment: environment).parse(
        ["ship"] + arguments)
    else { throw CancellationError() }
    return try #require(prepared.request as? ShipCommand.Request)
  }

  @Test func `All of it`() throws {
    let request = try Self.request(
      "a.jsonl", "logs", "--to", "clickhouses://w@h/shop", "--host", "web-1", "--cursor-file", "c", "--ca",
      "ca.pem",
      "--store", "own.jsonl", "--poll", "2")
    #expect(request.paths == ["a.jsonl", "logs"] && request.host == "web-1" && request.cursorFile == "c")
    #expect(request.address == (try ServerAddress("clickhouses://w@h/shop")))
    #expect(request.authorities == "ca.pem" && request.store == "own.jsonl" && request.polling.forced == 2)
  }

  @Test func `A host has this machine's name unless it is given one`() throws {
    let request = try Self.request("a.jsonl", "--to", "clickhouse://h/shop", "--cursor-file", "c")
    #expect(!request.host.isEmpty && request.store == nil)
  }

  @Test func `A password in the address is refused and not repeated`() {
    let error = #expect(throws: UsageError.self) {
      try Self.request("a.jsonl", "--to", "clickhouse://me:secret@h/shop", "--cursor-file", "c")
    }
    #expect(
      error?.message
        == "invalid address for --to: it has a password, which others can read: use $CLICKHOUSE_PASSWORD or ~/.netrc"
    )
  }

  @Test(arguments: [
    (["a", "--to", "clickhouse://h/shop"], "option --cursor-file is required"),
    (["a", "--cursor-file", "c"], "option --to is required"),
    (["--to", "clickhouse://h/shop", "--cursor-file", "c"], "missing FILE"),
    (["-", "--to", "clickhouse://h/shop", "--cursor-file", "c"], "unexpected argument '-'"),
    (
      ["a", "--to", "http://h/shop", "--cursor-file", "c"],
      "invalid address for --to: it is not clickhouse[s]://[USER@]HOST[:PORT]/DATABASE"
    ),
  ])
  func missing(arguments: [String], message: String) {
    let parser = CommandLineParser(
      environment: ProcessEnvironment(variables: [:], now: Timestamp(0), exists: { _ in false }))
    let error = #expect(throws: UsageError.self) { try parser.parse(["ship"] + arguments) }
    #expect(error?.message == message)
  }

  @Test func `Statements need no address`() throws {
    #expect(try Self.request("--schema").printed == .schema)
    #expect(try Self.request("--repair", "--to", "clickhouse://h/shop?cluster=two").address?.cluster == "two")
  }

  @Test func `What is told of a server says since when`() throws {
    let address = try ServerAddress("clickhouse://h:8124/shop")
    let since = Timestamp(100)
    let text = { ShipFormatter.text($0, of: address, now: Timestamp(190), in: .utc) }
    #expect(
      text(.failing(.unanswered(.timedOut, ""), since: since))
        == "h:8124 has accepted the connection, but does not answer (since 00:01:40); it is tried again, and the files wait"
    )
    #expect(text(.recovered(since: since)) == "h:8124 takes samples again, after 1m30s")
    #expect(
      text(.incomplete(rows: 7, of: 10))
        == "h:8124 has 7 of the 10 samples of a block: the others were deleted there, and are not sent again")
  }
}
