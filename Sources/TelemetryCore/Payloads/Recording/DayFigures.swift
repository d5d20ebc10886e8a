import Aggregation
import Essentials
import Platform

/// The figures that one source recorded in one day: the sums that make up its payload.
struct DayFigures: Codable, Hashable, Sendable {
  /// Maximum number of signposts with different names or categories in a day.
  static let nameLimit = 1_000
  /// Maximum number of bins in all histograms of a day together.
  static let binLimit = 10_000
  /// Maximum length of signpost names and categories in bytes of UTF-8; longer ones are refused.
  static let textLimit = 1_000
  /// The width of the bins of ``HistogrammedDuration``, in milliseconds.
  static let binWidth = 10

  /// The grouping key of signposts.
  struct SignpostKey: Codable, Hashable, Comparable {
    let category: String
    let name: String

    static func < (first: Self, second: Self) -> Bool {
      (first.category, first.name) < (second.category, second.name)
    }
  }

  /// The origin of the last figure.
  private(set) var origin: FigureOrigin
  private(set) var hasSeveralVersions = false
  private var bins = 0
  private var durations: [String: DurationBins] = [:]
  private var times: [String: Int] = [:]
  private var bytes: [String: Int] = [:]
  private var foregroundExits: [String: Int] = [:]
  private var backgroundExits: [String: Int] = [:]
  private(set) var signposts: [SignpostKey: SignpostFigures] = [:]

  /// A day without figures.
  init(origin: FigureOrigin) {
    self.origin = origin
  }

  /// Adds a figure.
  ///
  /// - Returns: True if there was room for it.
  mutating func add(_ figure: RecordedFigure, from origin: FigureOrigin) -> Bool {
    guard add(figure) else { return false }
    if origin.version != self.origin.version { hasSeveralVersions = true }
    self.origin = origin
    return true
  }

  private mutating func add(_ figure: RecordedFigure) -> Bool {
    switch figure {
    case .signpost(let record): return add(record)
    case .duration(let kind, let duration):
      let outcome = durations[kind.rawValue, default: DurationBins()].add(
        duration.nanoseconds / 1_000_000, width: Self.binWidth, isFull: isFull)
      return take(outcome)
    case .time(let kind, let duration):
      times[kind.rawValue, default: 0] = times[kind.rawValue, default: 0].addingSaturated(
        max(0, duration.nanoseconds))
    case .bytes(let kind, let amount): add(max(0, amount), to: kind)
    case .exit(.foreground(let exit), let count):
      let key = exit.reason.rawValue
      foregroundExits[key, default: 0] = foregroundExits[key, default: 0]
        .addingSaturated(max(0, count))
    case .exit(.background(let reason), let count):
      backgroundExits[reason.rawValue, default: 0] = backgroundExits[reason.rawValue, default: 0]
        .addingSaturated(max(0, count))
    }
    return true
  }

  private mutating func add(_ amount: Int, to kind: ByteMetric) {
    let before = bytes[kind.rawValue] ?? 0
    switch kind.rule {
    case .most: bytes[kind.rawValue] = max(before, amount)
    case .sum: bytes[kind.rawValue] = before.addingSaturated(amount)
    case .last: bytes[kind.rawValue] = amount
    }
  }

  private mutating func add(_ record: SignpostRecord) -> Bool {
    let key = SignpostKey(category: record.category, name: record.name.description)
    if signposts[key] == nil {
      guard signposts.count < Self.nameLimit, key.name.utf8.count <= Self.textLimit,
        key.category.utf8.count <= Self.textLimit
      else { return false }
    }
    switch record.value {
    case .event(let event):
      signposts[key, default: SignpostFigures()].add(event)
      return true
    case .interval(let interval):
      let outcome = signposts[key, default: SignpostFigures()].add(interval, record.details, isFull: isFull)
      guard take(outcome) else {
        if signposts[key]?.count == 0 { signposts[key] = nil }
        return false
      }
      return true
    }
  }

  private var isFull: Bool { bins >= Self.binLimit }

  private mutating func take(_ outcome: DurationBins.Outcome) -> Bool {
    switch outcome {
    case .counted: return true
    case .opened:
      bins += 1
      return true
    case .refused: return false
    }
  }
}

extension DayFigures {
  /// True if the figures are plausible; saved ones may have been modified.
  var isSound: Bool {
    let sums = [times, bytes, foregroundExits, backgroundExits].flatMap(\.values)
    return bins >= 0 && sums.allSatisfy { $0 >= 0 }
      && durations.values.allSatisfy { $0.isSound(width: Self.binWidth) }
      && signposts.values.allSatisfy(\.isSound)
  }

  func histogram(_ kind: HistogrammedDuration) -> TimeHistogram? {
    guard let bins = durations[kind.rawValue], !bins.isEmpty else { return nil }
    return bins.histogram(width: Self.binWidth)
  }

  /// A sum of times, in nanoseconds.
  func nanoseconds(_ kind: CumulativeTime) -> Int? { times[kind.rawValue] }

  func amount(_ kind: ByteMetric) -> Int? { bytes[kind.rawValue] }

  func exits(_ exit: ForegroundExit) -> Int { foregroundExits[exit.reason.rawValue] ?? 0 }

  func exits(_ reason: ExitReason) -> Int { backgroundExits[reason.rawValue] ?? 0 }

  var hasExits: Bool { !foregroundExits.isEmpty || !backgroundExits.isEmpty }
}

extension Duration {
  /// The nanoseconds, saturated.
  fileprivate var nanoseconds: Int { Int(clampedNanoseconds) }
}

extension ByteMetric {
  /// Rule for combining the amounts of a day.
  fileprivate enum Rule {
    case most, sum, last
  }

  fileprivate var rule: Rule {
    switch self {
    case .peakMemory: .most
    case .logicalWrites, .wifiUpload, .wifiDownload, .cellularUpload, .cellularDownload: .sum
    case .binaryFiles, .dataFiles, .cacheFolder, .clones, .diskSpaceUsed, .diskSpaceCapacity: .last
    }
  }
}
