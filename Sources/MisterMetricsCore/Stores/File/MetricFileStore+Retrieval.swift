public import Essentials
import Platform

extension MetricFileStore {
  /// The entries of a time range, both ends included, in the order of writing; includes rotated files.
  ///
  /// Writes all accepted records first, so they are among the entries. Lines that are not entries are skipped and
  /// counted in ``counts``. A file that does not exist has no entries.
  ///
  /// - Parameters:
  ///   - startDate: The first moment of the range.
  ///   - endDate: The last moment of the range.
  /// - Throws: ``MetricError`` if the file cannot be read.
  public func retrieveAll(from startDate: Date, until endDate: Date) async throws -> [MetricEntry] {
    let reader = try await makeReader(EntryFilter(from: startDate, until: endDate))
    var entries: [MetricEntry] = []
    while await !reader.isAtEnd {
      try Task.checkCancellation()
      entries += try await reader.nextPiece()
    }
    writer.countUndecodable(await reader.undecodable)
    return entries
  }

  /// The entries of a time range, read on demand: for files larger than memory.
  ///
  /// ```swift
  /// for try await entry in store.entries() { print(entry.timestamp, entry.metric.name) }
  /// ```
  ///
  /// - Parameters:
  ///   - startDate: The first moment of the range.
  ///   - endDate: The last moment of the range.
  public func entries(from startDate: Date = .distantPast, until endDate: Date = .distantFuture)
    -> MetricEntries
  {
    MetricEntries(of: self, matching: EntryFilter(from: startDate, until: endDate))
  }

  /// The entries of one metric in a time range, read on demand.
  ///
  /// - Parameters:
  ///   - metric: The metric.
  ///   - startDate: The first moment of the range.
  ///   - endDate: The last moment of the range.
  public func entries(
    of metric: AnyMetric, from startDate: Date = .distantPast, until endDate: Date = .distantFuture
  ) -> MetricEntries {
    MetricEntries(of: self, matching: EntryFilter(from: startDate, until: endDate, of: metric))
  }

  /// The entries of a time range as a stream, as in the original package; ``entries(from:until:)`` is the same with its
  /// own type.
  ///
  /// - Parameters:
  ///   - startDate: The first moment of the range.
  ///   - endDate: The last moment of the range.
  public func streamAll(
    from startDate: Date, until endDate: Date
  ) async -> AsyncThrowingStream<MetricEntry, any Error> {
    let iterator = Locked(entries(from: startDate, until: endDate).makeAsyncIterator())
    return AsyncThrowingStream {
      // A stream has one reader, so no one else uses the iterator in the meantime.
      var current = iterator.withLock { $0 }
      let entry = try await current.next()
      iterator.withLock { [current] in $0 = current }
      return entry
    }
  }

  /// A reader for the current files, including everything that this store has accepted.
  func makeReader(_ filter: EntryFilter) async throws(MetricError) -> EntryReader {
    do {
      try await writer.flush(syncs: false)
    } catch {
      // Failed writes are counted and kept as the last error; the contents of the file can still be read.
    }
    return try EntryReader(path: path, filter: filter)
  }
}
