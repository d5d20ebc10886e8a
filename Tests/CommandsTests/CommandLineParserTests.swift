import Codecs
import DashboardCore
import Foundation
import History
import JSONLines
import Platform
import QueryLanguage
import TerminalUI
import Testing

@testable import Commands

@Suite("Command line")
struct CommandLineParserTests {
  private static let environment = ProcessEnvironment(
    variables: ["HOME": "/home/me"], now: Timestamp(1_000_000), exists: { $0 == "metrics" })
  private let parser = CommandLineParser(environment: environment)

  @Test("NO_COLOR means no color, unless colors are asked for", arguments: ["snapshot", ""])
  func noColor(command: String) throws {
    let environment = ProcessEnvironment(
      variables: ["NO_COLOR": "1"], now: Timestamp(0), exists: { _ in true })
    let line = command.isEmpty ? [] : [command]
    func view(_ more: String...) throws -> ViewOptions? {
      guard case .command(let prepared) = try CommandLineParser(environment: environment).parse(line + more)
      else { return nil }
      return (prepared.request as? SnapshotCommand.Request)?.view
        ?? (prepared.request as? DashboardCommand.Request)?.view
    }
    #expect(try view()?.colors == ColorDepth.none)
    #expect(try view("--colors", "256")?.colors == .indexed256)
  }

  /// The request that a command line makes of a command.
  private func request<C: Command>(
    _ command: C.Type, _ arguments: String..., environment: ProcessEnvironment = Self.environment
  ) throws -> C.Request {
    let line = command.name.isEmpty ? arguments : [command.name] + arguments
    guard case .command(let prepared) = try CommandLineParser(environment: environment).parse(line) else {
      throw CancellationError()
    }
    return try #require(prepared.request as? C.Request)
  }

  private func message(_ arguments: [String]) -> String? {
    do throws(UsageError) {
      _ = try parser.parse(arguments)
      return nil
    } catch {
      return error.message
    }
  }

