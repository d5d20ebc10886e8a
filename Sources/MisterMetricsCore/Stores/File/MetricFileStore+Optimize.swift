import Codecs
import Dispatch
public import Essentials

extension MetricFileStore {
  /// Removes entries from before the start of the day that many days ago; everything else stays.
  ///
  /// Nothing can be lost, even if the process is killed at any moment: survivors go to a new file, which takes the old
  /// one's place once it is complete and on disk. Other processes may keep writing. Lines that are not entries, for
  /// instance from a newer version, are kept byte for byte.
  ///
  /// ```swift
  /// let done = try await store.optimize(maxRetentionDays: 30)
  /// print(done.removed, "entries removed")
  /// ```
  ///
  /// - Parameter maxRetentionDays: Number of days to keep before today.
  /// - Returns: The numbers of removed and kept lines.
  /// - Throws: ``MetricError`` for the first file that could not be compacted; that file is unchanged, others may have
  ///   been compacted.
  @discardableResult
  public func optimize(maxRetentionDays: Int) async throws -> MetricOptimization {
    let days = min(max(0, maxRetentionDays), 1_000_000)
    return try await optimize(removingBefore: Date().startOfLocalDay(before: days))
  }

  /// Removes entries older than a date, as safely as ``optimize(maxRetentionDays:)``.
  ///
  /// - Parameter cutoff: The earliest date to keep.
  /// - Returns: The numbers of removed and kept lines.
  /// - Throws: ``MetricError`` for the first file that could not be compacted; that file is unchanged, others may have
  ///   been compacted.
  @discardableResult
  public func optimize(removingBefore cutoff: Date) async throws -> MetricOptimization {
    try await flush()
    let compaction = FileCompaction(path: path, cutoff: cutoff)
    return try await withCheckedThrowingContinuation { continuation in
      // A large file takes seconds; a thread of the cooperative pool must not be blocked for so long.
      DispatchQueue.global(qos: .utility).async {
        continuation.resume(with: Result { try compaction.run() })
      }
    }
  }
}
