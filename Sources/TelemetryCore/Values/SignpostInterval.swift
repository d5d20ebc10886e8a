/// One interval as recorded: the bucket is the signposter's category, the metric the interval's name.
public struct SignpostInterval: Codable, Hashable, Sendable {
  /// The time from begin to end, in milliseconds; never negative.
  public let durationMs: Double
  /// The id; 0 for ``SignpostID/exclusive``.
  public let id: Int
  /// Messages of begin and end or, after a misuse, `[Error]` and its description.
  public let message: String?
  /// Processor time of the process during the interval, in milliseconds; only with snapshots.
  public let cpuMs: Double?
  /// Growth of the process's resident memory during the interval in bytes, negative if it shrank; only with snapshots.
  public let memoryBytes: Int?
  /// Bytes written to files by the process during the interval; only with snapshots, and if the system reports them.
  public let writtenBytes: Int?
  /// Total delay of an animation's frames in milliseconds; absent for other intervals.
  public let hitchMs: Double?
  /// The error thrown by the measured work, or the misuse of begin and end.
  public let error: String?

  /// An interval.
  public init(
    durationMs: Double, id: Int, message: String? = nil, cpuMs: Double? = nil, memoryBytes: Int? = nil,
    writtenBytes: Int? = nil, hitchMs: Double? = nil, error: String? = nil
  ) {
    self.durationMs = durationMs
    self.id = id
    self.message = message
    self.cpuMs = cpuMs
    self.memoryBytes = memoryBytes
    self.writtenBytes = writtenBytes
    self.hitchMs = hitchMs
    self.error = error
  }
}
