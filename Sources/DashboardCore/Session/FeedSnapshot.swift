package import Aggregation
package import JSONLines
package import Platform

/// The data that a feed has read so far.
package struct FeedSnapshot: Sendable {
  package var store: SeriesStore
  package var status: FeedStatus
  /// The records of engines.
  package var engines: EngineRecords
  /// How often the store was begun again, because its file was.
  package var beginnings = 0

  package init(
    store: SeriesStore = SeriesStore(), status: FeedStatus = FeedStatus(),
    engines: EngineRecords = EngineRecords()
  ) {
    self.store = store
    self.status = status
    self.engines = engines
  }
}

/// Where the store that is shown came from: the numbers of its series mean what they mean in no other.
package enum StoreSource: Hashable, Sendable {
  /// From the feed, which began it again so many times.
  case feed(beginnings: Int)
  /// With this answer of the history.
  case history(ValueVersion)
}

extension FeedSnapshot {
  /// Before the feed was asked for the first time.
  package static var unread: FeedSnapshot {
    var snapshot = FeedSnapshot()
    snapshot.status.isLoaded = false
    return snapshot
  }
}

/// The truth about a feed: what it reads, how fast, and what went wrong.
package struct FeedStatus: Sendable, Equatable {
  /// Names of the files as the person gave them, the first one shown.
  package var sources: [String] = []
  /// While older parts are still being read.
  package var progress: FeedProgress?
  /// Lines a second, of late.
  package var linesPerSecond: Double = 0
  /// Seconds between the time in the newest sample and its arrival here; `nil` while nothing arrived live.
  package var lag: Double?
  /// Formats recognized in lines of other programs, sorted by name.
  package var formats: [ForeignFormat] = []
  /// Lines that could not be read, ever.
  package var rejected = 0
  /// The last of them, oldest first, a bounded number.
  package var rejections: [FeedRejection] = []
  /// Events of the files, oldest first, a bounded number.
  package var events: [FeedEvent] = []
  /// Why nothing can be read, in words; `nil` while all is well.
  package var problem: String?
  /// Files of which nothing can be read.
  package var unreadFiles = 0
  /// True if the end of what was there at the opening has been reached; what lies before it may still be read.
  package var isCaughtUp = true
  /// True if everything that was there at the opening has been read.
  package var isLoaded = true
  /// True if more may come; false for a file that is only read once.
  package var isFollowing = true

  package init() {}
}

/// How far the reading of what was there before has come.
package struct FeedProgress: Sendable, Equatable {
  /// Bytes read.
  package var done: Double
  /// Bytes in all.
  package var total: Double
  /// Bytes a second.
  package var perSecond: Double?

  package init(done: Double, total: Double, perSecond: Double? = nil) {
    self.done = done
    self.total = total
    self.perSecond = perSecond
  }
}

/// A line that could not be read.
package struct FeedRejection: Sendable, Hashable {
  package var source: String
  /// The line's number from 1; `nil` where the reading began in the middle of a file.
  package var line: Int?
  /// Where the line begins, in bytes.
  package var offset: UInt64
  /// Why, in words.
  package var reason: String
  /// The beginning of the line; not free of control characters.
  package var excerpt: [UInt8]

  package init(source: String, line: Int?, offset: UInt64, reason: String, excerpt: [UInt8]) {
    self.source = source
    self.line = line
    self.offset = offset
    self.reason = reason
    self.excerpt = excerpt
  }

  /// The line as far as the excerpt goes.
  package var rawLine: RawLine {
    RawLine(source: source, line: line, offset: offset, text: String(decoding: excerpt, as: UTF8.self))
  }
}

/// Something that happened to a file.
package struct FeedEvent: Sendable, Equatable {
  /// The kind of event.
  package enum Kind: Sendable, Hashable, CaseIterable {
    case rotated, truncated, gap, rejected, removed, appeared, failed
  }

  package var kind: Kind
  /// When it was seen.
  package var time: Timestamp
  package var source: String
  /// The details, in words.
  package var text: String

  package init(_ kind: Kind, at time: Timestamp, source: String, text: String) {
    self.kind = kind
    self.time = time
    self.source = source
    self.text = text
  }
}
