import History
import TerminalUI
import Testing

@testable import Commands

@Suite("Command line")
struct CommandLineParserTests {
  private let parser = CommandLineParser(
    surroundings: Surroundings(
      environment: ["HOME": "/home/me"], now: 1_000_000, exists: { $0 == "metrics" }))

  private func message(_ arguments: [String]) -> String? {
    do throws(UsageError) {
      _ = try parser.parse(arguments)
      return nil
    } catch {
      return error.message
    }
  }

  static let wrong: [(arguments: [String], message: String)] = [
    (["frobnicate"], "there is no command or file 'frobnicate'"),
    (["--frob"], "there is no option '--frob'"),
    (["-x"], "there is no option '-x'"),
    (["stats", "--bucket"], "the option '--bucket' needs a value"),
    (["stats", "a.jsonl", "--format", "xml"], "'xml' is no value for --format: table, json or csv"),
    (["stats", "--since", "soon"], "'soon' is no value for --since: \(TimeArgument.expected)"),
    (["stats", "--threads=0"], "'0' is no value for --threads: a number from 1 to 256"),
    (["record"], "the bucket is missing"),
    (["record", "app"], "the name is missing"),
    (["record", "app", "x"], "the value is missing"),
    (["record", "app", "x", "1", "2"], "'2' is one argument too many"),
    (["optimize"], "--keep, how old a sample may be, is missing"),
    (["optimize", "--keep", "long"], "'long' is no value for --keep: an age such as 30d, 2w or 12h"),
    (
      ["snapshot", "--size", "80"],
      "'80' is no value for --size: columns x rows, each from 1 to 1000, such as 80x24"
    ),
    (
      ["snapshot", "--size", "0x5"],
      "'0x5' is no value for --size: columns x rows, each from 1 to 1000, such as 80x24"
    ),
    (["snapshot", "--screen", "sink"], "'sink' is no value for --screen: live, history, histogram or sync"),
    (
      ["snapshot", "--window", "wide"],
      "'wide' is no value for --window: a length of time such as 90s, 20m, 2h or 30d"
    ),
    (["snapshot", "--at", "soon"], "'soon' is no value for --at: \(TimeArgument.expected)"),
    (["export", "--format", "xml"], "'xml' is no value for --format: csv, jsonl, openmetrics or influx"),
    (["export", "--output="], "'' is no value for --output: the name of a file"),
    (["export", "--until", "soon"], "'soon' is no value for --until: \(TimeArgument.expected)"),
    (["demo", "x"], "'x' is one argument too many"),
    (["demo", "--seed", "-1"], "'-1' is no value for --seed: a whole number from 0 up"),
    (["demo", "--scenario"], "the option '--scenario' needs a value"),
    (["demo", "--scenario=a", "--history", "f"], "--scenario and --history do not go together"),
    (["doctor"], "the file to examine is missing"),
    (["simulate"], "the scenario, one of mistertop simulate --list, is missing"),
    (["simulate", "a", "b"], "'b' is one argument too many"),
    (["simulate", "--list", "a"], "'a' is one argument too many"),
    (["simulate", "a", "--speed", "0"], "'0' is no value for --speed: a number from 0.25 to 60"),
    (["simulate", "a", "--speed", "nan"], "'nan' is no value for --speed: a number from 0.25 to 60"),
    (["simulate", "a", "--steps", "-1"], "'-1' is no value for --steps: a whole number from 0 up"),
    (
      ["simulate", "a", "--until", "1e9"],
      "'1e9' is no value for --until: seconds since the scenario's start, such as 90"
    ),
    (["simulate", "a", "--out="], "'' is no value for --out: the name of a file"),
    (
      ["diagram"],
      "the diagram, one of state, create, cycle, bootstrap, rate-limit, failures, di, is missing"
    ),
    (
      ["diagram", "x"],
      "'x' is no value for the diagram: state, create, cycle, bootstrap, rate-limit, failures, di"
    ),
    (["info", "x"], "'x' is one argument too many"),
    (["--colors", "many"], "'many' is no value for --colors: 24bit, 256, 16 or none"),
    (["--limit", "400"], "'400' is no value for --limit: a metric and a number, such as sync.push_ms=400"),
    (["--limit", "a=b"], "'a=b' is no value for --limit: a metric and a number, such as sync.push_ms=400"),
    (["--glyphs", "runes"], "'runes' is no value for --glyphs: braille, blocks or ascii"),
  ]

