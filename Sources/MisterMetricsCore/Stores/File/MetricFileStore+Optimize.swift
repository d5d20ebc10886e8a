import Codecs
import Dispatch
public import Essentials

extension MetricFileStore {
  /// Removes entries from before the start of the day that many days ago; everything else stays.
  ///
  /// Nothing can be lost: survivors go to a new file that takes the old one's place when it is complete and on the
  /// disk, also if the process is killed at any moment; other processes may keep writing. Lines that are not entries,
  /// for instance of a newer version, are kept byte for byte.
  ///
  /// ```swift
  /// let done = try await store.optimize(maxRetentionDays: 30)
  /// print(done.removed, "entries removed")
  /// ```
  ///
  /// - Parameter maxRetentionDays: How many days to keep before today.
  /// - Returns: How many lines went and stayed.
  /// - Throws: ``MetricError``; the file is then as it was.
  @discardableResult
  public func optimize(maxRetentionDays: Int) async throws -> MetricOptimization {
    let days = min(max(0, maxRetentionDays), 1_000_000)
    return try await optimize(removingBefore: Date().startOfLocalDay(before: days))
  }

  /// Removes entries older than a moment, as safely as ``optimize(maxRetentionDays:)``.
  ///
  /// - Parameter cutoff: The oldest moment to keep.
  /// - Returns: How many lines went and stayed.
  /// - Throws: ``MetricError``; the file is then as it was.
  @discardableResult
  public func optimize(removingBefore cutoff: Date) async throws -> MetricOptimization {
    try await flush()
    let compaction = FileCompaction(path: path, cutoff: cutoff)
    return try await withCheckedThrowingContinuation { continuation in
      // A large file takes seconds; a thread of the cooperative pool must not be held up for so long.
      DispatchQueue.global(qos: .utility).async {
        continuation.resume(with: Result { try compaction.run() })
      }
    }
  }
}
