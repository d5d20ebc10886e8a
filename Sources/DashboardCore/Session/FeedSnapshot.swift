package import Aggregation
package import History
package import JSONLines
package import Platform

/// The data that a feed has read so far.
package struct FeedSnapshot: Sendable {
  package var store: SeriesStore
  package var status: FeedStatus
  package var engines: EngineRecords
  /// Number of times the store was restarted because its file was.
  package var beginnings = 0
  /// The hosts whose samples these are.
  package var scope = HostScope.all
  /// Arrival minus stamp of the series whose sources have another clock, in seconds; see ``SourceSkew``.
  package var skews: [SeriesID: Double] = [:]

  package init(
    store: SeriesStore = SeriesStore(), status: FeedStatus = FeedStatus(),
    engines: EngineRecords = EngineRecords()
  ) {
    self.store = store
    self.status = status
    self.engines = engines
  }
}

/// The origin of the shown store: the numbers of its series are meaningless in any other.
package enum StoreSource: Hashable, Sendable {
  /// From the feed of these hosts, after this many restarts.
  case feed(HostScope, beginnings: Int)
  /// From this answer of the history.
  case history(ValueVersion)
}

extension FeedSnapshot {
  /// The snapshot before the feed was first queried.
  package static var unread: FeedSnapshot {
    var snapshot = FeedSnapshot()
    snapshot.status.isLoaded = false
    return snapshot
  }
}

/// The state of a feed: what it reads, how fast, and what went wrong.
package struct FeedStatus: Sendable, Equatable {
  /// Names of the files as the user gave them; the first one is displayed.
  package var sources: [String] = []
  /// Progress while older parts are still being read; `nil` otherwise.
  package var progress: FeedProgress?
  /// Recent lines per second.
  package var linesPerSecond: Double = 0
  /// Seconds between the timestamp of the newest sample and its arrival; `nil` until a sample arrives live.
  package var lag: Double?
  /// The sources whose clocks differ from this machine's, in order of discovery, and whether another one's does not.
  package var skews: [SourceSkew] = []
  package var hasPunctualSource = false
  /// Formats recognized in lines of other programs, sorted by name.
  package var formats: [ForeignFormat] = []
  /// Total number of lines that could not be read.
  package var rejected = 0
  /// Number of those that were read except for a value.
  package var inPart = 0
  /// The last of them, oldest first, bounded in number.
  package var rejections: [FeedRejection] = []
  /// Events of the files, oldest first, bounded in number.
  package var events: [FeedEvent] = []
  /// The reason why reading is impossible, as text; `nil` while all is well.
  package var problem: String?
  /// The way in which the files are looked at, if events do not tell of all their changes, as text.
  package var polling: String?
  /// Number of files that cannot be read at all.
  package var unreadFiles = 0
  /// True if the end of the data present at the opening has been reached; earlier parts may still be unread.
  package var isCaughtUp = true
  /// True if all data present at the opening has been read.
  package var isLoaded = true
  /// True for a server instead of files.
  package var isRemote = false
  /// True if more data may arrive; false for a file that is read only once.
  package var isFollowing = true

  package init() {}
}

/// Progress in reading the data present at the opening.
package struct FeedProgress: Sendable, Equatable {
  /// Bytes read.
  package var done: Double
  /// Bytes in total.
  package var total: Double
  /// Bytes per second.
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
  /// The line number, from 1; `nil` where reading began in the middle of a file.
  package var line: Int?
  /// Byte offset of the line.
  package var offset: UInt64
  /// The reason, as text.
  package var reason: String
  /// The beginning of the line; may contain control characters.
  package var excerpt: [UInt8]

  package init(source: String, line: Int?, offset: UInt64, reason: String, excerpt: [UInt8]) {
    self.source = source
    self.line = line
    self.offset = offset
    self.reason = reason
    self.excerpt = excerpt
  }

  /// A payload file, or a part of it, that could not be read.
  ///
  /// - Parameter problem: The path and the reason: `up/a.json: line 1: nothing to read`.
  package init(payloads problem: String) {
    let parts = problem.firstRange(of: ": ").map { (problem[..<$0.lowerBound], problem[$0.upperBound...]) }
    self.init(
      source: parts.map { String($0.0) } ?? "", line: nil, offset: 0,
      reason: parts.map { String($0.1) } ?? problem,
      excerpt: [])
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
    case rotated, truncated, gap, rejected, removed, appeared, failed, noted
  }

  package var kind: Kind
  /// When it was observed.
  package var time: Timestamp
  package var source: String
  /// The details, as text.
  package var text: String

  package init(_ kind: Kind, at time: Timestamp, source: String, text: String) {
    self.kind = kind
    self.time = time
    self.source = source
    self.text = text
  }
}