  @Test("says in one line what is wrong", arguments: wrong)
  func messages(usage: (arguments: [String], message: String)) {
    #expect(message(usage.arguments) == usage.message)
  }

  @Test("without a file it means the default store")
  func defaultStore() throws {
    guard case .dashboard(let paths, _) = try parser.parse([]) else { Issue.record("no dashboard"); return }
    #expect(paths == ["/home/me/.local/share/mistertop/metrics.jsonl"])
  }

  @Test("a word that is a file is a file")
  func fileWithoutDot() throws {
    guard case .dashboard(let paths, let looks) = try parser.parse(["metrics", "--ascii", "-", "b.jsonl"])
    else {
      Issue.record("no dashboard")
      return
    }
    #expect(paths == ["metrics", "-", "b.jsonl"])
    #expect(looks.glyphs == .ascii)
  }

  @Test("limits are gathered; a name may hold an equals sign")
  func limits() throws {
    guard
      case .dashboard(_, let looks) = try parser.parse(["--limit", "a.b_ms=4.5", "--limit=x=y=-2", "f.jsonl"])
    else {
      Issue.record("no dashboard")
      return
    }
    #expect(looks.limits == ["a.b_ms": 4.5, "x=y": -2])
  }

  @Test func `An export says what goes where, and in which form`() throws {
    let arguments = [
      "export", "a", "--since=2h", "--until", "-5", "b", "--bucket=", "--metric", "m", "--format", "influx",
      "--output", "o", "--force",
    ]
    guard case .export(let request) = try parser.parse(arguments) else { Issue.record("no export"); return }
    var expected = ExportRequest(paths: ["a", "b"])
    expected.indexFolder = "/home/me/.cache/mistertop/history"
    (expected.since, expected.until) = (1_000_000 - 7200, -5)
    (expected.bucket, expected.metric, expected.format) = ("", "m", .influx)
    (expected.output, expected.replaces) = ("o", true)
    #expect(request == expected)
    guard case .export(let plain) = try parser.parse(["export", "--output", "-"]) else {
      Issue.record("no export")
      return
    }
    #expect(plain.output == nil && plain.paths == ["/home/me/.local/share/mistertop/metrics.jsonl"])
  }

  @Test func `A snapshot of the history stands on a moment`() throws {
    let arguments = [
      "snapshot", "a", "--screen", "history", "--at=15m", "--metric", "sync.push_ms", "--window", "20m",
    ]
    guard case .snapshot(let request) = try parser.parse(arguments) else {
      Issue.record("no snapshot")
      return
    }
    #expect(request.screen == .history && request.moment == 1_000_000 - 900)
    #expect(request.metric == "sync.push_ms" && request.window == 1200)
  }

  @Test func `The demo plays a scenario, with its own seed or another`() throws {
    func seed(_ arguments: String...) throws -> UInt64? {
      guard case .drive("healthy-day", let seed, let looks) = try parser.parse(arguments) else {
        Issue.record("no scenario")
        return nil
      }
      #expect(looks.glyphs == .ascii)
      return seed
    }
    #expect(try seed("demo", "--scenario", "healthy-day", "--ascii") == nil)
    #expect(try seed("demo", "--scenario=healthy-day", "--ascii", "--seed", "7") == 7)
  }

