/// One interval as it is recorded: bucket is the signposter's category, metric the interval's name.
public struct SignpostInterval: Codable, Hashable, Sendable {
  /// The time from begin to end, in milliseconds; never negative.
  public let durationMs: Double
  /// The id; 0 for ``SignpostID/exclusive``.
  public let id: Int
  /// Messages of begin and end, or, after a misuse, `[Error]` and its description.
  public let message: String?
  /// The processor time that the process used meanwhile, in milliseconds; only with snapshots.
  public let cpuMs: Double?
  /// By how many bytes the resident memory of the process grew meanwhile, or shrank; only with snapshots.
  public let memoryBytes: Int?
  /// The bytes that the process wrote to files during the interval; only with snapshots, and if the system reports them.
  public let writtenBytes: Int?
  /// How late the frames of an animation were in sum, in milliseconds; absent of other intervals.
  public let hitchMs: Double?
  /// The error that the measured work threw, or what was wrong with the calls of begin and end.
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
