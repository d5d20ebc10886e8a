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
///   process; ``MetricFileOptions/durability`` asks for more. Callers that wait at the same time share one write.
/// - Fire-and-forget records are gathered for 250 ms at most (``MetricFileOptions/gathering``) and also written when the
///   program ends by returning or `exit`.
/// - Several processes may write to the same file, rotate it and compact it; no one loses a line.
/// - The file is created, with its folder, by the first record.
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
  /// - Throws: ``MetricError`` with ``MetricError/Code/fileUnavailable`` for a URL that is no file's.
  public convenience init(file: URL) throws {
    try self.init(file: file, options: MetricFileOptions())
  }

  /// A store that writes as `options` says.
  ///
  /// ```swift
  /// var options = MetricFileOptions()
  /// options.durability = .commit
  /// let store = try MetricFileStore(file: fileURL, options: options)
  /// ```
  ///
  /// - Parameters:
  ///   - file: The file; it need not exist.
  ///   - options: How to write.
  /// - Throws: ``MetricError`` with ``MetricError/Code/fileUnavailable`` for a URL that is no file's.
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

  /// A store of the file that the system opens by a path.
  ///
  /// A `URL` that is made of the path may be another file's: it takes a folder before `..` away, though that is a link,
  /// and begins with a home folder where the path does with `~`.
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

  /// The last failure that no caller was told of (of a fire-and-forget write, or of a sync in between), or `nil`.
  public var lastError: MetricError? { writer.lastError }

  /// Records a value; returns when it is as safe as ``MetricFileOptions/durability`` says.
  ///
  /// ```swift
  /// try await store.record(Metrics.startupTimeMs, value: 428.5)
  /// ```
  ///
  /// - Throws: ``MetricError``: the value has no JSON, or the line could not be written (then nothing of it is in the
  ///   file), or was not made durable.
  public func record<T>(_ metric: Metric<T>, value: T) async throws where T: MetricValue {
    try await commit(metric, value: value)
  }

  /// Writes everything that the store has accepted and syncs it to disk, whatever the durability.
  ///
  /// Fire-and-forget records that have not reached the store yet are not waited for. A file that does not exist yet
  /// has nothing to sync.
  ///
  /// - Throws: ``MetricError`` when writing or syncing fails.
  public func sync() async throws {
    try await writer.flush(syncs: true)
  }

  /// Writes everything that the store has accepted and returns when it is as safe as the durability says.
  ///
  /// - Throws: ``MetricError`` when writing or syncing fails.
  public func flush() async throws {
    try await writer.flush(syncs: false)
  }

  /// Flushes and closes the store: later records throw ``MetricError/Code/storeClosed``.
  ///
  /// - Throws: ``MetricError`` when flushing fails, or the last failure that no caller was told of.
  public func close() async throws {
    defer { updates.finish() }
    try await writer.close()
  }

  /// Empties the file and removes its rotated predecessors; its owner and permissions stay.
  ///
  /// - Throws: ``MetricError`` when the file cannot be emptied, or one of the predecessors stays.
  public func clear() async throws {
    try await writer.clear()
  }
}

extension MetricFileStore: EntrySink {
  /// Takes an entry that no one waits for.
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
  /// - Throws: ``MetricError`` for a URL that is no file's.
  public static func file(url: URL) throws -> MetricFileStore {
    try MetricFileStore(file: url)
  }
}
