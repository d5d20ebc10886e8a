import Aggregation
import Commands
import DashboardCore
import HistogramScreen
import Platform
import Testing

@Suite("What is chosen of the histogram")
struct HistogramOptionTests {
  private let parser = CommandLineParser(
    environment: ProcessEnvironment(variables: ["HOME": "/home/me"], now: Timestamp(1_000_000)) { _ in false }
  )

  private func request(_ arguments: String...) throws -> SnapshotCommand.Request {
    guard case .command(let command) = try parser.parse(["snapshot", "a"] + arguments) else {
      throw CancellationError()
    }
    return try #require(command.request as? SnapshotCommand.Request)
  }

  @Test("without any option nothing is chosen, and the screen is the first one")
  func nothing() throws {
    let plain = try request()
    #expect(plain.screen == nil && plain.histogram == HistogramOptions())
    let chosen = try request("--screen", "histogram")
    #expect(chosen.screen == "histogram" && chosen.histogram == HistogramOptions())
  }

  @Test("each option is a choice of the look, and asks for the screen")
  func all() throws {
    let request = try request(
      "--metric", "sync.push_ms", "--a", "version=2.4.1", "--b=2h..-30m", "--only", "net=wifi", "--only=os=",
      "--group", "outcome", "--scale", "log", "--percentiles", "99,50,99.9,50", "--lens", "--hide-few",
      "--overview", "--at=15m", "--window", "20m")
    var look = HistogramOptions()
    look.metric = "sync.push_ms"
    look.sides.a = .label(dimension: "version", value: .value("2.4.1"))
    look.sides.b = .window(Range(seconds: 1_000_000 - 7200..<1_000_000 - 1800))
    look.sides.only = ["net": .value("wifi"), "os": .missing]
    (look.group, look.scale, look.percentiles) = ("outcome", .logarithmic, [50, 99, 99.9])
    (look.hasLens, look.hidesFew) = (true, true)
    #expect(request.histogram == look && request.isOverview && request.screen == "histogram")
    #expect(request.moment == Timestamp(1_000_000 - 900) && request.window == 1200)
  }

  @Test(
    "a side is all, none, a value, no value, or a stretch of time",
    arguments: [
      ("all", .everything), ("none", .nothing),
      ("version=1..2", .label(dimension: "version", value: .value("1..2"))),
      ("a=b=c", .label(dimension: "a", value: .value("b=c"))),
      ("version=", .label(dimension: "version", value: .missing)),
      ("-10..20.5", .window(Range(seconds: -10..<20.5))),
      (
        "2001-01-01T00:00:00Z..2001-01-02T00:00:00Z",
        .window(Range(seconds: 0..<86_400))
      ),
    ] as [(String, HistogramChoice)])
  func choices(_ text: String, _ choice: HistogramChoice) throws {
    #expect(try request("--a=" + text).histogram.sides.a == choice)
    #expect(try request("--b", text).histogram.sides.b == choice)
  }

  @Test("each scale of the grid has the word by which it is copied", arguments: HistogramGrid.Scale.allCases)
  func scales(_ scale: HistogramGrid.Scale) throws {
    #expect(try request("--scale", scale.flag).histogram.scale == scale)
  }

  @Test(
    "what makes no sense is refused with what would",
    arguments: [
      (
        ["--a", "2.4.1"],
        "invalid value '2.4.1' for --a: expected all, none, FIELD=VALUE, or FROM..TO with times as for --at, the earlier one first"
      ),
      (
        ["--b", "20..10"],
        "invalid value '20..10' for --b: expected all, none, FIELD=VALUE, or FROM..TO with times as for --at, the earlier one first"
      ),
      (["--only", "=x"], "invalid value '=x' for --only: expected FIELD=VALUE, such as version=2.4.1"),
      (["--group", ""], "invalid value '' for --group: expected the name of a field"),
      (["--scale", "cubic"], "invalid value 'cubic' for --scale: expected linear, log or recorded"),
      (
        ["--percentiles", "50,,90"],
        "invalid value '50,,90' for --percentiles: expected up to 12 numbers from 0 to 100, such as 50,90,99"
      ),
      (
        ["--percentiles", "nan"],
        "invalid value 'nan' for --percentiles: expected up to 12 numbers from 0 to 100, such as 50,90,99"
      ),
      (
        ["--percentiles", "101"],
        "invalid value '101' for --percentiles: expected up to 12 numbers from 0 to 100, such as 50,90,99"
      ),
      (["--screen", "live", "--overview"], "--overview cannot be combined with --screen live"),
      (["--screen", "live", "--from", "1h"], "--from cannot be combined with --screen live"),
      (["--group", "version", "--from", "1h"], "--from cannot be combined with --group"),
      (["--overview", "--log"], "--log cannot be combined with --overview"),
      (["--screen", "sync", "--window", "20m"], "--window cannot be combined with --screen sync"),
      (["--screen", "delivery", "--pin", "a.b"], "--pin cannot be combined with --screen delivery"),
      (["--screen", "history", "--from", "1h"], "--from needs --window"),
      (
        ["--from", "1h", "--window", "20m", "--at", "30m"],
        "--from cannot be combined with an --at that is not in that time"
      ),
    ])
  func refusals(_ arguments: [String], _ message: String) {
    let error = #expect(throws: UsageError.self) { try parser.parse(["snapshot"] + arguments) }
    #expect(error?.message == message)
  }
}
