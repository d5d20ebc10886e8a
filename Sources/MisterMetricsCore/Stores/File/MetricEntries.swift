/// The entries of a metrics file, read on demand: see ``MetricFileStore/entries(from:until:)``.
///
/// Needs memory for one piece of the file, whatever its size. Lines that are not entries are skipped and counted in
/// ``MetricFileStore/counts``.
public struct MetricEntries: AsyncSequence, Sendable {
  /// One entry.
  public typealias Element = MetricEntry

  private let store: MetricFileStore
  private let filter: EntryFilter

  init(of store: MetricFileStore, matching filter: EntryFilter) {
    self.store = store
    self.filter = filter
  }

  /// Starts reading; the first call of `next()` opens the files.
  public func makeAsyncIterator() -> Iterator {
    Iterator(store: store, filter: filter)
  }

  /// Reads the entries one by one.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    private let store: MetricFileStore
    private let filter: EntryFilter
    private var reader: EntryReader?
    private var piece: [MetricEntry] = []
    private var position = 0
    private var isAtEnd = false

    init(store: MetricFileStore, filter: EntryFilter) {
      self.store = store
      self.filter = filter
    }

    /// The next entry, or `nil` at the end.
    ///
    /// - Throws: ``MetricError`` if the file cannot be read, `CancellationError` if the task was cancelled.
    public mutating func next() async throws -> MetricEntry? {
      while position == piece.count {
        guard try await readPiece() else { return nil }
      }
      defer { position += 1 }
      return piece[position]
    }

    private mutating func readPiece() async throws -> Bool {
      guard !isAtEnd else { return false }
      try Task.checkCancellation()
      if reader == nil { reader = try await store.makeReader(filter) }
      position = 0
      piece = try await reader?.nextPiece() ?? []
      if let reader, piece.isEmpty, await reader.isAtEnd {
        isAtEnd = true
        store.writer.countUndecodable(await reader.undecodable)
        return false
      }
      return true
    }
  }
}
