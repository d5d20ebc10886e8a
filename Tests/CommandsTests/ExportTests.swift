import Foundation
import History
import JSONLines
import Platform
import TestSupport
import Testing

@testable import Commands

@Suite("export")
struct ExportTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func line(_ value: String, name: String = "n", time: Double = 1) -> String {
    let base64 = Data(value.utf8).base64EncodedString()
    return
      "{\"metric\":{\"bucket\":\"b\",\"name\":\"\(name)\",\"valueTypeString\":\"Double\"},\"timestamp\":\(time),\"value\":\"\(base64)\"}\n"
  }

  private func run(
    _ paths: [String], isTerminal: Bool = false, input: Int32 = -1, stop: WakeSignal = WakeSignal(),
    _ change: (inout ExportCommand.Request) -> Void = { _ in }
  ) -> (out: String, err: [String], code: ExitCode) {
    let (out, err) = (Recorder<String>(), Recorder<String>())
    var request = ExportCommand.Request(paths: paths)
    request.format = .jsonl
    change(&request)
    let console = Console(isTerminal: isTerminal, write: { out.append($0) }, writeError: { err.append($0) })
    let code = ExportCommand(request, console: console, temporaryFolder: folder.url.path)
      .run(stop: stop, input: input)
    let prefix = folder.url.path + "/"
    return (out.all.joined(), err.all.map { $0.replacingOccurrences(of: prefix, with: "") }, code)
  }

  private var names: [String] { (try? PosixFileSystem().names(in: folder.url.path).sorted()) ?? [] }

  @Test func `Files come one after the other, and rejected lines are told`() throws {
    let first = try folder.write(line("1") + "junk\n" + line("2", time: 3), to: "a.jsonl")
    let second = try folder.write(line("3") + String(line("4").dropLast()), to: "b.jsonl")
    let result = run([first, second])
    #expect(result.out == line("1") + line("2", time: 3) + line("3") + line("4"))
    #expect(
      result.err == [
        "mistertop export: a.jsonl: rejected 1 line that is not valid JSON, first at line 2, byte \(line("1").utf8.count)"
      ])
    #expect(result.code == .success)
  }

  @Test func `A file of which nothing can be read is a failure, and how it can be read is said`() throws {
    let foreign = try folder.write("{\"at\":1,\"took\":5}\n{\"at\":2,\"took\":6}\n", to: "a.jsonl")
    let result = run([foreign])
    #expect(result.code == .failed && result.out.isEmpty)
    #expect(result.err.contains { $0.contains("--map 'time=") }, "\(result.err)")
    let other = try folder.write(line("1"), to: "b.jsonl")
    let both = run([foreign, other])
    #expect(both.code == .failed && both.out == line("1"))
    #expect(run([try folder.write("", to: "c.jsonl")]).code == .success)
  }

  @Test func `Lines longer than any piece, and files of several pieces, come as they are`() throws {
    let long = "\"" + String(repeating: "x", count: 700_000) + "\""
    let text = (0..<9000).map { line("\($0)") }.joined() + line(long) + line("2") + line(long) + line(long)
    let path = try folder.write(text, to: "a.jsonl")
    #expect(run([path]).out == text)
    let tooLong = String(repeating: "y", count: RejectionReason.lineLimit + 5) + "\n"
    let other = try folder.write(
      line("1") + tooLong + line("2") + String(line("3").dropLast()), to: "b")
    #expect(run([other]).out == line("1") + line("2") + line("3"))
  }

  @Test func `Samples are chosen by time, bucket and name`() throws {
    let text = (0..<6).map { line("\($0)", name: $0 < 4 ? "n" : "m", time: Double($0)) }.joined()
    let path = try folder.write(text, to: "a.jsonl")
    #expect(
      run([path]) {
        ($0.selection.since, $0.selection.until, $0.selection.metric) = (Timestamp(2), Timestamp(4), "n")
      }.out == line(
        "2", time: 2)
        + line("3", time: 3))
    #expect(run([path]) { $0.selection.bucket = "" }.out == "")
    #expect(
      run([path]) { $0.selection.metric = "m" }.out == line("4", name: "m", time: 4)
        + line("5", name: "m", time: 5))
  }

  @Test func `Standard input is read as a file is`() throws {
    let path = try folder.write(line("1") + line("2"), to: "a.jsonl")
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    #expect(run(["-"], input: descriptor).out == line("1") + line("2"))
  }

  @Test func `Labels are on every sample, as labels, tags or columns`() throws {
    _ = try folder.write(line("1") + line("{\"cpu\":2}", name: "load"), to: "a.jsonl")
    func text(_ format: ExportFormat) -> String {
      run([folder.path("a.jsonl")]) {
        ($0.format, $0.fixedLabels) = (format, [.init("host", "web 1"), .init("note", "a\"b")])
      }.out
    }
    #expect(
      text(.openmetrics).contains(#"b_n{host="web 1",note="a\"b"} 1 978307201"#)
        && text(.openmetrics).contains(#"b_load_cpu{host="web 1",note="a\"b"} 2 "#))
    #expect(
      text(.influx).split(separator: "\n").map { $0.prefix { $0 != "\"" } } == [
        #"b,name=n,host=web\ 1,note=a"#, #"b,name=load,host=web\ 1,note=a"#,
      ])
    #expect(
      text(.csv).split(separator: "\r\n").map {
        $0.split(separator: ",", maxSplits: 6, omittingEmptySubsequences: false).last ?? ""
      } == [
        "value,host,note", #"1,web 1,"a""b""#, #"2,web 1,"a""b""#,
      ])
  }

  @Test(
    "a label has a name of letters that is not taken, and a format with labels",
    arguments: ["host", "host=", "1a=b", "a-b=c", "__a=b", "le=1", "value=1", "version=2", "a=1 --label a=2"])
  func labels(words: String) throws {
    let options = ("--label " + words).split(separator: " ").map(String.init)
    let parser = CommandLineParser(
      environment: ProcessEnvironment(variables: [:], now: Timestamp(0), exists: { _ in true }))
    #expect(throws: UsageError.self) {
      try parser.parse(["export", "--format", "influx"] + options + ["a.jsonl"])
    }
  }

  @Test func `What a terminal would obey does not reach it`() throws {
    let path = try folder.write(
      line("\"\u{1b}[31m\u{9b}2J\"") + line("1", name: "a\u{9b}b\u{202e}"), to: "a.jsonl")
    for format in ["csv", "jsonl", "openmetrics", "influx"] {
      let out = run([path], isTerminal: true) { $0.format = .init(rawValue: format) ?? .csv }.out
      #expect(
        out.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
      #expect(!out.contains("\u{202e}") && out.contains("\u{fffd}"), "\(format)")
    }
  }

  @Test func `No field of InfluxDB's line protocol has the name of another`() throws {
    let path = try folder.write(line(#"{"tag":"x","tag_text":5,"n_number":2,"n":1}"#), to: "a.jsonl")
    let out = run([path]) { $0.format = .influx }.out
    #expect(out.contains(#" tag_text="x",tag_text_number=5,n_number_number=2,n=1 "#), "\(out)")
  }

  @Test func `A file is written whole, and one that is there only replaced when asked to`() throws {
    let path = try folder.write(line("1"), to: "a.jsonl")
    let target = folder.path("out")
    #expect(run([path]) { $0.output = target }.code == .success)
    #expect(try String(contentsOfFile: target, encoding: .utf8) == line("1"))
    _ = try folder.write(line("2"), to: "a.jsonl")
    let again = run([path]) { $0.output = target }
    #expect(
      again.code == .failed && again.err == ["mistertop export: out: already exists; --force replaces it"])
    #expect(try String(contentsOfFile: target, encoding: .utf8) == line("1"))
    #expect(run([path]) { ($0.output, $0.replaces) = (target, true) }.code == .success)
    #expect(try String(contentsOfFile: target, encoding: .utf8) == line("2"))
    #expect(names == ["a.jsonl", "out"])
  }

  @Test(.enabled(if: geteuid() == 0))
  func `What another account puts into the place meanwhile gets nothing of root's`() throws {
    let target = folder.path("out")
    let pipe = Pipe()
    let (folder, text) = (folder, line("1"))
    Thread.detachNewThread {
      // The place was looked at before the temporary file was made.
      while (try? Posix.names(in: folder.url.path))?.isEmpty != false { usleep(1_000) }
      _ = try? folder.write("", to: "out")
      chown(target, 65534, 65534)
      try? pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
      try? pipe.fileHandleForWriting.close()
    }
    let result = run(["-"], input: pipe.fileHandleForReading.fileDescriptor) {
      ($0.output, $0.replaces) = (target, true)
    }
    #expect(result.code == .failed && result.err == ["mistertop export: out: it belongs to another account"])
    #expect(Posix.status(at: target)?.size == 0 && names == ["out"])
  }

  @Test func `What is read is not written, by whatever name, nor what is no file`() throws {
    let path = try folder.write(line("1"), to: "a.jsonl")
    symlink(path, folder.path("link"))
    for name in ["a.jsonl", "link"] {
      let result = run([path]) { ($0.output, $0.replaces) = (folder.path(name), true) }
      #expect(result.err == ["mistertop export: \(name): is one of the inputs, so it cannot be the output"])
    }
    mkfifo(folder.path("fifo"), 0o600)
    let result = run([path]) { ($0.output, $0.replaces) = (folder.path("fifo"), true) }
    #expect(result.err == ["mistertop export: fifo: is not a regular file, so it cannot be replaced"])
    #expect(try String(contentsOfFile: path, encoding: .utf8) == line("1"))
  }

  @Test func `Where something is missing nothing is written`() throws {
    let path = try folder.write(line("1"), to: "a.jsonl")
    let result = run([path, folder.path("none")]) { $0.output = folder.path("out") }
    #expect(result.err == ["mistertop export: none: no such file"])
    #expect(result.code == .failed)
    #expect(
      run([path]) { $0.output = folder.path("none/out") }.err == [
        "mistertop export: none/out: No such file or directory"
      ])
    #expect(run([folder.url.path]).code == .failed)
    #expect(names == ["a.jsonl"])
  }

  @Test func `Where no sample could be read no file is put in place, and where some could it is`() throws {
    let foreign = try folder.write("{\"at\":1,\"took\":5}\n", to: "a.jsonl")
    let nothing = run([foreign]) { ($0.format, $0.output) = (.csv, folder.path("out")) }
    #expect(nothing.code == .failed && names == ["a.jsonl"])
    #expect(nothing.err.last == "mistertop export: out: was not written: no sample could be read")
    let other = try folder.write(line("1"), to: "b.jsonl")
    let part = run([foreign, other]) { $0.output = folder.path("out") }
    #expect(part.code == .failed && names == ["a.jsonl", "b.jsonl", "out"])
  }

  @Test func `A file without a byte has the head of the form, as one without a sample`() throws {
    let (empty, blank) = (try folder.write("", to: "a.jsonl"), try folder.write("\n", to: "b.jsonl"))
    let head = "time,timestamp,bucket,name,type,field,value\r\n"
    for path in [empty, blank] {
      let result = run([path]) { $0.format = .csv }
      #expect(result.code == .success && result.out == head && result.err == [])
    }
  }

  @Test func `Without room for what is sorted, the folder of temporary files is named`() throws {
    // More than is sorted in memory.
    let path = try folder.write(String(repeating: line("1"), count: 600_000), to: "a.jsonl")
    let err = Recorder<String>()
    var request = ExportCommand.Request(paths: [path])
    (request.format, request.output) = (.openmetrics, folder.path("out"))
    let console = Console(write: { _ in }, writeError: { err.append($0) })
    let nowhere = folder.path("nowhere")
    #expect(ExportCommand(request, console: console, temporaryFolder: nowhere).run() == .failed)
    #expect(err.all == ["mistertop export: \(nowhere): No such file or directory"])
    #expect(names == ["a.jsonl"])
  }

  @Test func `Stopped it leaves nothing behind`() throws {
    let path = try folder.write(line("1"), to: "a.jsonl")
    let stop = WakeSignal()
    stop.raise()
    let result = run([path], stop: stop) { $0.output = folder.path("out") }
    #expect(result.code == .interrupted && result.err == [])
    #expect(names == ["a.jsonl"])
  }

  @Test func `What has no place in a form is counted`() throws {
    let path = try folder.write(line("null") + line("[1]") + line("1"), to: "a.jsonl")
    let result = run([path]) { $0.format = .openmetrics }
    #expect(
      result.err == ["mistertop export: 2 samples cannot be expressed in openmetrics and were left out"])
    #expect(result.out == "# TYPE b_n gauge\nb_n 1 978307201\n# EOF\n")
  }

  @Test func `Progress is one line that goes when it is done`() {
    let shown = Recorder<String>()
    let clock = Recorder<MonotonicInstant>()
    let now = { clock.all.last ?? MonotonicInstant(0) }
    var progress = ProgressLine(show: { shown.append($0) }, total: 4e6, now: now)
    for second in [0.1, 1, 1.1, 2] {
      clock.append(MonotonicInstant(second))
      progress.advance(by: 1e6)
    }
    progress.clear()
    #expect(
      shown.all == [
        "\r50 % of 4 MB, 2 MB/s, 1 s left", "\r100 % of 4 MB, 2 MB/s, 0 s left",
        "\r" + String(repeating: " ", count: 31) + "\r",
      ])
    var unknown = ProgressLine(show: { shown.append($0) }, total: nil, now: now)
    clock.append(MonotonicInstant(4.0))
    unknown.advance(by: 3e6)
    #expect(shown.all.last == "\r3 MB, 2 MB/s")
  }
}
