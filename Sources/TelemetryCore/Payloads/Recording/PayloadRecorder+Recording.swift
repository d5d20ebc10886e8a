import Platform

extension PayloadRecorder {
  /// A signposter whose intervals and events are figures of the day.
  ///
  /// - Parameters:
  ///   - category: Its category.
  ///   - snapshots: Whether processor time, memory and writes are measured too, which takes some microseconds.
  public func makeSignposter(category: String, snapshots: Bool = false) -> Signposter {
    Signposter(category: category, snapshots: snapshots, sink: { self.record($0) })
  }

  /// Records what a signposter hands over; one whose begin and end broke the rules is counted and left out.
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

  /// Records a duration for the histogram of its kind; one below zero is refused and counted.
  public func record(_ kind: HistogrammedDuration, _ duration: Duration, source: PayloadSource = .app) {
    guard duration >= .zero else { return countRefusal() }
    append(.duration(kind, duration), source: source)
  }

  /// Records a time that is added to the others of its kind; one below zero is refused and counted.
  public func record(_ kind: CumulativeTime, _ duration: Duration, source: PayloadSource = .app) {
    guard duration >= .zero else { return countRefusal() }
    append(.time(kind, duration), source: source)
  }

  /// Records an amount of bytes; ``ByteMetric`` says which are summed.
  public func record(_ kind: ByteMetric, bytes: Int, source: PayloadSource = .app) {
    append(.bytes(kind, bytes), source: source)
  }

  /// Records what this process used since it started, or since this was called last.
  ///
  /// The processor time and, on Linux, the writes to files are added to those of the day; of the memory that it has at
  /// the moment, the most of the day counts.
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

  /// Records that the app ended, as its next process finds out; it is saved at once.
  public func record(exit: ExitMetric, count: Int = 1, source: PayloadSource = .app) {
    append(.exit(exit, count), source: source, isUrgent: true)
  }

  /// Records diagnostics: subscribers get them at once, or when there is one; a payload without any is refused.
  public func record(_ payload: DiagnosticPayload) {
    if payload.isEmpty { countRefusal() } else { keep(payload) }
  }
}
