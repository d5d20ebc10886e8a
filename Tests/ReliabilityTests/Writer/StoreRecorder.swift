import Foundation
import MisterMetricsCore
import Platform
import TestSupport

/// Records into a store of the test itself and notes each record's fate, as the helper program does in its own process.
struct StoreRecorder {
  let store: MetricFileStore
  let writer: String
  let table: AckTable

  /// Offers a record and waits for it.
  @discardableResult
  func offer(_ number: Int) async throws -> MetricError? {
    table.offer(number)
    do {
      try await store.append([entry(number)])
      table.acknowledge(number)
      return nil
    } catch let error as MetricError where error.code == .syncFailed {
      return error  // It may be in the file, but nobody vouches for it.
    } catch let error as MetricError {
      table.refuse(number)
      return error
    }
  }

  /// Hands a record to the store without waiting.
  func gather(_ number: Int) throws {
    table.offer(number)
    do {
      try store.gather(entry(number))
    } catch let error as MetricError {
      table.refuse(number)
      throw error
    }
  }

  private func entry(_ number: Int) throws -> MetricEntry {
    try MetricEntry(
      metric: Metric<String>(name: writer, in: Bucket("\(number)")),
      encoding: NumberedRecord.payload(writer: writer, number: number))
  }
}

extension WriterBench {
  /// A store in this process, with a table of its own.
  func recorder(
    size: Int = 200, options: MetricFileOptions = MetricFileOptions(), operations: FileOperations = .system
  ) throws -> StoreRecorder {
    let name = newName(size: size)
    let table = try makeTable(name)
    let store = try MetricFileStore(
      file: URL(fileURLWithPath: path), options: options, operations: operations)
    return StoreRecorder(store: store, writer: name, table: table)
  }
}
