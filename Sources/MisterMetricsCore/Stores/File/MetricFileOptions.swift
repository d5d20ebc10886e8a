/// How a ``MetricFileStore`` writes: how safe, how late, how large.
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

  /// How long a fire-and-forget record waits for others at most, from the first one of a batch on.
  public var gathering: Duration = .milliseconds(250)

  /// How long a record stays unsynced at most at ``MetricDurability/interval``.
  public var syncInterval: Duration = .milliseconds(500)

  /// How long another writer may hold the lock of the file before waiting callers get an error
  /// (``MetricError/Code/fileLocked``); fire-and-forget records stay in memory and are tried again.
  public var lockTimeout: Duration = .seconds(2)

  /// When to continue in a new file; `nil` (the default) for never.
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
/// When the system reports that a sync failed, the file is left under a numbered name and what was not synced is written
/// again to a new one: a record may then be in both, but an acknowledged one is never in neither.
public enum MetricDurability: String, Hashable, Sendable, CaseIterable {
  /// The death of any process: the line is in the file, but perhaps not yet on the disk. The default.
  case process
  /// As ``process``, and a power cut later than ``MetricFileOptions/syncInterval`` after the record.
  case interval
  /// A power cut: the line is on the disk. Callers that wait at the same time share one sync.
  case commit
}

/// Rotation by size: a full `metrics.jsonl` becomes `metrics.jsonl.1`, that one `metrics.jsonl.2`, and so on.
///
/// ```swift
/// options.rotation = MetricFileRotation(maxBytes: 50_000_000, keep: 3)
/// ```
public struct MetricFileRotation: Hashable, Sendable {
  /// The size in bytes beyond which no batch is written to a file that already holds something.
  ///
  /// Unless it cannot be rotated: then it keeps growing, ``MetricFileStore/lastError`` says why
  /// (``MetricError/Code/rotationFailed``), and each batch tries again.
  ///
  /// The new file has the owner, the group, the readers and the attributes of the full one; where the process may not give it
  /// that group, its group may do what everybody may.
  public var maxBytes: Int

  /// How many numbered files stay beside the current one; the oldest is removed.
  public var keep: Int

  /// A rotation.
  ///
  /// - Parameters:
  ///   - maxBytes: The largest size of a file in bytes; at least 1.
  ///   - keep: How many numbered files to keep; at least 1.
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
  /// Lines refused because they could not be written; none of them is in the file as a whole line.
  public internal(set) var refused = 0
  /// Lines skipped by retrieval because they are no entries.
  public internal(set) var undecodable = 0
  /// Times a write or sync failed.
  public internal(set) var failures = 0
}
