import History
import Platform
import Testing

@testable import ClickHouse

@Suite("A reader of a server that fails")
struct ServerReaderTests {
  /// Answers what a closure makes of the settings of a question.
  private final class ScriptedLink: ServerLink {
    private let answer: ([String: String]) -> Result<[UInt8], ServerFailure>

    init(_ answer: @escaping ([String: String]) -> Result<[UInt8], ServerFailure>) { self.answer = answer }

    func run(
      _ statement: String, settings: [(name: String, value: String)], rows: [UInt8]
    ) -> Result<[UInt8], ServerFailure> {
      answer(Dictionary(settings) { $1 })
    }
  }

  private static func reader(
    _ answer: @escaping ([String: String]) -> Result<[UInt8], ServerFailure>
  ) -> ServerReader {
    ServerReader(
      of: "db:8123", link: ScriptedLink(answer), other: ScriptedLink(answer),
      interruption: ServerReader.Interruption())
  }

  /// A server with a shard that does not answer.
  private static func half(_ settings: [String: String]) -> Result<[UInt8], ServerFailure> {
    settings["skip_unavailable_shards"] == "1"
      ? .success([1, 2, 3]) : .failure(.refused(status: 500, code: 279, "All connection tries failed"))
  }

  @Test func `the other shards answer for one that cannot be reached, and it is said`() throws {
    let reader = Self.reader(Self.half)
    #expect(try reader.ask("SELECT 1") == [1, 2, 3])
    #expect(reader.missing?.words == "db:8123 cannot reach one of its shards, whose samples are missing")
    reader.begin()
    #expect(reader.missing == nil)
  }

  @Test func `lines of only some shards are not read`() {
    let reader = Self.reader(Self.half)
    reader.takesParts = false
    #expect(throws: ServerProblem.self) { try reader.ask("SELECT 1") }
    #expect(reader.missing == nil)
  }

  @Test(arguments: ["Code: 241, e.displayText() = DB::Exception: Memory limit", "\u{7F}", "<html>404</html>"])
  func `an answer of another kind is one sentence`(body: String) throws {
    let address = try ServerAddress("clickhouse://db/shop")
    let source = ClickHouseSource(of: address, interruption: ServerReader.Interruption()) { _ in
      Self.reader { _ in .success(Array(body.utf8)) }
    }
    _ = source.refresh()
    do {
      _ = try source.answer(HistoryQuery(window: .allTime, playhead: Timestamp(0))) { _, _ in true }
      Issue.record("an answer of \(body)")
    } catch {
      #expect(IndexPass.Failure.words(of: error).hasPrefix("db:8123 does not answer as ClickHouse does"))
    }
  }
}
