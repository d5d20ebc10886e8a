/// Durations recorded as histograms, in bins of 10 ms.
public enum HistogrammedDuration: String, Hashable, Sendable, Codable, CaseIterable {
  /// From the launch to the first frame.
  case timeToFirstDraw
  /// From the background to the foreground.
  case resume
  /// From a prewarmed launch to the first frame.
  case optimizedTimeToFirstDraw
  /// From the launch to the end of the tasks that extend it.
  case extendedLaunch
  /// A time without response; Apple counts hangs of 250 ms and more (reported).
  case hang
}

/// Times recorded as sums.
public enum CumulativeTime: String, Hashable, Sendable, Codable, CaseIterable {
  /// In the foreground.
  case foregroundTime
  /// In the background.
  case backgroundTime
  /// In the background, playing audio.
  case backgroundAudioTime
  /// In the background, tracking the location.
  case backgroundLocationTime
  /// Processor time.
  case cpuTime
  /// Graphics processor time.
  case gpuTime
  /// Time spent scrolling.
  case scrollTime
  /// Delay of frames while scrolling; together with ``scrollTime`` it gives the scroll hitch time ratio.
  case scrollHitchTime
}

/// Amounts of bytes.
public enum ByteMetric: String, Hashable, Sendable, Codable, CaseIterable {
  /// Memory; the maximum recorded in the day counts.
  case peakMemory
  /// Bytes written to files; summed, as are the four transfers.
  case logicalWrites
  /// Sent over Wi-Fi.
  case wifiUpload
  /// Received over Wi-Fi.
  case wifiDownload
  /// Sent over the cellular network.
  case cellularUpload
  /// Received over the cellular network.
  case cellularDownload
  /// Size of the program on disk; the last value recorded in the day counts, as for all that follow.
  case binaryFiles
  /// Size of the app's data on disk.
  case dataFiles
  /// Size of the app's caches on disk.
  case cacheFolder
  /// Size of file clones.
  case clones
  /// All disk space used by the app.
  case diskSpaceUsed
  /// Capacity of the disk.
  case diskSpaceCapacity
}

/// The reason of an exit, in the foreground or the background.
public enum ExitMetric: Hashable, Sendable {
  /// An exit in the foreground.
  case foreground(ForegroundExit)
  /// An exit in the background.
  case background(ExitReason)
}

/// One recorded figure.
enum RecordedFigure: Sendable {
  case signpost(SignpostRecord)
  case duration(HistogrammedDuration, Duration)
  case time(CumulativeTime, Duration)
  case bytes(ByteMetric, Int)
  case exit(ExitMetric, Int)
}
