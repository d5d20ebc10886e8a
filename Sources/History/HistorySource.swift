package import Platform

/// A failure that knows its words.
package protocol HistoryFailure: Error {
  /// The reason, worded to follow a colon.
  var words: String { get }
}

extension IndexPass.Failure: HistoryFailure {
  /// The reason for any error.
  package static func words(of error: any Error) -> String {
    (error as? any HistoryFailure)?.words ?? IndexPass.Failure(error).words
  }
}

/// The source of the history's answers: files with their indexes, or a database of many hosts.
///
/// Confined to one thread.
package protocol HistorySource: AnyObject {
  /// Looks for new samples.
  ///
  /// - Returns: true if anything changed.
  func refresh() -> Bool
  /// Seconds between looks for new samples while there is no query; `nil` for none.
  var lookInterval: Double? { get }

  /// Bytes that ``index(onProgress:)`` would read now; 0 if answers are fast enough without it.
  var bytesToIndex: UInt64 { get }
  /// Prepares for fast answers.
  ///
  /// - Parameter onProgress: called on any thread with bytes done and total; work ends early if it returns `false`.
  func index(onProgress: @escaping HistoryStore.Progress) throws(IndexPass.Failure)

  /// Answers a query.
  ///
  /// - Throws: `CancellationError` if the answer is no longer wanted.
  func answer(_ query: HistoryQuery, onProgress: @escaping HistoryStore.Progress) throws -> HistoryAnswer
  /// The answer with the finer charts it can have.
  ///
  /// - Parameter goesOn: called from time to time; returns false to stop.
  func refined(_ answer: HistoryAnswer, while goesOn: () -> Bool) throws -> HistoryAnswer
  /// Sets the receivers of progress while rows are sorted, and while the numbers of a histogram are gathered.
  func report(sorting: @escaping HistoryStore.Progress, gathering: @escaping HistoryStore.Progress)

  /// True if parts remain for ``checkSome()``.
  var hasUnchecked: Bool { get }
  /// Compares what answers depend on with its origin, for a few milliseconds.
  ///
  /// - Returns: a message if a part has changed; otherwise `nil`.
  func checkSome() -> String?

  /// The samples of a window, to be read on another thread.
  func exportSources(in window: Range<Timestamp>, of scope: HostScope) throws -> [ExportSource]
  /// Parts that cannot be read, one sentence each.
  var problems: [String] { get }
  /// The files to search for incidents; none for a database.
  var files: [HistoryFile] { get }
}

extension IndexMaintainer: HistorySource {
  package var files: [HistoryFile] { history.files }

  /// Maximum number of files that are looked at without a query; with more, the load would be noticeable.
  private static let filesToLook = 256

  /// A write into the middle of a file sends no notification.
  package var lookInterval: Double? { (1...Self.filesToLook).contains(files.count) ? 30 : nil }

  package func refined(_ answer: HistoryAnswer, while goesOn: () -> Bool) throws -> HistoryAnswer {
    try history.refined(answer, while: goesOn)
  }

  package func report(sorting: @escaping HistoryStore.Progress, gathering: @escaping HistoryStore.Progress) {
    (history.onProgress, history.onGathering) = (sorting, gathering)
  }

  package func exportSources(in window: Range<Timestamp>, of scope: HostScope) throws -> [ExportSource] {
    try history.files(of: scope).map { ExportSource(of: $0.bytes, in: try $0.byteRanges(in: window)) }
  }
}
