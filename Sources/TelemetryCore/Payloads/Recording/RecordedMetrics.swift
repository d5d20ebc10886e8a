/// Durations whose distribution is in a payload, in bins of 10 ms.
public enum HistogrammedDuration: String, Hashable, Sendable, Codable, CaseIterable {
  /// From the launch to the first frame.
  case timeToFirstDraw
  /// From the background to the screen.
  case resume
  /// From the launch to the first frame, where the system had prepared the launch.
  case optimizedTimeToFirstDraw
  /// From the launch to the end of the tasks by which the app extended it.
  case extendedLaunch
  /// A time in which the app did not answer; Apple counts those of 250 ms and more (reported).
  case hang
}

/// Times whose sum is in a payload.
public enum CumulativeTime: String, Hashable, Sendable, Codable, CaseIterable {
  /// In the foreground.
  case foregroundTime
  /// In the background.
  case backgroundTime
  /// In the background, playing.
  case backgroundAudioTime
  /// In the background, following the place.
  case backgroundLocationTime
  /// Of the processor.
  case cpuTime
  /// Of the graphics processor.
  case gpuTime
  /// Scrolling.
  case scrollTime
  /// How late frames were while scrolling; with ``scrollTime`` it gives the scroll hitch time ratio.
  case scrollHitchTime
}

/// Amounts of bytes.
public enum ByteMetric: String, Hashable, Sendable, Codable, CaseIterable {
  /// Memory; the most that was recorded in the day counts.
  case peakMemory
  /// Written to files; what is recorded is summed, as with the four transfers.
  case logicalWrites
  /// Sent over Wi-Fi.
  case wifiUpload
  /// Received over Wi-Fi.
  case wifiDownload
  /// Sent over the cellular network.
  case cellularUpload
  /// Received over the cellular network.
  case cellularDownload
  /// The program on disk; the last that was recorded in the day counts, as with all that follow.
  case binaryFiles
  /// The data of the app on disk.
  case dataFiles
  /// The caches of the app on disk.
  case cacheFolder
  /// Clones of files.
  case clones
  /// All that the app takes on disk.
  case diskSpaceUsed
  /// The whole disk.
  case diskSpaceCapacity
}

/// Why the app ended, and where it was.
public enum ExitMetric: Hashable, Sendable {
  /// On the screen.
  case foreground(ForegroundExit)
  /// Not on the screen.
  case background(ExitReason)
}

/// One thing that was recorded.
enum RecordedFigure: Sendable {
  case signpost(SignpostRecord)
  case duration(HistogrammedDuration, Duration)
  case time(CumulativeTime, Duration)
  case bytes(ByteMetric, Int)
  case exit(ExitMetric, Int)
}
