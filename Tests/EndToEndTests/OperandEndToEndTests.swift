import Foundation
import TestSupport
import Testing

@Suite("Files on the command line")
struct OperandEndToEndTests {
  private let folder: TemporaryFolder
  private let (first, second): (String, String)

  init() throws {
    folder = try TemporaryFolder()
    for name in ["shop", "empty"] {
      try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: false)
    }
    first = try folder.write(Fixture.line("1", name: "a", time: 1), to: "shop/a.jsonl")
    second = try folder.write(Fixture.line("2", name: "b", time: 2), to: "shop/b.jsonl")
    _ = try folder.write("{}", to: "shop/notes.txt")
    #expect(symlink(first, folder.path("link")) == 0)
  }

  /// Every name of the files: themselves, again, by a link, in another spelling, and by their folder.
  private var names: [String] {
    [first, first, folder.path("link"), folder.path("shop/./a.jsonl"), folder.path("shop"), second]
  }

  private func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
    try Shell.run(try Shell.program, arguments, environment: ["LC_ALL": "C.UTF-8", "MISTERTOP_INDEX": "off"])
  }

  @Test("folders stand for their files, and each file is read once")
  func once() throws {
    let stats = try run(["stats", "--format", "csv"] + names)
    #expect(stats.status == 0 && stats.output.contains("\napp,a,Double,1,"), "\(stats.output)")
    #expect(stats.output.contains("\napp,b,Double,1,") && stats.output.contains("shop left out: notes.txt"))
    let export = try run(["export"] + names)
    #expect(
      export.status == 0 && export.output.components(separatedBy: ",app,").count == 3, "\(export.output)")
    let doctor = try run(["doctor"] + names)
    #expect(doctor.output.components(separatedBy: "a.jsonl: 1 line").count == 2, "\(doctor.output)")
    let snapshot = try run(["snapshot", "--size", "90x20", first, folder.path("link")])
    #expect(snapshot.status == 0 && !snapshot.output.contains("+1"), "\(snapshot.output)")
    let incidents = try run(["stats", "--incidents", folder.path("shop")])
    #expect(incidents.status == 0, "\(incidents.output)")
  }

  @Test("a folder without files of records is named, and fails")
  func emptyFolder() throws {
    _ = try folder.write("{}", to: "empty/notes.txt")
    for command in ["stats", "export"] {
      let (status, output) = try run([command, folder.path("empty")])
      #expect(status == 1 && output.contains("has no file of records; left out: notes.txt"), "\(output)")
    }
  }

  @Test("of a missing file there is an error and no table")
  func missing() throws {
    for format in ["table", "csv"] {
      let (status, output) = try run(["stats", "--format", format, "/nonexistent.jsonl"])
      #expect(status == 1 && output == "mistertop stats: /nonexistent.jsonl: no such file\n")
    }
  }

  @Test("a closed standard output is named", arguments: ["stats", "export", "info", "--help", "version"])
  func closed(command: String) throws {
    let file = ["stats", "export"].contains(command) ? first : ""
    let (status, output) = try Shell.run("sh", ["-c", "\(try Shell.program) \(command) \(file) >&-"])
    #expect(status == 1)
    #expect(output == "mistertop: cannot write the output: standard output is closed\n")
  }

  @Test("in a pipe a frame and the help have the size that the variables name")
  func columns() throws {
    let environment = ["LC_ALL": "C.UTF-8", "COLUMNS": "70", "LINES": "20", "MISTERTOP_INDEX": "off"]
    for arguments in [["snapshot", first], [first]] {
      let frame = try Shell.run(try Shell.program, arguments, environment: environment).output
      let lines = frame.split(separator: "\n", omittingEmptySubsequences: false).filter {
        !$0.contains("mistertop")
      }
      #expect(lines.map(\.count).max() == 70 && lines.count == 21, "\(frame)")
    }
    let help = try Shell.run(try Shell.program, ["stats", "--help"], environment: environment).output
    #expect(
      (61...70).contains(help.split(separator: "\n").filter { !$0.contains("|") }.map(\.count).max() ?? 0))
    let absurd = try Shell.run(
      try Shell.program, ["snapshot", first],
      environment: ["LC_ALL": "C.UTF-8", "COLUMNS": "-5", "LINES": "x"])
    #expect(absurd.status == 0 && absurd.output.split(separator: "\n").map(\.count).max() == 120)
  }

  @Test("without /proc the arguments arrive, and what needs it says so", .enabled(if: geteuid() == 0))
  func withoutProc() throws {
    let script = "mount -t tmpfs none /proc && exec \(try Shell.program) "
    func run(_ words: String) throws -> (status: Int32, output: String) {
      try Shell.run("unshare", ["-m", "sh", "-c", script + words])
    }
    let manual = try run("manual mistertop-stats")
    #expect(manual.status == 0 && manual.output.hasPrefix(".TH MISTERTOP\\-STATS"), "\(manual.output)")
    let stats = try run("stats \(first)")
    #expect(stats.status == 2)
    #expect(stats.output == "mistertop: /proc is not mounted, and the threads of the Swift runtime need it\n")
  }
}