  @Test func `An index can be forbidden, by an option or for good`() throws {
    func folder(_ parser: CommandLineParser, _ arguments: [String]) throws -> String? {
      switch try parser.parse(arguments) {
      case .dashboard(_, let looks), .demo(_, let looks): looks.indexFolder
      case .snapshot(let request): request.looks.indexFolder
      case .stats(let stats, _): stats.indexFolder
      case .export(let request): request.indexFolder
      default: nil
      }
    }
    let without = CommandLineParser(
      surroundings: Surroundings(
        environment: ["MISTERTOP_INDEX": "off", "HOME": "/h"], now: 0, exists: { _ in true }))
    for command in [[], ["demo"], ["snapshot"], ["stats"], ["export"]] as [[String]] {
      #expect(try folder(parser, command) == "/home/me/.cache/mistertop/history", "\(command)")
      #expect(try folder(parser, command + ["--no-index"]) == nil, "\(command)")
      #expect(try folder(without, command) == nil, "\(command)")
    }
  }

  @Test("a value below zero is a value, not an option")
  func negativeValue() throws {
    guard case .record(let request) = try parser.parse(["record", "", "t", "-12.5", "--store", "f"]) else {
      Issue.record("no record")
      return
    }
    #expect(request == RecordRequest(bucket: "", name: "t", value: "-12.5", type: nil, store: "f"))
  }

  @Test("what follows -- is no option")
  func doubleDash() throws {
    guard case .record(let request) = try parser.parse(["record", "--", "--b", "-n", "--v"]) else {
      Issue.record("no record")
      return
    }
    #expect([request.bucket, request.name, request.value] == ["--b", "-n", "--v"])
  }

  @Test("every command explains itself, with -h too", arguments: Subcommand.all.map(\.name))
  func help(name: String) throws {
    for flag in ["--help", "-h"] {
      guard case .text(let text) = try parser.parse([name, flag]) else { Issue.record("no help"); return }
      #expect(text.hasPrefix("usage: mistertop \(name) "))
      #expect(text.contains("-h, --help"))
    }
    guard case .text(let overview) = try parser.parse(["-h"]) else { Issue.record("no help"); return }
    #expect(overview.contains("  \(name) "))
  }

  @Test("options may follow operands, be cut short, and have their value behind = or a space")
  func spelling() throws {
    guard
      case .stats(let stats, let paths) = try parser.parse(["stats", "a", "--form=csv", "b", "--bucket", "x"])
    else {
      Issue.record("no stats")
      return
    }
    #expect(paths == ["a", "b"])
    #expect(stats.format == .csv)
    #expect(stats.filter.bucket == "x")
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
    #expect(TimeArgument.seconds(time.text, now: 1_000_000) == time.seconds)
  }

  @Test("an environment variable names the store")
  func storeVariable() {
    let there = Surroundings(
      environment: ["MISTERTOP_STORE": "/x/y", "HOME": "/h"], now: 0, exists: { _ in false })
    #expect(there.defaultStore == "/x/y")
    let moved = Surroundings(
      environment: ["XDG_DATA_HOME": "/data", "XDG_STATE_HOME": "relative", "HOME": "/h"], now: 0,
      exists: { _ in false })
    #expect(moved.defaultStore == "/data/mistertop/metrics.jsonl")
    #expect(moved.logFile == "/h/.local/state/mistertop/mistertop.log")
    #expect(moved.cacheFolder == "/h/.cache/mistertop")
  }

  @Test("without HOME the account's folder is meant, and never the current one")
  func noHome() {
    for environment in [[:], ["HOME": ""]] {
      let known = Surroundings(
        environment: environment, now: 0, exists: { _ in false }, accountHome: { "/account" })
      #expect(known.reportFolder == "/account/.local/state/mistertop")
      #expect(known.defaultStore == "/account/.local/share/mistertop/metrics.jsonl")
      let unknown = Surroundings(environment: environment, now: 0, exists: { _ in false })
      #expect(unknown.reportFolder == "" && unknown.logFile == "")
    }
    let named = Surroundings(environment: ["XDG_STATE_HOME": "/s"], now: 0, exists: { _ in false })
    #expect(named.reportFolder == "/s/mistertop")
  }
}
