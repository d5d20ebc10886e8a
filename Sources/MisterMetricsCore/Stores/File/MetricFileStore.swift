public import Essentials
package import Platform

/// A store that appends to a file of JSON lines: the durable log of an app.
///
/// ```swift
/// let store = try MetricFileStore(file: fileURL.appendingPathComponent("metrics.jsonl"))
/// MetricManager.installGlobal(store)
/// ```
///
/// - `try await store.record(…)` is a promise: when it returns, the line is in the file and survives the death of this
///   process; ``MetricFileOptions/durability`` can demand more. Callers that wait at the same time share one write.
/// - Fire-and-forget records are gathered for at most 250 ms (``MetricFileOptions/gathering``), and are also written
///   when the program ends by returning or `exit`.
/// - Several processes may write to the same file, rotate it and compact it without losing a line.
/// - The first record creates the file and its folder.
public final class MetricFileStore: MetricStore {
  /// The file.
  public let file: URL

  package let updates = UpdateHub()
  let writer: LineWriter
  /// The file's path, symbolic links resolved: renaming must replace the file, not the link.
  let path: String

  /// A store with the default options.
  ///
  /// - Parameter file: The file; it need not exist.
  /// - Throws: ``MetricError`` with ``MetricError/Code/fileUnavailable`` if it is not a file URL.
  public convenience init(file: URL) throws {
    try self.init(file: file, options: MetricFileOptions())
  }

  /// A store with the given options.
  ///
  /// ```swift
  /// var options = MetricFileOptions()
  /// options.durability = .commit
  /// let store = try MetricFileStore(file: fileURL, options: options)
  /// ```
  ///
  /// - Parameters:
  ///   - file: The file; it need not exist.
  ///   - options: The write options.
  /// - Throws: ``MetricError`` with ``MetricError/Code/fileUnavailable`` if it is not a file URL.
  public convenience init(file: URL, options: MetricFileOptions) throws {
    try self.init(file: file, options: options, operations: .system)
  }

  /// A store with other system calls, for tests.
  package convenience init(
    file: URL, options: MetricFileOptions, operations: FileOperations
  ) throws(MetricError) {
    guard file.isFileURL, !file.path.isEmpty else {
      throw MetricError(.fileUnavailable, "\(file) is not the URL of a file")
    }
    try self.init(path: file.path, file: file, options: options, operations: operations)
  }

  /// A store for the file that the system opens at a path.
  ///
  /// A `URL` created from the path may refer to another file: it drops a folder before `..` even if that is a link, and
  /// expands a leading `~` to a home folder.
  package convenience init(path: String, options: MetricFileOptions = MetricFileOptions()) throws(MetricError)
  {
    try self.init(path: path, file: nil, options: options, operations: .system)
  }

  private init(
    path: String, file: URL?, options: MetricFileOptions, operations: FileOperations
  ) throws(MetricError) {
    guard !path.isEmpty else { throw MetricError(.fileUnavailable, "the name of the file is empty") }
    do { self.path = try Posix.trustedEntry(of: path) } catch { throw MetricError(error) }
    self.file = file ?? URL(fileURLWithPath: self.path)
    writer = LineWriter(path: self.path, options: options, operations: operations)
    ExitFlush.register(writer)
  }

  /// Counts of this store's lines.
  public var counts: MetricFileCounts { writer.counts }

  /// The last failure not reported to any caller (of a fire-and-forget write, or of a sync in between), or `nil`.
  public var lastError: MetricError? { writer.lastError }

  /// Records a value; returns when it is as durable as ``MetricFileOptions/durability`` requires.
  ///
  /// ```swift
  /// try await store.record(Metrics.startupTimeMs, value: 428.5)
  /// ```
  ///
  /// - Throws: ``MetricError`` if the value cannot be encoded as JSON, if the line could not be written (then the file
  ///   has nothing of it), or if it was not made durable.
  public func record<T>(_ metric: Metric<T>, value: T) async throws where T: MetricValue {
    try await commit(metric, value: value)
  }

  /// Writes everything that the store has accepted and syncs it to disk, regardless of the durability.
  ///
  /// Does not wait for fire-and-forget records that have not reached the store yet. A file that does not exist yet has
  /// nothing to sync.
  ///
  /// - Throws: ``MetricError`` if writing or syncing fails.
  public func sync() async throws {
    try await writer.flush(syncs: true)
  }

  /// Writes everything that the store has accepted and returns when it is as durable as the options require.
  ///
  /// - Throws: ``MetricError`` if writing or syncing fails.
  public func flush() async throws {
    try await writer.flush(syncs: false)
  }

  /// Flushes and closes the store: later records throw ``MetricError/Code/storeClosed``.
  ///
  /// - Throws: ``MetricError`` if flushing fails, or the last failure not reported to any caller.
  public func close() async throws {
    defer { updates.finish() }
    try await writer.close()
  }

  /// Empties the file and removes its rotated predecessors; its owner and permissions stay.
  ///
  /// - Throws: ``MetricError`` if the file cannot be cleared, or one of the predecessors stays.
  public func clear() async throws {
    try await writer.clear()
  }
}

extension MetricFileStore: EntrySink {
  /// Accepts an entry that no caller waits for.
  package func gather(_ entry: MetricEntry) throws(MetricError) {
    var line: [UInt8] = []
    line.reserveCapacity(192)
    try Self.append(entry, to: &line)
    try writer.gather(line)
    updates.publish(CollectionOfOne(entry))
  }

  /// Writes entries together.
  package func commit(_ entries: [MetricEntry]) async throws(MetricError) {
    var lines: [UInt8] = []
    lines.reserveCapacity(192 * entries.count)
    for entry in entries { try Self.append(entry, to: &lines) }
    try await writer.commit(lines, count: entries.count)
    updates.publish(entries)
  }

  private static func append(_ entry: MetricEntry, to lines: inout [UInt8]) throws(MetricError) {
    let start = lines.count
    try LineEncoder.append(entry, to: &lines)
    let length = lines.count - start
    guard length <= LineReader.lineLimit else {
      throw MetricError(
        .recordTooLong, "the record takes \(length) bytes; readers take \(LineReader.lineLimit)")
    }
  }
}

extension MetricStore where Self == MetricFileStore {
  /// A store that appends to a file.
  ///
  /// - Parameter url: The file.
  /// - Throws: ``MetricError`` if it is not a file URL.
  public static func file(url: URL) throws -> MetricFileStore {
    try MetricFileStore(file: url)
  }
}
