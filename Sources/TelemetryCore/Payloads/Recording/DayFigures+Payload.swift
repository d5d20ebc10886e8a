import Essentials

extension DayFigures {
  /// The payload of the day; empty sections are absent.
  func payload(of day: CalendarDay) -> MetricPayload {
    var payload = MetricPayload()
    payload.latestApplicationVersion = origin.version
    payload.includesMultipleApplicationVersions = hasSeveralVersions
    (payload.timeStampBegin, payload.timeStampEnd) = day.window
    payload.metaData = origin.metaData
    payload.cpuMetrics = processor.present
    payload.gpuMetrics = graphics.present
    payload.memoryMetrics = memory.present
    payload.diskIOMetrics = writes.present
    payload.networkTransferMetrics = transfers.present
    payload.applicationTimeMetrics = running.present
    payload.applicationLaunchMetrics = launches.present
    payload.applicationResponsivenessMetrics = hangs.present
    payload.animationMetrics = motion.present
    payload.applicationExitMetrics = hasExits ? exits : nil
    payload.diskSpaceUsageMetrics = diskSpace.present
    payload.signpostMetrics = signposts.sorted { $0.key < $1.key }.map { key, figures in
      figures.metric(category: key.category, name: key.name)
    }
    return payload
  }

  private var processor: MetricPayload.CPUMetric {
    var section = MetricPayload.CPUMetric()
    section.cumulativeCPUTimeQuantity = seconds(.cpuTime)
    return section
  }

  private var graphics: MetricPayload.GPUMetric {
    var section = MetricPayload.GPUMetric()
    section.cumulativeGPUTimeQuantity = seconds(.gpuTime)
    return section
  }

  private var memory: MetricPayload.MemoryMetric {
    var section = MetricPayload.MemoryMetric()
    section.peakMemoryUsageQuantity = kibibytes(.peakMemory)
    return section
  }

  private var writes: MetricPayload.DiskIOMetric {
    var section = MetricPayload.DiskIOMetric()
    section.cumulativeLogicalWritesQuantity = kibibytes(.logicalWrites)
    return section
  }

  private var transfers: MetricPayload.NetworkTransferMetric {
    var section = MetricPayload.NetworkTransferMetric()
    section.cumulativeWifiUploadQuantity = kibibytes(.wifiUpload)
    section.cumulativeWifiDownloadQuantity = kibibytes(.wifiDownload)
    section.cumulativeCellularUploadQuantity = kibibytes(.cellularUpload)
    section.cumulativeCellularDownloadQuantity = kibibytes(.cellularDownload)
    return section
  }

  private var running: MetricPayload.ApplicationTimeMetric {
    var section = MetricPayload.ApplicationTimeMetric()
    section.cumulativeForegroundTimeQuantity = seconds(.foregroundTime)
    section.cumulativeBackgroundTimeQuantity = seconds(.backgroundTime)
    section.cumulativeBackgroundAudioTimeQuantity = seconds(.backgroundAudioTime)
    section.cumulativeBackgroundLocationTimeQuantity = seconds(.backgroundLocationTime)
    return section
  }

  private var launches: MetricPayload.ApplicationLaunchMetric {
    var section = MetricPayload.ApplicationLaunchMetric()
    section.histogrammedTimeToFirstDraw = histogram(.timeToFirstDraw)
    section.histogrammedApplicationResumeTime = histogram(.resume)
    section.histogrammedOptimizedTimeToFirstDraw = histogram(.optimizedTimeToFirstDraw)
    section.histogrammedExtendedLaunch = histogram(.extendedLaunch)
    return section
  }

  private var hangs: MetricPayload.ApplicationResponsivenessMetric {
    var section = MetricPayload.ApplicationResponsivenessMetric()
    section.histogrammedApplicationHangTime = histogram(.hang)
    return section
  }

  /// Absent unless a frame was late, as Apple writes it (reported).
  private var motion: MetricPayload.AnimationMetric {
    typealias Animation = SignpostFigures.Animation
    let scrolling = Animation(
      time: nanoseconds(.scrollTime) ?? 0, hitches: nanoseconds(.scrollHitchTime) ?? 0)
    var all = scrolling
    for animation in signposts.values.compactMap(\.animation) { all.add(animation) }
    var section = MetricPayload.AnimationMetric()
    section.scrollHitchTimeRatioQuantity = scrolling.ratio.flatMap(Self.positive)
    section.hitchTimeRatioQuantity = all.ratio.flatMap(Self.positive)
    return section
  }

  private var diskSpace: MetricPayload.DiskSpaceUsageMetric {
    var section = MetricPayload.DiskSpaceUsageMetric()
    section.totalBinaryFileSizeQuantity = kilobytes(.binaryFiles)
    section.totalDataFileSizeQuantity = kilobytes(.dataFiles)
    section.totalCacheFolderSizeQuantity = kilobytes(.cacheFolder)
    section.totalCloneSizeQuantity = kilobytes(.clones)
    section.totalDiskSpaceUsedSizeQuantity = kilobytes(.diskSpaceUsed)
    section.totalDiskSpaceCapacityQuantity = kilobytes(.diskSpaceCapacity)
    return section
  }

  private func seconds(_ kind: CumulativeTime) -> Quantity<DurationUnit>? {
    nanoseconds(kind).map { Quantity(value: Double($0) / 1e9, unit: .seconds) }
  }

  /// As systems store memory and transfers: bytes divided by 1,024, labelled kilobytes (reported).
  private func kibibytes(_ kind: ByteMetric) -> Quantity<InformationUnit>? {
    amount(kind).map { Quantity(value: Double($0 >> 10), unit: .kilobytes) }
  }

  /// As systems store disk sizes: bytes divided by 1,000 (reported).
  private func kilobytes(_ kind: ByteMetric) -> Quantity<InformationUnit>? {
    amount(kind).map { Quantity(value: Double($0 / 1_000), unit: .kilobytes) }
  }

  private static func positive(_ ratio: Double) -> Quantity<SymbolUnit>? {
    ratio > 0 ? Quantity(value: ratio, unit: .hitchTimeRatio) : nil
  }
}

extension DayFigures {
  /// Always both foreground and background, since an absent count is zero.
  private var exits: MetricPayload.ApplicationExitMetric {
    var section = MetricPayload.ApplicationExitMetric()
    section.foregroundExitData = exitsInForeground
    section.backgroundExitData = exitsInBackground
    return section
  }

  private var exitsInForeground: MetricPayload.ForegroundExitData {
    var data = MetricPayload.ForegroundExitData()
    for exit in ForegroundExit.allCases { data[exit] = exits(exit) }
    return data
  }

  private var exitsInBackground: MetricPayload.BackgroundExitData {
    var data = MetricPayload.BackgroundExitData()
    for reason in ExitReason.allCases { data[reason] = exits(reason) }
    return data
  }
}

extension PayloadSection {
  /// The section; `nil` if it is empty.
  fileprivate var present: Self? { self == Self() ? nil : self }
}
