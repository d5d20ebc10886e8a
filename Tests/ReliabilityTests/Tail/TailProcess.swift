import Foundation
import TestSupport

/// `mistertop tail` as a process of its own, and what it has printed so far.
final class TailProcess {
  let process: ChildProcess
  private let output: String

  /// - Parameters:
  ///   - wrap: A program with arguments that starts another one in surroundings of its own, such as `setpriv`.
  ///   - program: Where mistertop is, if not beside the tests.
  ///   - output: Where it prints to; its errors go there too.
  init(_ arguments: [String], wrap: [String] = [], program: String? = nil, output: String) throws {
    self.output = output
    let words = wrap + [try program ?? ChildProcess.program("mistertop"), "tail"] + arguments
    process = try ChildProcess(
      words[0], Array(words.dropFirst()), environment: ["LC_ALL": "C.UTF-8"], output: output)
  }

  /// A wrap in which the system grants no watcher.
  ///
  /// - Parameter limit: `instances` or `watches`.
  static func withoutWatcher(_ limit: String) -> [String] {
    ["unshare", "-Ur", "sh", "-c", "echo 0 > /proc/sys/user/max_inotify_\(limit) && exec \"$@\"", "sh"]
  }

  /// Whole lines so far.
  var lines: [String] {
    // A process that was killed may have been in the middle of a line.
    text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { String($0) }
  }

  /// The values of the samples so far, in order.
  var numbers: [Int] {
    lines.filter { !$0.hasPrefix("mistertop") }.compactMap {
      $0.split(separator: " ").last.flatMap { Int($0) }
    }
  }

  var text: String {
    String(decoding: (try? Data(contentsOf: URL(fileURLWithPath: output))) ?? Data(), as: UTF8.self)
  }

  /// Waits until the output is as wanted; `false` if that does not happen for long.
  func waits(seconds: Double = 20, until isWanted: (TailProcess) -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < deadline {
      if isWanted(self) { return true }
      usleep(2_000)
    }
    return isWanted(self)
  }

  /// How many bytes were printed so far.
  var size: Int { (try? FileManager.default.attributesOfItem(atPath: output)[.size] as? Int) ?? 0 }

  /// Processor time so far, of the process alone, in seconds.
  var seconds: Double { ProcessFacts(process.identifier).seconds }

  /// A line whose value is a number.
  static func line(_ number: Int) -> String {
    "{\"metric\":{\"bucket\":\"app\",\"name\":\"number\",\"valueTypeString\":\"Int\"},\"timestamp\":\(number),"
      + "\"value\":\"\(Data("\(number)".utf8).base64EncodedString())\"}\n"
  }

  static func append(_ numbers: Range<Int>, to path: String) {
    append(numbers.map(line).joined(), to: path)
  }

  static func append(_ text: String, to path: String) {
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    let bytes = Array(text.utf8)
    _ = write(descriptor, bytes, bytes.count)
    close(descriptor)
  }
}
