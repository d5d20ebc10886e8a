import Foundation
import MisterMetricsCore
import TestSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// One process's work on one file.
struct WriterRun {
  let path: String
  let table: AckTable
  let writer: String
  let options: Options

  private var count: Int { min(options.number("count") ?? .max, AckTable.capacity) }

  func makeStore() throws -> MetricFileStore {
    try MetricFileStore(
      file: URL(fileURLWithPath: path), options: options.file, operations: options.operations)
  }

  /// Waits until all who take part stand ready.
  private func awaitRelease() {
    guard options["gate"] == "1" else { return }
    table.isReady = true
    while !table.isReleased { usleep(100) }
  }

  private func pause() {
    if let time = options.number("pause") { usleep(UInt32(clamping: time)) }
  }

  /// Records and waits for each record.
  func record() async throws {
    let store = try makeStore()
    awaitRelease()
    for number in 0..<count {
      table.offer(number)
      while await !offer(number, to: store), options["retry"] == "1" {}
      table.countedRefused = store.counts.refused
      try await accompany(number, in: store)
      pause()
    }
    table.isFinished = true
  }

  /// - Returns: Whether the record was taken.
  private func offer(_ number: Int, to store: MetricFileStore) async -> Bool {
    do {
      try await store.append([try entry(number)])
      table.acknowledge(number)
      return true
    } catch let error as MetricError where error.code == .syncFailed {
      return false  // It may be in the file, but nobody vouches for it: neither acknowledged nor refused.
    } catch {
      table.refuse(number)
      return false
    }
  }

  func entry(_ number: Int) throws -> MetricEntry {
    let metric = Metric<String>(name: writer, in: Bucket("\(number)"))
    let time = options["time"].flatMap(Double.init).map { Date(timeIntervalSinceReferenceDate: $0) }
    return try MetricEntry(
      timestamp: time ?? Date(), metric: metric,
      encoding: NumberedRecord.payload(writer: writer, number: number))
  }

  private func accompany(_ number: Int, in store: MetricFileStore) async throws {
    if options["old"] == "1", number % 4 == 0 {
      let old = try MetricEntry(
        timestamp: Date(timeIntervalSinceReferenceDate: 1), metric: Metric<Int>(name: "old"), encoding: number
      )
      // No one expects it to stay, so no one minds when it is refused.
      try? await store.append([old])
    }
    if let due = options.number("optimize"), number == due {
      try await store.optimize(removingBefore: Date(timeIntervalSinceReferenceDate: 31_536_000))
    }
  }

  /// Appends lines as a program does that knows nothing of locks; with `end=twin` nothing of forks either: what waits
  /// when it forks is written by both.
  func appendForeign() {
    let child = options["end"] == "twin" ? fork() : -1
    defer { if child > 0 { waitpid(child, nil, 0) } }
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    awaitRelease()
    for number in 0..<count {
      table.offer(number)
      let text = NumberedRecord.payload(writer: writer, number: number)
      let line = Array("{\"foreign\":\"\(number)\",\"writer\":\"\(writer)\",\"text\":\"\(text)\"}\n".utf8)
      let written = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if written == line.count { table.acknowledge(number) }
      pause()
    }
    table.isFinished = true
  }
}
