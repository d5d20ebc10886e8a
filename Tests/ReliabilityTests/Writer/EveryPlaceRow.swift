import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// W19: every place that a command writes to, with something of somebody else in it.
extension FaultMatrix {
  @Test
  func `W19: what another account left in any place that a command writes to is told, and leads nowhere`()
    async throws
  {
    guard ChildProcess.isInstalled("strace"), geteuid() == 0 else {
      return try Self.skip("W19", "needs strace, and root to give things to another account")
    }
    try await Self.row("W19") { run in
      _ = run.goesOn()
      var places = 0
      for command in WritingCommand.all {
        let site = try WritingSite(command)
        let found = try site.trace()
        // A place that is new has to be in the list, so that somebody has thought of it.
        let listed = Set(found.map(WritingSite.name(of:)))
        run.judge(
          faults: listed == command.places ? [] : ["writes to \(listed.symmetricDifference(command.places))"],
          command.name)
        for place in found.sorted() {
          places += 1
          // Only a long run tries all things in each place; a screen takes seconds each time.
          let isWhole = command.keys.isEmpty || run.pace.isLong
          let all = Planted.allCases
          let count = run.pace.isLong ? all.count : command.keys.isEmpty ? 3 : 1
          for planted in (0..<count).map({ all[(places + 2 * $0) % all.count] }) {
            run.judge(faults: try site.attempt(at: place, planted), "\(command.name) \(place) \(planted)")
          }
          guard isWhole || places % 3 == 0 else { continue }
          run.judge(faults: try site.attemptForeign(at: place), "\(command.name) \(place) foreign")
        }
        run.judge(faults: try site.attemptFullDisk(), "\(command.name) full disk")
      }
      run.note += "\(WritingCommand.all.count) commands, \(places) places"
    }
  }

  @Test func `W19 is red for a command that follows what it finds`() async throws {
    guard ChildProcess.isInstalled("strace"), geteuid() == 0 else { return }
    try await Self.control("W19", without: "the refusal to follow") { run in
      _ = run.goesOn()
      let site = try WritingSite(.naive)
      for planted in Planted.allCases where planted != .fifo {
        run.judge(faults: try site.attempt(at: "data/out", planted), "\(planted)")
      }
    }
  }
}

/// A command line that writes, and where.
struct WritingCommand: Sendable {
  let name: String
  /// Behind the program; paths are of the site.
  let words: [String]
  /// Relative to the site; what is named after a hash or a random number by `*`.
  let places: Set<String>
  /// Another program than mistertop.
  var program: String?
  /// True if it goes on until it is stopped.
  var isEndless = false
  /// True if it has to fail where nothing more can be written: not if it gives space back, goes on until it is stopped, or
  /// writes into the working folder, which has no path inside another name space.
  var failsOnFullDisk = true
  /// Keys pressed one after the other, each with the screen that follows; for a command with a screen.
  var keys: [(key: String, shows: String)] = []

  static let all = [
    WritingCommand(
      name: "record", words: ["record", "--store=data/new.jsonl", "app", "n", "5"],
      places: ["data/new.jsonl", "data/.new.jsonl.lock"]),
    WritingCommand(
      name: "record in the usual place", words: ["record", "app", "n", "5"],
      places: ["share/mistertop", "share/mistertop/metrics.jsonl", "share/mistertop/.metrics.jsonl.lock"]),
    WritingCommand(
      name: "optimize", words: ["optimize", "--store=data/m.jsonl", "--keep=1d"],
      places: ["data/m.jsonl", "data/.m.jsonl.lock"], failsOnFullDisk: false),
    WritingCommand(
      name: "export", words: ["export", "--output=data/out.csv", "data/m.jsonl"], places: ["data/out.csv"]),
    WritingCommand(
      name: "export over a file", words: ["export", "--force", "--output=data/old.csv", "data/m.jsonl"],
      places: ["data/old.csv"]),
    WritingCommand(
      name: "tail", words: ["tail", "--cursor-file=data/cursor", "data/m.jsonl"], places: ["data/cursor"],
      isEndless: true, failsOnFullDisk: false),
    WritingCommand(
      name: "import", words: ["import", "--store=data/new.jsonl", "data/payload.json"],
      places: [
        "data/new.jsonl", "data/.new.jsonl.lock", "data/.new.jsonl.importing", "state/mistertop",
        "state/mistertop/locks",
      ]),
    WritingCommand(
      name: "new scenario", words: ["simulate", "--new", "data/mine"], places: ["data/mine.json5"]),
    WritingCommand(
      name: "simulate", words: ["simulate", "--out=data/new.jsonl", "--until=5", "healthy-day"],
      places: ["data/new.jsonl"]),
    WritingCommand(
      name: "reproduce", words: ["reproduce", "--out=Found", "data/sync.jsonl"],
      places: ["Found.json5", "FoundTests.swift"], failsOnFullDisk: false),
    WritingCommand(
      name: "send",
      words: [
        "send", "--host=http://127.0.0.1:9", "--write-key=k", "--wait=0.2", "--store=data/new.jsonl",
        "data/events.jsonl",
      ],
      places: [
        "data/new.jsonl", "data/.new.jsonl.lock", "share/mistertop", "share/mistertop/send",
        "share/mistertop/send/*",
        "share/mistertop/send/*/identity.json", "share/mistertop/send/*/.identity.json.optimizing",
        "share/mistertop/send/*/position.json", "share/mistertop/send/*/.position.json.optimizing",
        "share/mistertop/send/*/disk-queue", "share/mistertop/send/*/disk-queue/queue.lock",
        "share/mistertop/send/*/disk-queue/queue.v1.8000000000000000",
        "share/mistertop/send/*/disk-queue/.queue.v1.8000000000000000.optimizing",
      ]),
    WritingCommand(
      name: "dashboard", words: ["data/m.jsonl"],
      places: ["state/mistertop", "state/mistertop/notes", "state/mistertop/notes/*.json"],
      failsOnFullDisk: false,
      keys: [
        ("", "probe"), ("2", "samples in view"), ("m", "mark this"), ("a", "Marked"), ("q", " WHY"),
        ("q", ""),
      ]),
    WritingCommand(
      name: "dashboard of a large file", words: ["data/large.jsonl"],
      places: [
        "cache/mistertop", "cache/mistertop/history", "cache/mistertop/history/*.index", "app.probe.csv",
        "state/mistertop", "state/mistertop/notes", "state/mistertop/notes/*.json",
      ],
      failsOnFullDisk: false,
      keys: [
        ("", "probe"), ("2", "of 95"), ("\u{13}", "write to"), ("\r", "Wrote"), ("q", " WHY"), ("q", ""),
      ]),
    // Its own folder has a name that no one can foresee: what can stand in its way is where that lies.
    WritingCommand(
      name: "demo", words: ["demo"],
      places: ["tmp", "cache/mistertop", "cache/mistertop/history", "cache/mistertop/history/*.index"],
      failsOnFullDisk: false,
      keys: [("", " WHY"), ("2", "row "), ("q", " WHY"), ("q", "")]),
  ]

  /// The fault that the row is to find.
  static let naive = WritingCommand(
    name: "cp", words: ["data/events.jsonl", "data/out"], places: ["data/out"], program: "cp")
}