  static let wrong: [(arguments: [String], message: String)] = [
    (
      ["tail", "--poll", "0.05", "a"],
      "invalid value '0.05' for --poll: expected a number of seconds from 0.1 to 3600"
    ),
    (
      ["--poll", "nan", "./a"],
      "invalid value 'nan' for --poll: expected a number of seconds from 0.1 to 3600"
    ),
    (["frobnicate"], "'frobnicate' is neither a command nor a file"),
    (["snapshto"], "'snapshto' is neither a command nor a file; did you mean snapshot?"),
    (["help", "stat"], "'stat' is neither a command nor a file; did you mean stats?"),
    (["stats", "--formt", "csv"], "unknown option '--formt'; did you mean --format?"),
    (["--frob"], "unknown option '--frob'"),
    (["-x"], "unknown option '-x'"),
    (["stats", "--version"], "unknown option '--version'"),
    (["stats", "--bucket"], "option '--bucket' needs a value"),
    (
      ["stats", "a.jsonl", "--format", "xml"], "invalid value 'xml' for --format: expected table, json or csv"
    ),
    (["stats", "--sensitivity", "high"], "--sensitivity needs --incidents"),
    (
      ["stats", "--incidents", "--sensitivity", "0.1"],
      "invalid value '0.1' for --sensitivity: expected low, normal or high"
    ),
    (["stats", "--since", "soon"], "invalid value 'soon' for --since: expected \(TimeArgument.expected)"),
    (["stats", "--threads=0"], "invalid value '0' for --threads: expected a number from 1 to 256"),
    (["record"], "missing BUCKET"),
    (["record", "app"], "missing NAME"),
    (["record", "app", "x"], "missing VALUE"),
    (["record", "app", "x", "1", "2"], "unexpected argument '2'"),
    (
      ["record", "a", "b", "1", "--type", "text"],
      "invalid value 'text' for --type: expected double, int, bool or string"
    ),
    (["optimize"], "option --keep is required"),
    (
      ["optimize", "--keep", "long"],
      "invalid value 'long' for --keep: expected an age such as 30d, 2w or 12h"
    ),
    (
      ["snapshot", "--size", "80"],
      "invalid value '80' for --size: expected columns x rows, each from 1 to 1000, such as 80x24"
    ),
    (
      ["snapshot", "--size", "0x5"],
      "invalid value '0x5' for --size: expected columns x rows, each from 1 to 1000, such as 80x24"
    ),
    (
      ["snapshot", "--screen", "sink"],
      "invalid value 'sink' for --screen: expected \(SnapshotScreen.help)"
    ),
    (
      ["snapshot", "--window", "wide"],
      "invalid value 'wide' for --window: expected a duration such as 90s, 20m, 2h or 30d"
    ),
    (["snapshot", "--at", "soon"], "invalid value 'soon' for --at: expected \(TimeArgument.expected)"),
    (
      ["export", "--format", "xml"],
      "invalid value 'xml' for --format: expected csv, jsonl, openmetrics, influx, metrickit or ips"
    ),
    (["export", "--output="], "invalid value '' for --output: expected a file name"),
    (["export", "--until", "soon"], "invalid value 'soon' for --until: expected \(TimeArgument.expected)"),
    (["tail", "--cursor-file="], "invalid value '' for --cursor-file: expected a file name"),
    (["import"], "missing FILE, the file or folder with payloads"),
    (["import", "a", "--store="], "invalid value '' for --store: expected a file name"),
    (
      ["import", "a", "--zone", "Mars"],
      "invalid value 'Mars' for --zone: expected a time zone, such as Europe/Berlin, +01:00, UTC or local"
    ),
    (["demo", "x"], "unexpected argument 'x'"),
    (["demo", "--seed", "-1"], "invalid value '-1' for --seed: expected a whole number from 0"),
    (["demo", "--scenario"], "option '--scenario' needs a value"),
    (["demo", "--scenario=a", "--history", "f"], "--scenario cannot be combined with --history"),
    (["doctor"], "missing FILE, the file to check"),
    (["simulate"], "missing SCENARIO; mistertop simulate --list shows all"),
    (["simulate", "a", "b"], "unexpected argument 'b'"),
    (["simulate", "--list", "a"], "unexpected argument 'a'"),
    (
      ["simulate", "a", "--branch-at", "1"],
      "option --what-if, without which --branch-at has no effect, is required"
    ),
    (["simulate", "a", "--diff"], "option --what-if, without which --diff has no effect, is required"),
    (["simulate", "a", "--check", "--seed", "1"], "--check cannot be combined with --seed"),
    (["simulate", "a", "--new", "--check"], "--new cannot be combined with --check"),
    (
      ["simulate", "a", "--what-if", "x", "--diff", "--out", "f"], "--diff cannot be combined with --out"
    ),
    (["simulate", "a", "--speed", "0"], "invalid value '0' for --speed: expected a number from 0.25 to 60"),
    (
      ["simulate", "a", "--speed", "nan"],
      "invalid value 'nan' for --speed: expected a number from 0.25 to 60"
    ),
    (["simulate", "a", "--steps", "-1"], "invalid value '-1' for --steps: expected a whole number from 0"),
    (
      ["simulate", "a", "--until", "1e9"],
      "invalid value '1e9' for --until: expected seconds since the scenario's start, such as 90"
    ),
    (["simulate", "a", "--out="], "invalid value '' for --out: expected a file name"),
    (["info", "x"], "unexpected argument 'x'"),
    (["--colors", "many"], "invalid value 'many' for --colors: expected 24bit, 256, 16 or none"),
    (
      ["--limit", "400"],
      "invalid value '400' for --limit: expected a metric and a number, such as sync.push_ms=400, or a query, such as 'api.* and p95 > 400ms'"
    ),
    (
      ["--limit", "a=b"],
      "invalid value 'a=b' for --limit: expected a metric and a number, such as sync.push_ms=400, or a query, such as 'api.* and p95 > 400ms'"
    ),
    (["--glyphs", "runes"], "invalid value 'runes' for --glyphs: expected braille, blocks or ascii"),
    (["--align", "clock"], "invalid value 'clock' for --align: expected stamps or arrival"),
    (
      ["stats", "a.log", "--zone", "Berlin"],
      "invalid value 'Berlin' for --zone: expected a time zone, such as Europe/Berlin, +01:00, UTC or local; did you mean Europe/Berlin?"
    ),
  ]

