import Foundation
import JSONLines
import Platform
import TestSupport
import Testing

@testable import Commands

@Suite("Completion of words")
struct WordCompleterTests {
  private static let metrics: [(bucket: String?, name: String)] = [
    ("sync", "push_ms"), ("sync", "pull_ms"), ("app", "cold start"), (nil, "bare"), ("app", "bad\u{1B}name"),
  ]
  private static let environment = ProcessEnvironment(
    variables: ["HOME": "/h"], now: Timestamp(0), exists: { _ in false })

  private func answer(_ words: String..., read: Recorder<[String]> = Recorder()) -> WordCompleter.Answer {
    WordCompleter(environment: Self.environment) { paths in
      read.append(paths)
      return Set(Self.metrics.map { MetricIdentity(bucket: $0.bucket, name: $0.name, typeName: "Int") })
    }.answer(to: words)
  }

  private func texts(_ words: String...) -> [String] {
    WordCompleter(environment: Self.environment) { _ in
      Set(Self.metrics.map { MetricIdentity(bucket: $0.bucket, name: $0.name, typeName: "Int") })
    }.answer(to: words).candidates.map(\.text)
  }

  @Test func `The first word is a command, an option or a file`() {
    #expect(texts("s") == ["stats", "ship", "snapshot", "send", "simulate"])
    #expect(answer("s").offersFiles && texts("--the") == ["--theme="])
    #expect(texts("help", "st") == ["stats"] && texts("--help", "st").isEmpty)
  }

  @Test func `A value stands behind an equals sign or a space`() {
    #expect(texts("stats", "--format=") == ["--format=table", "--format=json", "--format=csv"])
    #expect(texts("stats", "--format", "j") == ["json"])
    #expect(texts("--theme", "hi") == ["high-contrast"])
    #expect(answer("export", "--output", "x").offersFiles && !answer("stats", "--threads", "").offersFiles)
    #expect(texts("stats", "--zone", "Europe/Berl") == ["Europe/Berlin"])
    #expect(texts("demo", "--scenario", "flaky") == ["flaky-push"] && answer("simulate", "x").offersFiles)
  }

  @Test func `Names of buckets and metrics come from the files on the line`() {
    #expect(texts("stats", "a.jsonl", "--bucket", "") == ["app", "sync"])
    #expect(
      texts("stats", "a.jsonl", "--metric", "") == ["app.cold start", "bare", "sync.pull_ms", "sync.push_ms"])
    #expect(texts("stats", "--metric=pu") == ["--metric=pull_ms", "--metric=push_ms"])
    #expect(texts("record", "s") == ["sync"] && texts("record", "app", "") == ["cold start"])
    #expect(texts("record", "-", "") == ["bare"] && texts("record", "app", "cold start", "").isEmpty)
  }

  @Test func `The files are those named before, or else the default store`() {
    let read = Recorder<[String]>()
    _ = answer("stats", "a", "--format", "csv", "~/b", "--", "-c", "--metric", read: read)
    _ = answer("stats", "a", "--format", "csv", "~/b", "--metric", "", read: read)
    _ = answer("stats", "--metric", "", read: read)
    _ = answer("record", "--store", "s", "app", "", read: read)
    _ = answer("record", "--store=s", "", read: read)
    #expect(
      read.all == [
        ["a", "/h/b"], ["/h/.local/share/mistertop/metrics.jsonl"], ["s"], ["s"],
      ])
  }

  @Test func `Behind two hyphens there are only operands`() {
    #expect(answer("stats", "--", "--f") == WordCompleter.Answer(offersFiles: true))
  }

  @Test func `Names are read from the end of a long file, its beginning, a folder and a packed file`() throws
  {
    let folder = try TemporaryFolder()
    func line(_ name: String) -> String {
      #"{"metric":{"bucket":"b","name":"\#(name)","valueTypeString":"Int"},"timestamp":1,"value":"MQ=="}"#
        + "\n"
    }
    let long = line("first") + String(repeating: line("many"), count: 4000) + line("last")
    let path = try folder.write(long, to: "long.jsonl")
    // However slow the machine, no time passes.
    let begin = MonotonicInstant.now()
    let read = { NamesInFiles.read($0, now: { begin }) }
    #expect(Set(read([path]).map(\.name)) == ["first", "many", "last"])
    _ = try folder.write(line("other"), to: "other.jsonl")
    #expect(read([folder.path("")]).count == 4)
    #expect(read([folder.path("none"), "/dev/null", "-"]).isEmpty)
    var seconds = -1.0
    let late = NamesInFiles.read([path]) {
      seconds += 1
      return begin + seconds
    }
    #expect(late.isEmpty)
  }
}

@Suite("A line of bash")
struct BashLineTests {
  private static let breaks = " \t\n\"'@><=;|&(:"

  @Test(
    "its words are those that the program would get",
    arguments: [
      ("mistertop st", ["mistertop", "st"]), ("mistertop stats ", ["mistertop", "stats", ""]),
      (#"m "a b" c\ d 'e\f' "g"#, ["m", "a b", "c d", #"e\f"#, "g"]), ("m --format=j", ["m", "--format=j"]),
      (#"m "\"q""#, ["m", "\"q"]),
    ])
  func words(line: String, expected: [String]) {
    #expect(BashLine(line, breaks: Self.breaks).words == expected)
  }

  @Test(
    "only what follows the last break is inserted, quoted where no quote is open",
    arguments: [
      ("m --format=j", "--format=json", "json"), ("m --metric app.c", "app.cold start", #"app.cold\ start"#),
      ("m --metric 'app.c", "app.cold start", "app.cold start"),
      ("m --metric=a:b", "--metric=a:b c", #"b\ c"#),
      ("m a\\ ", "a $(x)", #"a\ \$\(x\)"#),
    ])
  func insertion(line: String, word: String, expected: String) {
    #expect(BashLine(line, breaks: Self.breaks).insertion(of: word) == expected)
  }
}
