import Foundation
import TestSupport
import Testing

@Suite("Commands without a terminal")
struct CommandEndToEndTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("the dashboard without a terminal prints one frame and says why")
  func frame() throws {
    let path = try folder.write(Fixture.app(), to: "app.jsonl")
    let (status, output) = try Shell.mistertop(path)
    #expect(status == 0)
    #expect(output.contains("mistertop: standard output is not a terminal, so this is one frame"))
    #expect(output.contains("push_ms"))
    #expect(!output.contains("\u{1b}"))
  }

  /// Fourteen hours ahead and eleven behind: one of them has another date than GMT at any time.
  @Test(
    "the days that optimize keeps are those of the person's clock",
    arguments: ["Pacific/Kiritimati", "Pacific/Niue"])
  func localDays(zone: String) throws {
    let path = folder.path("days.jsonl")
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    let midnight = calendar.startOfDay(for: Date()).timeIntervalSinceReferenceDate
    let lines = [-3_601, -1, 1, 3_601].map {
      #"{"metric":{"bucket":"a","name":"n","valueTypeString":"Int"},"timestamp":\#(midnight + Double($0)),"value":"MQ=="}"#
        + "\n"
    }
    try Data(lines.joined().utf8).write(to: URL(fileURLWithPath: path))
    let (status, output) = try Shell.mistertop("optimize", path, "--keep", "0d", environment: ["TZ": zone])
    #expect(status == 0 && output == "\(path): 2 removed, 2 kept\n", "\(output)")
  }

  @Test("without a store it says so and offers the demo")
  func noStore() throws {
    let (status, output) = try Shell.mistertop()
    #expect(status == 1)
    #expect(
      output
        == "mistertop: there is no metrics file at /nonexistent/metrics.jsonl yet; name another, or try: mistertop demo\n"
    )
  }

  static let wrong: [(arguments: [String], help: String)] = [
    (["--frob"], "mistertop"), (["frob"], "mistertop"), (["stats", "--format", "x"], "mistertop stats"),
    (["record", "a"], "mistertop record"), (["snapshot", "--size", "x"], "mistertop snapshot"),
  ]

  @Test("wrong usage ends with 2 and one clear line", arguments: wrong)
  func usage(usage: (arguments: [String], help: String)) throws {
    let (status, output) = try Shell.run(try Shell.program, usage.arguments)
    #expect(status == 2)
    #expect(output.split(separator: "\n").count == 1)
    #expect(output.hasSuffix("; try \(usage.help) --help\n"))
  }

  @Test("Words that are no UTF-8 are refused, whatever they are meant for")
  func bytes() throws {
    let path = try folder.write("", to: "m.jsonl")
    for words in ["record --store=\(path) app n", "stats \(path)", "snapshot"] {
      let (status, output) = try Shell.run(
        "sh", ["-c", "exec \(try Shell.program) \(words) $(printf 'bad\\377')"])
      #expect(status == 2)
      #expect(
        output.hasSuffix(" is not valid UTF-8: bad\u{FFFD}\n") && output.contains("mistertop: argument "))
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8).isEmpty)
  }

  @Test("A pipe that nobody writes into is no key and holds nobody up, one of a program is read")
  func keyFile() throws {
    let (file, fifo) = (try folder.write("", to: "events.jsonl"), folder.path("fifo"))
    try #require(mkfifo(fifo, 0o600) == 0)
    let words =
      "\(try Shell.program) send --host=http://127.0.0.1:9 --wait=0.1 --queue=\(folder.path("queue"))"
    let silent = try Shell.run("sh", ["-c", "\(words) --write-key-file=\(fifo) \(file)"])
    #expect(
      silent.status == 2 && silent.output.contains("for --write-key-file: expected a file that can be read"))
    let written = try Shell.run("bash", ["-c", "\(words) --write-key-file=<(sleep 0.2; echo key) \(file)"])
    #expect(written.status == 0, "\(written.output)")
  }

  @Test("snapshot draws a filter and an order, and says which it does not know")
  func filteredFrame() throws {
    let path = try folder.write(Fixture.app(), to: "app.jsonl")
    let arguments = ["snapshot", "--size", "80x24", "--where", "push and n > 0", "--sort", "p95", path]
    let frame = try Shell.run(try Shell.program, arguments, environment: ["LC_ALL": "C.UTF-8"])
    #expect(frame.status == 0)
    #expect(frame.output.contains("push_ms") && frame.output.contains("/ push and n > 0"))
    let wrong = try Shell.mistertop("snapshot", "--sort", "size", path)
    #expect(wrong.status == 1)
    #expect(
      wrong.output.contains("there is no order size: the orders are unusual, now, p50, p95, n, change, name"))
    let invalid = try Shell.mistertop("snapshot", "--where", "p59 > 1", path)
    #expect(invalid.status == 2)
    #expect(invalid.output.contains("\n  ^~~\n"))
  }

  @Test("help is a command too, and NO_COLOR holds for every frame")
  func helpAndColor() throws {
    #expect(try Shell.mistertop("help").output == Shell.mistertop("--help").output)
    #expect(try Shell.mistertop("help", "stats").output == Shell.mistertop("stats", "--help").output)
    let path = try folder.write(Fixture.app(), to: "app.jsonl")
    let colored = try Shell.mistertop("snapshot", "--ansi", path, environment: ["NO_COLOR": ""])
    #expect(colored.output.contains("38;2;"))
    let plain = try Shell.mistertop("snapshot", "--ansi", path, environment: ["NO_COLOR": "1"])
    #expect(plain.status == 0 && !plain.output.contains("38;2;"))
  }

  @Test("what record wrote, stats counts")
  func recordAndStats() throws {
    let path = folder.path("m.jsonl")
    for value in ["1", "2.5", "-4"] {
      #expect(
        try Shell.mistertop(
          "record", "app", "x_ms", value, "--type", "Double", environment: ["MISTERTOP_STORE": path]
        ).status == 0)
    }
    let (status, output) = try Shell.mistertop("stats", "--format", "csv", path)
    #expect(status == 0)
    #expect(output.contains("app,x_ms,Double,3,-4,2.5,"))
  }

  @Test("stats reads standard input")
  func standardInput() throws {
    let (status, output) = try Shell.mistertop("stats", "--format", "csv", "-", input: Fixture.app())
    #expect(status == 0)
    #expect(output.contains("sync,push_ms,Double,2400,"))
  }

  @Test("snapshot of standard input tells a planted incident in its first line, as that of the file does")
  func incidentOfStandardInput() throws {
    let text = PlantedIncidents(seed: 3, length: 1500).lines(from: Fixture.longAgo).joined()
    let path = try folder.write(text, to: "app.jsonl")
    func sentence(_ file: String, input: String = "") throws -> String {
      let (status, output) = try Shell.mistertop("snapshot", "--size", "120x36", file, input: input)
      #expect(status == 0)
      return output.split(separator: "\n").dropFirst().first.map(String.init) ?? ""
    }
    let told = try sentence("-", input: text)
    #expect(told.contains("▌ app.metric"), "\(told)")
    #expect(try sentence(path) == told)
  }

  @Test("snapshot draws in text, ANSI and SVG")
  func snapshotForms() throws {
    let path = try folder.write(Fixture.app(), to: "app.jsonl")
    let text = try Shell.mistertop("snapshot", "--size", "80x24", path).output
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count == 25)
    #expect(try Shell.mistertop("snapshot", "--ansi", path).output.contains("\u{1b}["))
    #expect(try Shell.mistertop("snapshot", "--svg", path).output.hasPrefix("<svg "))
    let ascii = try Shell.mistertop("snapshot", "--ascii", "--colors", "none", path).output
    #expect(ascii.utf8.allSatisfy { $0 < 0x80 })
  }

  @Test("snapshot of a query that chooses nothing draws the frame, fails and says what there is")
  func snapshotOfNoRow() throws {
    let path = try folder.write(Fixture.app(), to: "app.jsonl")
    for screen in ["live", "history"] {
      let (status, output) = try Shell.mistertop("snapshot", "--screen", screen, "--where", "zzz", path)
      #expect(status == 1 && output.contains("no metric matches zzz; "), "\(output)")
      #expect(try Shell.mistertop("snapshot", "--screen", screen, "--where", "push", path).status == 0)
    }
  }

  @Test("snapshot of a history whose packed part is cut draws the frame, fails and says so")
  func snapshotOfCutPart() throws {
    let path = try folder.write(Fixture.app(), to: "app.jsonl")
    try Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF, 0]).write(to: URL(fileURLWithPath: path + ".1.gz"))
    let (status, output) = try Shell.mistertop("snapshot", "--screen", "history", path)
    #expect(status == 1 && output.contains("app.jsonl.1.gz "), "\(output)")
    #expect(try Shell.mistertop("snapshot", path).status == 0)
  }

  @Test("snapshot of a metric that the history does not have fails and names it")
  func snapshotOfNothing() throws {
    let path = try folder.write(Fixture.app(), to: "app.jsonl")
    let (status, output) = try Shell.mistertop("snapshot", "--screen", "history", "--metric", "nope.x", path)
    #expect(status == 1)
    #expect(output.contains("there is no metric named nope.x"))
    for screen in ["live", "history", "histogram"] {
      let near = try Shell.mistertop("snapshot", "--screen", screen, "--metric", "sync.psh_ms", path)
      #expect(near.status == 1)
      #expect(near.output.contains("there is no metric named sync.psh_ms; did you mean sync.push_ms?"))
      #expect(try Shell.mistertop("snapshot", "--screen", screen, "--metric", "push_ms", path).status == 0)
    }
    #expect(
      try Shell.mistertop("snapshot", "--screen", "history", "--metric", "sync.push_ms", path).status == 0)
  }
}
