import Foundation
import TerminalUI
import TestSupport
import Testing

/// The texts of X1 in the real program: as bucket, name, type, value, file name, and in what it complains about.
extension FaultMatrix {
  static func showInProgram(into run: inout MatrixRun) throws {
    var generator = SeededGenerator(seed: 77)
    let texts = HostileStrings.controls + (0..<200).map { _ in HostileStrings.random(using: &generator) }
    for locale in ["C.UTF-8", "C"] {
      let bench = try TerminalBench()
      try showMetrics(texts, locale: locale, bench, into: &run)
      for text in texts.prefix(20) { try showFileName(text, locale: locale, bench, into: &run) }
      for text in texts.prefix(12) { try showComplaints(text, locale: locale, bench, into: &run) }
    }
  }

  /// All of them as metrics in one file, looked at page by page.
  private static func showMetrics(
    _ texts: [String], locale: String, _ bench: TerminalBench, into run: inout MatrixRun
  ) throws {
    var file = Data()
    for (index, text) in texts.enumerated() {
      let quoted = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
      let value = Data(quoted.utf8).base64EncodedString()
      for (bucket, name, type) in [(quoted, "\"n\(index)\"", "\"String\""), ("\"b\"", quoted, quoted)] {
        file += Data(
          ("{\"metric\":{\"bucket\":\(bucket),\"name\":\(name),\"valueTypeString\":\(type)},"
            + "\"timestamp\":\(730_987_200 + index),\"value\":\"\(value)\"}\n").utf8)
      }
    }
    // Bytes that are no text, in the place of a name; such lines may be rejected, but must do no harm.
    for bytes in HostileStrings.bytes where !bytes.contains(0x0A) {
      file += Data("{\"metric\":{\"bucket\":\"".utf8) + bytes
      file += Data(
        "\",\"name\":\"raw\",\"valueTypeString\":\"Int\"},\"timestamp\":730987200,\"value\":\"MQ==\"}\n".utf8)
    }
    let path = bench.folder.path("hostile.jsonl")
    try file.write(to: URL(fileURLWithPath: path))
    let terminal = try bench.dashboard(
      [path], environment: ["LC_ALL": locale], size: Size(width: 200, height: 100))
    guard terminal.waitFor("hostile.jsonl") else {
      return run.judge(terminal, faults: ["no picture"], locale)
    }
    _ = terminal.wait(1) { false }
    // Every page of the list, the line of a sample as it was written, the help, the prompt with text in it.
    for keys in Array(repeating: "\u{1B}[6~", count: 14) + [
      "\u{1B}[H", "\r", "\r", "\u{1B}", "?", "\u{1B}", "/\u{1B}[200~\(texts[3])\u{1B}[201~",
    ] {
      terminal.send(keys)
      _ = terminal.wait(0.1) { false }
    }
    run.tally.expected += texts.count * 2 - 1
    run.tally.got += texts.count * 2 - 1
    run.judge(terminal, faults: terminal.process.isRunning ? [] : ["died"], "metrics in \(locale)")
  }

  /// A file of that name.
  private static func showFileName(
    _ text: String, locale: String, _ bench: TerminalBench, into run: inout MatrixRun
  ) throws {
    let name = text.replacing("/", with: "_").replacing("\0", with: "_") + ".jsonl"
    let path = bench.folder.path("file ") + name
    guard FileManager.default.createFile(atPath: path, contents: Data(TerminalBench.line(1).utf8)) else {
      return
    }
    let terminal = try bench.dashboard([path], environment: ["LC_ALL": locale])
    let isThere = terminal.waitFor("probe")
    run.judge(terminal, faults: isThere ? [] : ["no picture"], "file name in \(locale)")
  }

  /// An option, a command and a type of terminal of that name.
  private static func showComplaints(
    _ text: String, locale: String, _ bench: TerminalBench, into run: inout MatrixRun
  ) throws {
    let text = text.replacing("\0", with: "_")
    for arguments in [["--" + text], ["stats", text], ["record", text]] {
      let terminal = try bench.dashboard(arguments, environment: ["LC_ALL": locale])
      let end = terminal.waitForEnd()
      run.judge(terminal, faults: end == nil ? ["does not end"] : [], "\(arguments) in \(locale)")
    }
    let terminal = try bench.dashboard(environment: ["TERM": text, "LC_ALL": locale])
    run.judge(terminal, endsBy: [.exited(2)], "terminal type in \(locale)")
  }
}
