import TestSupport

/// Tests that write the lines of one log to a file system in memory.
protocol LogsInMemory {
  var files: MemoryFileSystem { get }
}

extension LogsInMemory {
  /// Of the log.
  var path: String { "/logs/app.jsonl" }

  func line(_ number: Int) -> String {
    "{\"metric\":{\"bucket\":\"app\",\"name\":\"push_ms\",\"valueTypeString\":\"Int\"},\"timestamp\":\(100 + number)}"
  }

  func write(_ numbers: ClosedRange<Int>, to path: String? = nil) {
    for number in numbers { files.append(line(number) + "\n", to: path ?? self.path) }
  }

  func lines(_ numbers: ClosedRange<Int>...) -> [String] { numbers.flatMap { $0.map(line) } }
}

extension MemoryFileSystem {
  /// With the folder of the log.
  static func withLogs() -> MemoryFileSystem {
    let files = MemoryFileSystem()
    files.makeDirectory("/")
    files.makeDirectory("/logs")
    return files
  }
}
