import Aggregation
import Commands
import Dashboard
import Testing

@Suite("What is chosen of the histogram")
struct HistogramOptionTests {
  private let parser = CommandLineParser(
    surroundings: Surroundings(environment: ["HOME": "/home/me"], now: 1_000_000) { _ in false })

  private func request(_ arguments: String...) throws -> SnapshotRequest {
    guard case .snapshot(let request) = try parser.parse(["snapshot", "a"] + arguments) else {
      throw CancellationError()
    }
    return request
  }

  @Test("without any option nothing is chosen, and the screen is the first one")
  func nothing() throws {
    let plain = try request()
    #expect(plain.screen == .live && !plain.isScreenChosen && plain.histogram == HistogramLook())
    let chosen = try request("--screen", "histogram")
    #expect(chosen.screen == .histogram && chosen.isScreenChosen && chosen.histogram == HistogramLook())
  }

  @Test("each option is a choice of the look, and asks for the screen")
  func all() throws {
    let request = try request(
      "--metric", "sync.push_ms", "--a", "version=2.4.1", "--b=2h..-30m", "--only", "net=wifi", "--only=os=",
      "--group", "outcome", "--scale", "log", "--percentiles", "99,50,99.9,50", "--no-lens", "--hide-few",
      "--overview", "--at=15m", "--window", "20m")
    var look = HistogramLook()
    look.metric = "sync.push_ms"
    look.a = .label(dimension: "version", value: .value("2.4.1"))
    look.b = .window(1_000_000 - 7200..<1_000_000 - 1800)
    look.only = ["net": .value("wifi"), "os": .missing]
    (look.group, look.scale, look.percentiles) = ("outcome", .logarithmic, [50, 99, 99.9])
    (look.hasLens, look.hidesFew, look.isOverview) = (false, true, true)
    #expect(request.histogram == look && request.screen == .histogram && request.isScreenChosen)
    #expect(request.moment == 1_000_000 - 900 && request.window == 1200)
  }

  @Test(
    "a side is all, none, a value, no value, or a stretch of time",
    arguments: [
      ("all", .everything), ("none", .nothing),
      ("version=1..2", .label(dimension: "version", value: .value("1..2"))),
      ("a=b=c", .label(dimension: "a", value: .value("b=c"))),
      ("version=", .label(dimension: "version", value: .missing)), ("-10..20.5", .window(-10..<20.5)),
      (
        "2001-01-01T00:00:00Z..2001-01-02T00:00:00Z",
        .window(0..<86_400)
      ),
    ] as [(String, HistogramChoice)])
  func choices(_ text: String, _ choice: HistogramChoice) throws {
    #expect(try request("--a=" + text).histogram.a == choice)
    #expect(try request("--b", text).histogram.b == choice)
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
        "'2.4.1' is no value for --a: all, none, FIELD=VALUE, or FROM..TO with times as for --at, the earlier one first"
      ),
      (
        ["--b", "20..10"],
        "'20..10' is no value for --b: all, none, FIELD=VALUE, or FROM..TO with times as for --at, the earlier one first"
      ),
      (["--only", "=x"], "'=x' is no value for --only: FIELD=VALUE, such as version=2.4.1"),
      (["--group", ""], "'' is no value for --group: the name of a field"),
      (["--scale", "cubic"], "'cubic' is no value for --scale: linear, log or recorded"),
      (
        ["--percentiles", "50,,90"],
        "'50,,90' is no value for --percentiles: up to 12 numbers from 0 to 100, such as 50,90,99"
      ),
      (
        ["--percentiles", "nan"],
        "'nan' is no value for --percentiles: up to 12 numbers from 0 to 100, such as 50,90,99"
      ),
      (
        ["--percentiles", "101"],
        "'101' is no value for --percentiles: up to 12 numbers from 0 to 100, such as 50,90,99"
      ),
      (["--screen", "live", "--overview"], "--overview and --screen live do not go together"),
    ])
  func refusals(_ arguments: [String], _ message: String) {
    let error = #expect(throws: UsageError.self) { try parser.parse(["snapshot"] + arguments) }
    #expect(error?.message == message)
  }
}
