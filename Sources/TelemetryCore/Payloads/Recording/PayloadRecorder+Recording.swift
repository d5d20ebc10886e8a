import Platform

extension PayloadRecorder {
  /// A signposter whose intervals and events become figures of the day.
  ///
  /// - Parameters:
  ///   - category: Its category.
  ///   - snapshots: True to measure processor time, memory and writes too, which takes a few microseconds.
  public func makeSignposter(category: String, snapshots: Bool = false) -> Signposter {
    Signposter(category: category, snapshots: snapshots, sink: { self.record($0) })
  }

  /// Records a signposter's record; intervals with a misuse are counted and left out.
  ///
  /// ```swift
  /// let signposter = Signposter(category: "Images") { record in
  ///   recorder.record(record)
  ///   journal.append(record)
  /// }
  /// ```
  public func record(_ record: SignpostRecord) {
    if record.details?.isMisuse == true { return countMisuse() }
    append(.signpost(record), source: .app)
  }

  /// Adds a duration to the histogram of its kind; negative ones are refused and counted.
  public func record(_ kind: HistogrammedDuration, _ duration: Duration, source: PayloadSource = .app) {
    guard duration >= .zero else { return countRefusal() }
    append(.duration(kind, duration), source: source)
  }

  /// Adds a time to the sum of its kind; negative ones are refused and counted.
  public func record(_ kind: CumulativeTime, _ duration: Duration, source: PayloadSource = .app) {
    guard duration >= .zero else { return countRefusal() }
    append(.time(kind, duration), source: source)
  }

  /// Records an amount of bytes; ``ByteMetric`` says which are summed.
  public func record(_ kind: ByteMetric, bytes: Int, source: PayloadSource = .app) {
    append(.bytes(kind, bytes), source: source)
  }

  /// Records what this process has used since it started, or since the previous call.
  ///
  /// Processor time and, on Linux, file writes are added to those of the day; of the current memory, the maximum of
  /// the day counts.
  public func recordProcessUsage() {
    let now = ProcessUsage.current()
    let used = recordedUsage.withLock { before in
      defer { before = now }
      return now.since(before)
    }
    record(.cpuTime, .nanoseconds(max(0, used.processor)))
    if let bytes = used.written { record(.logicalWrites, bytes: bytes) }
    if let bytes = now.memory { record(.peakMemory, bytes: bytes) }
  }

  /// Records exits of the app, as its next process discovers them; saved immediately.
  public func record(exit: ExitMetric, count: Int = 1, source: PayloadSource = .app) {
    append(.exit(exit, count), source: source, isUrgent: true)
  }

  /// Records diagnostics, delivered at once or when there is a subscriber; an empty payload is refused.
  public func record(_ payload: DiagnosticPayload) {
    if payload.isEmpty { countRefusal() } else { keep(payload) }
  }
}
