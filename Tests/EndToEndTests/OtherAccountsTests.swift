import Foundation
import Platform
import TestSupport
import Testing

/// Traps for a command, by another account, a name or a folder.
@Suite("Commands where somebody else was before")
struct OtherAccountsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Runs a program as the user no one.
  private func asNobody(_ words: [String]) throws -> (status: Int32, output: String) {
    try Shell.run(
      "setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups"] + words,
      environment: ["HOME": "/nonexistent", "LC_ALL": "C.UTF-8"])
  }

  @Test(
    "After a chown the next owner has a lock of his own, and waits for no reader",
    .enabled(if: geteuid() == 0))
  func formerOwner() throws {
    let path = folder.path("m.jsonl")
    #expect(try Shell.mistertop("record", "--store", path, "a", "b", "1").status == 0)
    for given in [folder.url.path, path] { #expect(chown(given, 65534, 65534) == 0) }
    let words = [try Shell.program, "record", "--store", path, "a", "b"]
    #expect(try asNobody(words + ["2"]).status == 0)
    let lock = try #require(Posix.status(ofName: folder.path(".m.jsonl.lock")))
    #expect(lock.owner == 65534)
    let reader = try Posix.open(path)
    defer { Posix.close(reader) }
    #expect(flock(reader, LOCK_EX) == 0)
    let third = try asNobody(words + ["3"])
    #expect(third.status == 0, "\(third.output)")
  }

  @Test(
    "A position that another account has put there is not believed", .enabled(if: geteuid() == 0),
    arguments: ["folder", "file", "link"])
  func position(whose: String) throws {
    let file = try folder.write(#"{"type":"track","event":"e"}"# + "\n", to: "events.jsonl")
    let queue = folder.path("queue")
    try FileManager.default.createDirectory(atPath: queue, withIntermediateDirectories: false)
    let position = try folder.write("{}", to: "queue/position.json")
    let foreign = whose == "folder" ? queue : position
    if whose == "link" {
      #expect(rename(position, folder.path("other")) == 0 && symlink(folder.path("other"), position) == 0)
    }
    #expect(lchown(foreign, 65534, 65534) == 0)
    let (status, output) = try Shell.mistertop(
      "send", "--host", "http://127.0.0.1:9", "--write-key", "k", "--wait", "0.1", "--queue", queue, file)
    #expect(status == 1)
    #expect(output == "mistertop send: \(foreign): it belongs to another account, so it is ignored\n")
    #expect(Posix.status(ofName: queue + "/identity.json") == nil)
  }

  @Test("A cursor that another account has put there is not believed", .enabled(if: geteuid() == 0))
  func cursor() throws {
    let path = try folder.write(Fixture.line("1", name: "probe", time: 100), to: "app.jsonl")
    let cursor = try folder.write("", to: "cursor")
    #expect(chown(cursor, 65534, 65534) == 0)
    let (status, output) = try Shell.mistertop("tail", "--cursor-file", cursor, path)
    #expect(status == 1 && output == "mistertop tail: \(cursor): it belongs to another account\n")
  }

  @Test("A folder that anybody may write to says nothing about what was sent")
  func openFolder() throws {
    let file = try folder.write(#"{"type":"track","event":"e"}"# + "\n", to: "events.jsonl")
    let queue = folder.path("queue")
    try FileManager.default.createDirectory(atPath: queue, withIntermediateDirectories: false)
    #expect(chmod(queue, 0o1777) == 0)
    let (status, output) = try Shell.mistertop(
      "send", "--host", "http://127.0.0.1:9", "--write-key", "k", "--wait", "0.1", "--queue", queue, file)
    #expect(
      status == 1 && output == "mistertop send: \(queue): anyone may write to it, so it is ignored\n")
    #expect(try Posix.names(in: queue).isEmpty)
  }

  @Test("A link to a name that is no UTF-8 is told, and nothing is made elsewhere")
  func linkToBytes() throws {
    let link = folder.path("m.jsonl")
    let made = try Shell.run("sh", ["-c", "cd \(folder.url.path) && ln -s $(printf 'm\\377.jsonl') m.jsonl"])
    #expect(made.status == 0)
    for words in [
      ["record", "--store", link, "a", "b", "1"],
      ["export", "--force", "--output", link, try folder.write("", to: "empty")],
    ] {
      let (status, output) = try Shell.run(try Shell.program, words, environment: ["LC_ALL": "C.UTF-8"])
      #expect(status == 1 && output.contains("it leads to a name that is not valid UTF-8"), "\(output)")
    }
    #expect(try Posix.names(in: folder.url.path).sorted() == ["empty", "m.jsonl"])
  }

  @Test("Metrics of sending do not go into the events that are sent")
  func ownStore() throws {
    let text = #"{"type":"track","event":"e"}"# + "\n"
    let file = try folder.write(text, to: "events.jsonl")
    let (status, output) = try Shell.mistertop(
      "send", "--host", "http://127.0.0.1:9", "--write-key", "k", "--wait", "0.1", "--queue",
      folder.path("queue"),
      "--store", file, file)
    #expect(status == 1 && output.hasSuffix("is the store too; metrics need a file of their own\n"))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
  }

  @Test("A folder or a variable that is no UTF-8 is told, and nothing is made elsewhere")
  func bytes() throws {
    let program = try Shell.program
    for (words, problem) in [
      ("d=\(folder.url.path)/$(printf 'd\\377'); mkdir \"$d\"; cd \"$d\"", "the name of the current folder"),
      ("export MISTERTOP_STORE=\(folder.url.path)/$(printf 'm\\377.jsonl')", "the variable MISTERTOP_STORE"),
      ("export HOME=\(folder.url.path)/$(printf 'h\\377')", "the variable HOME"),
    ] {
      let (status, output) = try Shell.run(
        "sh", ["-c", "\(words); exec \(program) record --store m.jsonl a b 1"])
      #expect(status == 2)
      #expect(output.hasPrefix("mistertop: \(problem) is not valid UTF-8: "), "\(output)")
    }
    #expect(try Posix.names(in: folder.url.path).count == 1)
  }

  @Test("A picture of a file that is not there is a failure", arguments: ["live", "history", "sync"])
  func missing(screen: String) throws {
    let path = folder.path("nothing.jsonl")
    let (status, output) = try Shell.mistertop("snapshot", "--screen", screen, path)
    #expect(status == 1 && output.contains("mistertop snapshot: \(path): no such file\n"))
  }

  @Test(
    "A picture of what could not be read whole is printed, and is a failure", arguments: ["snapshot", "-"])
  func part(of word: String) throws {
    let text = (0..<2000).map { Fixture.line("\($0)", name: "probe", time: Double($0)) }.joined()
    let path = try folder.write(text, to: "m.jsonl")
    #expect(try Shell.run("gzip", ["-f", path]).status == 0)
    #expect(truncate(path + ".gz", 4000) == 0)
    let words = word == "-" ? "- < \(path).gz" : "snapshot \(path).gz"
    let (status, output) = try Shell.run(
      "sh", ["-c", "exec \(try Shell.program) \(words)"], environment: ["LC_ALL": "C.UTF-8"])
    #expect(status == 1 && output.contains("is damaged or cut off") && output.contains("probe"), "\(output)")
  }

  @Test("A metrics file that grows beyond a limit of the system is not made at all")
  func limitedFiles() throws {
    for words in [
      ["demo", "--history", folder.path("out")], ["simulate", "healthy-day", "--out", folder.path("out")],
    ] {
      let (status, output) = try Shell.run("prlimit", ["--fsize=10240:", try Shell.program] + words)
      #expect(status == 1 && output.hasSuffix("out: File too large\n"), "\(status) \(output)")
      #expect(try Posix.names(in: folder.url.path).isEmpty)
    }
  }

  @Test("An export that grows beyond a limit of the system fails, and leaves nothing")
  func limited() throws {
    let path = try folder.write(
      (0..<2000).map { Fixture.line("1", name: "probe", time: Double($0)) }.joined(), to: "m.jsonl")
    let (status, output) = try Shell.run(
      "prlimit", ["--fsize=10240:", try Shell.program, "export", "--output", folder.path("out"), path])
    #expect(status == 1 && output.hasSuffix(": File too large\n"), "\(status) \(output)")
    #expect(try Posix.names(in: folder.url.path).sorted() == ["m.jsonl"])
  }

  @Test("Who follows a file is told that it was cut")
  func cut() throws {
    let path = try folder.write(Fixture.line("1", name: "probe", time: 100), to: "app.jsonl")
    let child = try ChildProcess(try Shell.program, ["tail", path], output: folder.path("out"))
    defer { _ = child.kill() }
    func waits(for text: String) -> Bool {
      let deadline = Date().addingTimeInterval(30)
      while Date() < deadline {
        if (try? String(contentsOfFile: folder.path("out"), encoding: .utf8))?.contains(text) == true {
          return true
        }
        usleep(5_000)
      }
      return false
    }
    #expect(waits(for: "probe"))
    #expect(truncate(path, 0) == 0)
    #expect(waits(for: "app.jsonl: truncated or replaced; read again from the start"))
  }
}
