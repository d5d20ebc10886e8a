import Foundation
import TestSupport
import Testing

/// P5 for the reader of whole files: each of its system calls fails once.
extension FaultMatrix {
  /// Runs `stats` on a file once for each call that fails: it says so, or its figures are the right ones.
  ///
  /// - Returns: How many calls failed.
  static func failScanCalls(_ run: inout MatrixRun) throws -> Int {
    let folder = try TemporaryFolder()
    let lines = (0..<6_000).map {
      #"{"metric":{"name":"n","valueTypeString":"Int"},"timestamp":\#($0),"value":"MQ=="}"# + "\n"
    }
    let path = try folder.write(lines.joined(), to: "m.jsonl")
    let right = try statsOutput(of: path, in: folder, fault: nil)
    run.tally.bad += right.ending == .exited(0) && right.text.contains("6000") ? 0 : 1
    var calls = 0
    for call in ["openat", "fstat,newfstatat", "pread64", "lseek"] {
      for name in ["EIO", "EINTR"] {
        for number in 1... {
          let fault = Strace.Fault.error(call: call, name: name, when: "\(number)")
          let found = try statsOutput(of: path, in: folder, fault: fault)
          guard found.wasReached else { break }
          calls += 1
          run.add(rounds: 1)
          run.tally.expected += 1
          let isTold = found.ending == .exited(1) && found.text.contains("mistertop stats: ")
          if found.ending == .exited(0) ? found.text == right.text : isTold {
            run.tally.got += 1
          } else {
            run.tally.bad += 1
            Issue.record("\(call) \(number) fails with \(name): \(found.ending), \(found.text)")
          }
        }
      }
    }
    return calls
  }

  private static func statsOutput(
    of path: String, in folder: TemporaryFolder, fault: Strace.Fault?
  ) throws -> (ending: ChildProcess.Ending, text: String, wasReached: Bool) {
    let (log, output) = (folder.path("calls"), folder.path("output"))
    for old in [log, output] { try? FileManager.default.removeItem(atPath: old) }
    let words =
      (fault.map { Strace.wrapper($0, at: [path], log: log) } ?? [])
      + [try ChildProcess.program("mistertop"), "stats", "--threads", "1", path]
    let ending = try ChildProcess(words[0], Array(words.dropFirst()), output: output).wait()
    let calls = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
    return (ending, try String(contentsOfFile: output, encoding: .utf8), calls.contains("(INJECTED)"))
  }
}
