/// Options of a ``MetricFileStore``: durability, latency and rotation.
///
/// ```swift
/// var options = MetricFileOptions()
/// options.durability = .commit
/// options.rotation = MetricFileRotation(maxBytes: 50_000_000, keep: 3)
/// let store = try MetricFileStore(file: fileURL, options: options)
/// ```
public struct MetricFileOptions: Hashable, Sendable {
  /// The events that a record survives once `try await store.record` has returned.
  public var durability: MetricDurability = .process

  /// Maximum time that a fire-and-forget record waits for others, starting with the first one of a batch.
  public var gathering: Duration = .milliseconds(250)

  /// Maximum time that a record stays unsynced at ``MetricDurability/interval``.
  public var syncInterval: Duration = .milliseconds(500)

  /// Maximum time that another writer may hold the file's lock before waiting callers get an error
  /// (``MetricError/Code/fileLocked``); fire-and-forget records stay in memory and are retried.
  public var lockTimeout: Duration = .seconds(2)

  /// The condition for continuing in a new file; `nil` (the default) for never.
  public var rotation: MetricFileRotation?

  /// The defaults: ``MetricDurability/process``, 250 ms gathering, 2 s for a lock, no rotation.
  public init() {}
}

/// The events that a record survives once `try await store.record` has returned.
///
/// ```swift
/// var options = MetricFileOptions()
/// options.durability = .interval
/// ```
///
/// If the system reports that a sync failed, the file is moved to a numbered name and unsynced records are written
/// again to a new one: a record may then be in both, but an acknowledged one is always in at least one.
public enum MetricDurability: String, Hashable, Sendable, CaseIterable {
  /// The death of any process: the line is in the file, but perhaps not yet on the disk. The default.
  case process
  /// As ``process``, and a power failure later than ``MetricFileOptions/syncInterval`` after the record.
  case interval
  /// A power failure: the line is on disk. Callers that wait at the same time share one sync.
  case commit
}

/// Rotation by size: a full `metrics.jsonl` becomes `metrics.jsonl.1`, that one `metrics.jsonl.2`, and so on.
///
/// ```swift
/// options.rotation = MetricFileRotation(maxBytes: 50_000_000, keep: 3)
/// ```
public struct MetricFileRotation: Hashable, Sendable {
  /// Maximum size in bytes to which a non-empty file may grow.
  ///
  /// If it cannot be rotated, it keeps growing, ``MetricFileStore/lastError`` says why
  /// (``MetricError/Code/rotationFailed``), and each batch tries again.
  ///
  /// The new file has the owner, group, permissions and attributes of the full one; if the process may not assign that
  /// group, the new group gets only the permissions that everyone has.
  public var maxBytes: Int

  /// Number of numbered files kept beside the current one; the oldest is removed.
  public var keep: Int

  /// A rotation policy.
  ///
  /// - Parameters:
  ///   - maxBytes: Maximum size of a file in bytes; at least 1.
  ///   - keep: Number of numbered files to keep; at least 1.
  public init(maxBytes: Int, keep: Int) {
    self.maxBytes = max(1, maxBytes)
    self.keep = max(1, keep)
  }
}

/// Counts of the lines of one ``MetricFileStore``.
///
/// ```swift
/// if store.counts.refused > 0 { print(store.lastError as Any) }
/// ```
public struct MetricFileCounts: Hashable, Sendable {
  /// Lines written to the file.
  public internal(set) var written = 0
  /// Lines refused because they could not be written; the file has no complete line of them.
  public internal(set) var refused = 0
  /// Lines skipped by retrieval because they are not entries.
  public internal(set) var undecodable = 0
  /// Number of failed writes and syncs.
  public internal(set) var failures = 0
}
