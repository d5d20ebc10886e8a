import MisterMetricsCore
import Platform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How a process writes: words of the form `key=value`.
///
/// - `count`: so many records, then the end; otherwise as many as the table holds.
/// - `durability`: one of ``MetricDurability``.
/// - `rotate`: rotation at so many bytes; every file is kept.
/// - `pause`: microseconds between records.
/// - `gate`: `1` to wait for the table's release before the first record.
/// - `time`: the time stamp of all records in seconds since 2001, so that two runs write the same bytes.
/// - `retry`: `1` to offer a refused record again until it is taken.
/// - `old`: `1` to record an entry of the year 2001 beside every fourth record.
/// - `optimize`: after so many records, removes what is older than 2002.
/// - `die`: dies by SIGKILL in the middle of its so-manieth write, as one does that the system kills between two pages.
/// - `short`: every write takes only so many bytes, as the system may decide.
/// - `without`: what protects and is taken out, for controls: `tail-check`.
/// - `end`: how `gather` ends.
struct Options {
  private let values: [String: String]

  init(_ words: ArraySlice<String>) {
    var values: [String: String] = [:]
    for word in words {
      guard let mark = word.firstIndex(of: "=") else { continue }
      values[String(word[..<mark])] = String(word[word.index(after: mark)...])
    }
    self.values = values
  }

  subscript(key: String) -> String? { values[key] }

  func number(_ key: String) -> Int? { values[key].flatMap { Int($0) } }

  var file: MetricFileOptions {
    var options = MetricFileOptions()
    options.durability = values["durability"].flatMap(MetricDurability.init) ?? .process
    options.rotation = number("rotate").map { MetricFileRotation(maxBytes: $0, keep: .max) }
    return options
  }

  var operations: FileOperations {
    var operations = FileOperations.system
    if values["without"] == "tail-check" {
      operations.read = { _, buffer, _ in
        for index in buffer.indices { buffer[index] = UInt8(ascii: "\n") }
        return buffer.count
      }
    }
    if let most = number("short") {
      operations.write = { descriptor, bytes in
        FileOperations.system.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes.prefix(most)))
      }
    }
    if let last = number("die") {
      let writes = Locked(0)
      operations.write = { descriptor, bytes in
        let number = writes.withLock { writes in
          writes += 1
          return writes
        }
        guard number >= last else { return FileOperations.system.write(descriptor, bytes) }
        let half = UnsafeRawBufferPointer(rebasing: bytes.prefix(bytes.count / 2))
        _ = FileOperations.system.write(descriptor, half)
        kill(getpid(), SIGKILL)
        return -1
      }
    }
    return operations
  }
}
