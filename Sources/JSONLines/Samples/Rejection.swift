import Codecs

/// The reason a line was rejected, or a value of it was replaced.
package enum RejectionReason: String, CaseIterable, Sendable {
  case notJSON
  /// A line inside an object, such as docker's, is not JSON.
  case notJSONInside
  case invalidUTF8
  case notAnObject
  case noMetric
  case noTimestamp
  case timestampOutOfRange
  case noValue
  case valueNotBase64
  case valueNotJSON
  case valueOutOfRange
  case lineTooLong
  case nestedTooDeep
  case tooManyMetrics
  case unreadableTime
  case ambiguousDate
  case noMappedTime
  case noMappedName
  case noMappedValue
  // Values that were replaced; the rest of the line was read.
  case notANumber
  case numberOutOfRange
  case invalidBytes
  case halfPair
  case controlCharacter
  case trailingComma

  /// Maximum bytes of a line; a longer one is rejected without being kept in memory.
  package static let lineLimit = 16 << 20

  /// True if only a value was replaced.
  package var isFlaw: Bool {
    switch self {
    case .notANumber, .numberOutOfRange, .invalidBytes, .halfPair, .controlCharacter, .trailingComma: true
    case .notJSON, .notJSONInside, .invalidUTF8, .notAnObject, .noMetric, .noTimestamp, .timestampOutOfRange,
      .noValue, .valueNotBase64, .valueNotJSON, .valueOutOfRange, .lineTooLong, .nestedTooDeep,
      .tooManyMetrics,
      .unreadableTime, .ambiguousDate, .noMappedTime, .noMappedName, .noMappedValue:
      false
    }
  }

  /// The reason as shown to users.
  package var text: String {
    switch self {
    case .notJSON: "is not valid JSON"
    case .notJSONInside: "surrounds a line that is not JSON"
    case .invalidUTF8: "is not valid UTF-8"
    case .notAnObject: "is JSON but not an object"
    case .noMetric: "has no metric with a name and a type"
    case .noTimestamp: "has no numeric timestamp"
    case .timestampOutOfRange: "has a timestamp out of range"
    case .noValue: "has no value in a string"
    case .valueNotBase64: "has a value that is not Base64"
    case .valueNotJSON: "has a value that is not JSON"
    case .valueOutOfRange: "has a value out of range"
    case .lineTooLong: "is longer than \(Self.lineLimit >> 20) MiB"
    case .nestedTooDeep: "is nested more than \(JSONTokenizer.nestingLimit) levels deep"
    case .tooManyMetrics: "adds too many metrics"
    case .unreadableTime: "has an unreadable time"
    case .ambiguousDate:
      "has a date whose order of day and month is uncertain; write the year first, as in 2026-11-26"
    case .noMappedTime: "has no readable time where the mapping says"
    case .noMappedName: "has no name where the mapping says"
    case .noMappedValue: "has no value where the mapping says"
    case .notANumber: "has NaN or infinity instead of a number"
    case .numberOutOfRange: "has a number out of range"
    case .invalidBytes: "has bytes that are not valid UTF-8, shown as U+FFFD"
    case .halfPair: "has half of an escaped surrogate pair, shown as U+FFFD"
    case .controlCharacter: "has an unescaped control character in a text"
    case .trailingComma: "has a comma behind the last member"
    }
  }
}

/// A line that could not be read as a sample, or not completely, and its position.
package struct Rejection: Sendable, Equatable {
  /// The reason.
  package let reason: RejectionReason
  /// The number of the line in its file, from 1.
  package var line: Int
  /// Offset of the line, in bytes from the start of its file.
  package let offset: UInt64
  /// The first bytes of the line, unchanged: at most 200, and more of the first lines of a file.
  package let excerpt: [UInt8]

  package init(reason: RejectionReason, line: Int, offset: UInt64, excerpt: [UInt8]) {
    self.reason = reason
    self.line = line
    self.offset = offset
    self.excerpt = excerpt
  }
}

/// All rejections of a file: counted by reason, with the newest kept in full.
package struct RejectionLog: Sendable, Equatable {
  /// Maximum number of rejections kept in full.
  package static let capacity = 1000
  /// Number of the first rejections that are kept in full too.
  package static let firstLimit = 100

  /// Number of rejections by reason.
  package private(set) var counts: [RejectionReason: Int] = [:]
  /// The first rejections, at most ``firstLimit``, for advice that is tried on them.
  package private(set) var first: [Rejection] = []
  private var kept: [Rejection] = []
  private var oldest = 0

  package init() {}

  /// Number of rejections, replaced values included.
  package var total: Int { counts.values.reduce(0, &+) }

  /// The newest rejections, at most `capacity`, in order of appearance.
  package var recent: [Rejection] { Array(kept[oldest...] + kept[..<oldest]) }

  /// Counts a rejection and keeps it.
  package mutating func append(_ rejection: Rejection) {
    counts[rejection.reason, default: 0] &+= 1
    keepFirst(rejection)
    keep(rejection)
  }

  /// Number of bytes kept of the next rejected line.
  var excerptLimit: Int { Self.excerptLimits[first.count < Self.firstLimit ? 0 : 1] }
  /// The lengths of excerpts of longer lines: of the first ones, and of the others.
  static let excerptLimits = [2000, 200]

  private mutating func keepFirst(_ rejection: Rejection) {
    if first.count < Self.firstLimit { first.append(rejection) }
  }

  private mutating func keep(_ rejection: Rejection) {
    guard kept.count == Self.capacity else { return kept.append(rejection) }
    kept[oldest] = rejection
    oldest = (oldest + 1) % Self.capacity
  }

  /// Adds the rejections of the following part of the file, with `lines` added to their line numbers.
  package mutating func append(_ next: RejectionLog, linesBefore lines: Int) {
    counts.merge(next.counts, uniquingKeysWith: &+)
    for var rejection in next.first.prefix(Self.firstLimit - first.count) {
      rejection.line &+= lines
      keepFirst(rejection)
    }
    for var rejection in next.recent {
      rejection.line &+= lines
      keep(rejection)
    }
  }
}