  @Test("says in one line what is wrong", arguments: wrong)
  func messages(usage: (arguments: [String], message: String)) {
    #expect(message(usage.arguments) == usage.message)
  }

  @Test("without a file it means the default store")
  func defaultStore() throws {
    #expect(try request(DashboardCommand.self).paths == ["/home/me/.local/share/mistertop/metrics.jsonl"])
  }

  @Test("a word that is a file is a file")
  func fileWithoutDot() throws {
    let request = try request(DashboardCommand.self, "metrics", "--ascii", "-", "b.jsonl")
    #expect(request.paths == ["metrics", "-", "b.jsonl"])
    #expect(request.view.glyphs == .ascii)
  }

  @Test("limits are gathered; a name may hold an equals sign")
  func limits() throws {
    let request = try request(DashboardCommand.self, "--limit", "a.b_ms=4.5", "--limit=x=y=-2", "f.jsonl")
    #expect(
      request.view.limits.drawn(of: "a.b_ms", in: .plain)?.bound == 4.5
        && request.view.limits.drawn(of: "x=y", in: .plain)?.bound == -2)
    #expect(request.view.limits.all.count == 2)
    let whole = try self.request(
      DashboardCommand.self, "--limit", "a.b_ms=p99 > 5 for 10s clear 4 bell", "f.jsonl")
    #expect(
      whole.view.limits.all == [
        MetricLimit(metric: "a.b_ms", figure: .p99, bound: 5, duration: 10, clear: 4, ringsBell: true)
      ])
  }

  @Test("a limit may be a query, of every metric that it chooses in its own unit")
  func queries() throws {
    let limits = try request(
      DashboardCommand.self, "--limit", "api.* and p99 > 1.5s for 10s clear 900ms bell", "f.jsonl"
    ).view.limits
    let found = try #require(limits.limits(of: "api.get_ms", in: .milliseconds).first)
    #expect(found.figure == .p99 && found.bound == 1500 && found.clear == 900 && found.ringsBell)
    #expect(limits.limits(of: "api.get_s", in: .seconds).map(\.bound) == [1.5])
    #expect(limits.limits(of: "api.get_bytes", in: .bytes).isEmpty && !limits.covers("db.get_ms"))
  }

  @Test(
    "what is no limit is named with its place",
    arguments: [
      ("a.b", "invalid value 'a.b' for --limit"),
      ("a and p95 >= 4", "invalid --limit: a limit is one comparison"),
      ("now > 4 or p95 > 5", "invalid --limit: a limit is"),
      ("p90 > 4", "invalid --limit: 'p90' is not known"),
      ("p95 > 4ms for 9d", "invalid value"), ("p95 > 4ms clear 5ms", "invalid value"),
      ("p95 > 4ms clear 5MB", "invalid value"),
    ])
  func wrongLimits(text: String, message: String) {
    let error = #expect(throws: UsageError.self) {
      try request(DashboardCommand.self, "--limit", text, "f.jsonl")
    }
    #expect(error?.message.hasPrefix(message) ?? false, "\(error?.message ?? "")")
  }

  @Test func `How the screen is drawn is chosen in words`() throws {
    let view = try request(DashboardCommand.self, "--colors", "256", "--glyphs", "blocks").view
    #expect(view.colors == .indexed256 && view.glyphs == .blocks)
    let other = try request(DashboardCommand.self, "--colors=none", "--glyphs=blocks", "--ascii").view
    #expect(other.colors == ColorDepth.none && other.glyphs == .ascii)
  }

  @Test func `A zone goes with a map or alone, and a map's own zone stays`() throws {
    #expect(try request(DashboardCommand.self, "a.log").view.mapping == nil)
    let alone = try request(DashboardCommand.self, "--zone", "+09:00", "a.log").view
    #expect(alone.mapping?.text == "zone=+09:00" && !alone.alignsToArrival)
    let mapped = try request(StatsCommand.self, "--zone=Asia/Tokyo", "--map", "time=ts", "a.log")
    #expect(mapped.mapping?.text == "time=ts,zone=Asia/Tokyo")
    let own = try request(TailCommand.self, "--zone=Asia/Tokyo", "--map", "time=ts,zone=UTC", "a.log")
    #expect(own.mapping?.text == "time=ts,zone=UTC")
    #expect(try request(DashboardCommand.self, "--align=arrival", "a.log").view.alignsToArrival)
  }

  @Test func `An export says what goes where, and in which form`() throws {
    let request = try request(
      ExportCommand.self, "a", "--since=2h", "--until", "999999", "b", "--bucket=", "--metric", "m",
      "--format", "influx", "--output", "o", "--force")
    var expected = ExportCommand.Request(paths: ["a", "b"])
    expected.indexFolder = "/home/me/.cache/mistertop/history"
    (expected.selection.since, expected.selection.until) = (Timestamp(1_000_000 - 7200), Timestamp(999_999))
    (expected.selection.bucket, expected.selection.metric, expected.format) = ("", "m", .influx)
    (expected.output, expected.replaces) = ("o", true)
    #expect(request == expected)
    let plain = try self.request(ExportCommand.self, "--output", "-")
    #expect(plain.output == nil && plain.paths == ["/home/me/.local/share/mistertop/metrics.jsonl"])
  }

  @Test func `A snapshot of the history stands on a moment`() throws {
    let request = try request(
      SnapshotCommand.self, "a", "--screen", "history", "--at=15m", "--metric", "sync.push_ms", "--window",
      "20m")
    #expect(request.screen == "history" && request.moment == Timestamp(1_000_000 - 900))
    #expect(request.metric == "sync.push_ms" && request.window == 1200)
    #expect(request.size == Size(width: 120, height: 36) && request.form == .text)
    // Only the history knows where a window begins.
    let window = try self.request(SnapshotCommand.self, "a", "--from", "1h", "--window", "20m", "--at", "50m")
    #expect(window.screen == "history" && window.start == Timestamp(1_000_000 - 3600))
  }

  @Test func `The demo plays a scenario, with its own seed or another`() throws {
    var view = ViewOptions()
    view.glyphs = .ascii
    view.indexFolder = "/home/me/.cache/mistertop/history"
    #expect(
      try request(DemoCommand.self, "--scenario", "healthy-day", "--ascii")
        == .scenario("healthy-day", seed: nil, view))
    #expect(
      try request(DemoCommand.self, "--scenario=healthy-day", "--ascii", "--seed", "7")
        == .scenario("healthy-day", seed: 7, view))
    #expect(try request(DemoCommand.self, "--ascii") == .app(seed: 42, view))
    #expect(try request(DemoCommand.self, "--history", "f") == .history(seed: 42, path: "f"))
  }

  @Test func `An index can be forbidden, by an option or for good`() throws {
    let without = ProcessEnvironment(
      variables: ["MISTERTOP_INDEX": "off", "HOME": "/h"], now: Timestamp(0), exists: { _ in true })
    func folders(_ environment: ProcessEnvironment, _ option: String...) throws -> [String?] {
      func request<C: Command>(_ command: C.Type) throws -> C.Request {
        let line = (command.name.isEmpty ? [] : [command.name]) + option
        let invocation = try CommandLineParser(environment: environment).parse(line)
        guard case .command(let prepared) = invocation else { throw CancellationError() }
        return try #require(prepared.request as? C.Request)
      }
      guard case .app(_, let view) = try request(DemoCommand.self) else { throw CancellationError() }
      return [
        try request(DashboardCommand.self).view.indexFolder, view.indexFolder,
        try request(SnapshotCommand.self).view.indexFolder, try request(StatsCommand.self).indexFolder,
        try request(ExportCommand.self).indexFolder,
      ]
    }
    let usual = Array(repeating: "/home/me/.cache/mistertop/history", count: 5)
    #expect(try folders(Self.environment) == usual)
    #expect(try folders(Self.environment, "--no-index").allSatisfy { $0 == nil })
    #expect(try folders(without).allSatisfy { $0 == nil })
  }

  @Test("a value below zero is a value, not an option")
  func negativeValue() throws {
    #expect(
      try request(RecordCommand.self, "", "t", "-12.5", "--store", "f")
        == .init(bucket: "", name: "t", value: "-12.5", type: nil, store: "f"))
  }

  @Test("what follows -- is no option")
  func doubleDash() throws {
    let request = try request(RecordCommand.self, "--", "--b", "-n", "--v")
    #expect([request.bucket, request.name, request.value] == ["--b", "-n", "--v"])
  }

  @Test func `Each command reads its own options`() throws {
    let store = "/home/me/.local/share/mistertop/metrics.jsonl"
    #expect(try request(TailCommand.self, "a", "--cursor-file", "c") == .init(paths: ["a"], cursorFile: "c"))
    #expect(try request(TailCommand.self, "a", "--poll", "2.5").polling == PollOptions(forced: 2.5))
    #expect(try request(DashboardCommand.self, "./a", "--poll", "3600").view.polling.forced == 3600)
    #expect(try request(TailCommand.self, "a").polling == PollOptions())
    #expect(try request(DoctorCommand.self, "a", "-").paths == ["a", "-"])
    #expect(try request(OptimizeCommand.self, "--keep", "30d").path == store)
    #expect(try request(OptimizeCommand.self, "--keep", "30d", "--store", "s").path == "s")
    #expect(try request(InfoCommand.self) == .init())
    #expect(try request(SimulateCommand.self, "--list").scenario == nil)
    var delivery = SimulateCommand.Request(scenario: "a")
    delivery.isDelivery = true
    #expect(try request(SimulateCommand.self, "--delivery", "a") == delivery)
    var imported = ImportCommand.Request(
      paths: ["a"], store: store, timeZone: try #require(ZoneOffsets(identifier: "Asia/Tokyo")))
    imported.isDryRun = true
    #expect(try request(ImportCommand.self, "a", "--zone", "Asia/Tokyo", "--dry-run") == imported)
    var simulated = SimulateCommand.Request(scenario: "a")
    (simulated.seed, simulated.steps, simulated.until, simulated.speed) = (7, 8, 9.5, 2)
    (simulated.output, simulated.change, simulated.branchAt) = ("o", "base 5", 3)
    #expect(
      try request(
        SimulateCommand.self, "a", "--seed=7", "--steps=8", "--until=9.5", "--speed=2", "--out=o",
        "--what-if",
        "base 5", "--branch-at=3") == simulated)
  }

  @Test("every command explains itself, with -h too", arguments: CommandList.named.map { $0.name })
  func help(name: String) throws {
    for flag in ["--help", "-h"] {
      guard case .text(let text) = try parser.parse([name, flag]) else { Issue.record("no help"); return }
      #expect(text.hasPrefix("usage: mistertop \(name) "))
      #expect(text.contains("-h, --help"))
    }
    guard case .text(let overview) = try parser.parse(["-h"]) else { Issue.record("no help"); return }
    #expect(try parser.parse(["help"]).text == overview)
    #expect(try parser.parse(["help", name]).text == parser.parse([name, "--help"]).text)
    #expect(overview.contains("  \(name) "))
  }

  @Test("options may follow operands, be cut short, and have their value behind = or a space")
  func spelling() throws {
    let request = try request(StatsCommand.self, "a", "--form=csv", "b", "--bucket", "x")
    #expect(request.paths == ["a", "b"])
    #expect(request.format == .csv)
    #expect(request.selection.bucket == "x")
  }

  static let times: [(text: String, seconds: Double?)] = [
    ("-15m", 1_000_000 - 900), ("-1h30m", 1_000_000 - 5400), ("1d14h", 1_000_000 - 136_800),
    ("2h", 1_000_000 - 7200), ("30d", 1_000_000 - 2_592_000), ("0s", 1_000_000),
    ("2001-01-02", 86400), ("2001-01-01T00:01:00Z", 60), ("2001-01-01T01:00:00+01:00", 0),
    ("2001-01-01T00:00:01.5Z", 1.5), ("2001-01-01T00:00:02", 2), ("816918481.5", 816_918_481.5), ("-5", -5),
    ("soon", nil), ("", nil), ("m", nil), ("1e999", nil), ("2001-13-01", nil), ("nan", nil), ("--5m", nil),
  ]

  @Test("reads moments as people write them", arguments: times)
  func moments(time: (text: String, seconds: Double?)) {
    #expect(TimeArgument.moment(time.text, now: Timestamp(1_000_000))?.seconds == time.seconds)
  }

  @Test(
    "a number is seconds since 2001 as in a file, or since 1970 where that alone is a moment that has been",
    arguments: [
      ("816918481.5", 816_918_481.5), ("1700000000", 721_692_800), ("1700000000000", 721_692_800),
      ("900000000", 900_000_000), ("978307200", 0), ("1e15", 1e15), ("-5", -5),
    ])
  func numbers(text: String, seconds: Double) {
    #expect(TimeArgument.moment(text, now: Timestamp(817_000_000))?.seconds == seconds)
  }

  @Test("a window that ends before it begins is an error", arguments: ["stats", "export"])
  func emptyWindow(command: String) {
    let words = [command, "--since", "2026-11-22", "--until", "2026-11-21"]
    let error = #expect(throws: UsageError.self) { try parser.parse(words) }
    #expect(error?.message == "--since is after --until: there is no time between them")
  }

  @Test("an environment variable names the store")
  func storeVariable() {
    let there = ProcessEnvironment(
      variables: ["MISTERTOP_STORE": "/x/y", "HOME": "/h"], now: Timestamp(0), exists: { _ in false })
    #expect(there.defaultStore == "/x/y")
    let moved = ProcessEnvironment(
      variables: ["XDG_DATA_HOME": "/data", "XDG_STATE_HOME": "relative", "HOME": "/h"], now: Timestamp(0),
      exists: { _ in false })
    #expect(moved.defaultStore == "/data/mistertop/metrics.jsonl")
    #expect(moved.logFile == "/h/.local/state/mistertop/mistertop.log")
    #expect(moved.cacheFolder == "/h/.cache/mistertop")
  }

  @Test("without HOME the account's folder is meant, and never the current one")
  func noHome() {
    for environment in [[:], ["HOME": ""]] {
      let known = ProcessEnvironment(
        variables: environment, now: Timestamp(0), exists: { _ in false }, accountHome: { "/account" })
      #expect(known.reportFolder == "/account/.local/state/mistertop")
      #expect(known.defaultStore == "/account/.local/share/mistertop/metrics.jsonl")
      let unknown = ProcessEnvironment(variables: environment, now: Timestamp(0), exists: { _ in false })
      #expect(unknown.reportFolder == "" && unknown.logFile == "")
    }
    let named = ProcessEnvironment(
      variables: ["XDG_STATE_HOME": "/s"], now: Timestamp(0), exists: { _ in false })
    #expect(named.reportFolder == "/s/mistertop")
  }
}

extension Invocation {
  fileprivate var text: String? { if case .text(let text) = self { text } else { nil } }
}
