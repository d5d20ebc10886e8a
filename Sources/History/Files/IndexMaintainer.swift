import Essentials
package import JSONLines
import Platform

/// Keeps the files of a history open and their indexes valid: loads, builds and extends indexes as files grow.
///
/// Confined to one thread.
package final class IndexMaintainer {
  package let history: HistoryStore
  private let paths: [String]
  private let names = HistoryNames()
  private let cache: IndexCache?
  private let workers: Int
  private let blockSize: Int
  private let countsHalfLine: Bool
  private let open: @Sendable (HistoryName) throws -> any HistoryBytes
  private var opened: [HistoryName] = []
  private var identities: [FileIdentity?] = []
  private var unread: [String] = []
  /// Decoded blocks of all files.
  private let blocks = BlockCache()

  /// Maximum number of blocks after an index that are read for every answer; more get an index of their own.
  private let looseLimit: Int
  /// Maximum number of indexes per file; more are merged.
  private static let segmentLimit = 6
  /// Maximum number of attempts at a pass over a file that keeps changing.
  private static let attempts = 3

  /// - Parameters:
  ///   - paths: the paths as the user gave them.
  ///   - cache: the cache for indexes between runs; `nil` for none.
  ///   - looseLimit: maximum blocks after the end of an index that are read for every answer.
  ///   - countsHalfLine: true if a last line without a newline counts.
  ///   - mapping: the mapping of lines that do not come from MisterMetrics.
  ///   - open: opens a file; replaced in tests.
  package init(
    paths: [String], cache: IndexCache?,
    workers: Int = ProcessInfo.processInfo.activeProcessorCount, blockSize: Int = HistoryFile.blockSize,
    looseLimit: Int = 8, countsHalfLine: Bool = false, mapping: LineMapping? = nil,
    open: (@Sendable (HistoryName) throws -> any HistoryBytes)? = nil
  ) {
    self.paths = paths
    self.cache = cache
    self.workers = workers
    history = HistoryStore(files: [], workers: workers)
    self.blockSize = blockSize
    self.looseLimit = looseLimit
    self.countsHalfLine = countsHalfLine
    let descriptors = SharedDescriptors()
    self.open =
      open ?? { name in
        guard name.isPacked else {
          return try SharedFile(path: name.path, mapping: mapping, of: descriptors)
        }
        return try PackedBytes(path: name.path, mapping: mapping, cache: cache)
      }
  }

  /// Checks the files: opens new ones, records growth, and forgets truncated or replaced ones.
  ///
  /// - Returns: true if anything changed.
  package func refresh() -> Bool {
    let now = names.files(of: paths)
    let status = now.map { Posix.status(at: $0.path) }
    let isSame = now == opened && status.map { $0?.identity } == identities
    if !isSame { reopen(now, status.map { $0?.identity }) }
    var changed = !isSame
    for (place, file) in history.files.enumerated() {
      switch file.refresh() {
      case .some(let grew): changed = changed || grew
      case nil:
        changed = true
        replace(place)
      }
    }
    return changed
  }

  /// Opens all files again after the list of files or their identities changed.
  private func reopen(_ now: [HistoryName], _ identities: [FileIdentity?]) {
    var files: [HistoryFile] = []
    unread = []
    for name in now { if let file = file(name) { files.append(file) } }
    (opened, self.identities) = (now, identities)
    history.replace(files)
  }

  private func replace(_ place: Int) {
    let old = history.files[place]
    var files = history.files
    if let name = opened.first(where: { PathKey($0.path) == PathKey(old.path) }), let file = file(name) {
      files[place] = file
    } else {
      files.remove(at: place)
      opened = []
    }
    history.replace(files)
  }

  private func file(_ name: HistoryName) -> HistoryFile? {
    let bytes: any HistoryBytes
    do { bytes = try open(name) } catch {
      // A name that has disappeared is not a problem: the file has another one.
      if Posix.status(at: name.path) != nil {
        let reason = error is GunzipFailure ? "it cannot be unpacked" : IndexPass.Failure(error).words
        let sentence = "\(name.name) is not read: \(reason)"
        unread.append(sentence)
        history.notes.append(sentence)
      }
      return nil
    }
    // A rotated file does not grow, except by the end of a line from a late writer; its block is then read again.
    let file = HistoryFile(
      name: name.name, path: name.path, bytes: bytes, blockSize: blockSize,
      countsHalfLine: countsHalfLine || name.isRotated, cache: blocks)
    if let note = bytes.note { file.notes.append("\(name.name) \(note)") }
    guard let cache else { return file }
    do throws(IndexFault) {
      file.adopt(try cache.load(for: bytes, blockSize: blockSize))
    } catch {
      if error == .damaged { file.notes.append("the index of \(name.name) is damaged; it is rebuilt") }
    }
    return file
  }

  /// Files that cannot be read, one sentence each.
  package var problems: [String] {
    unread + history.files.compactMap { file in file.bytes.note.map { "\(file.name) \($0)" } }
  }

  /// Bytes that a pass would read now; 0 if answers are fast enough without one.
  package var bytesToIndex: UInt64 {
    history.files.reduce(0) { sum, file in
      guard needsPass(file) else { return sum }
      return sum + (file.isStale ? file.size : UInt64(file.indexableBlocks.count) * UInt64(blockSize))
    }
  }

  private func needsPass(_ file: HistoryFile) -> Bool {
    file.isStale || file.indexableBlocks.count > looseLimit
  }

  /// Builds and stores the missing indexes.
  ///
  /// - Parameter onProgress: called on any thread with bytes done and total; the pass ends early if it returns `false`.
  /// - Throws: the reason for ending early; content without an index is then read for every answer.
  package func index(onProgress: @escaping @Sendable (_ done: UInt64, _ total: UInt64) -> Bool)
    throws(IndexPass.Failure)
  {
    let total = bytesToIndex
    var before: UInt64 = 0
    for attempt in 1...Self.attempts {
      do throws(IndexPass.Failure) {
        for file in history.files where needsPass(file) {
          let base = before
          try index(file) { onProgress(min(base + $0.done, max(total, $0.total)), max(total, $0.total)) }
          before += UInt64(file.indexableBlocks.count) * UInt64(blockSize)
        }
        return
      } catch {
        guard error == .changed, attempt < Self.attempts else { throw error }
        _ = refresh()
      }
    }
  }

  private func index(_ file: HistoryFile, onProgress: @escaping @Sendable (IndexPass.Progress) -> Bool)
    throws(IndexPass.Failure)
  {
    if file.isStale {
      cache?.remove(for: file.bytes)
      file.forgetIndex()
      history.forget()
    }
    let fresh = file.indexableBlocks
    let main = file.segments.first
    let joins =
      main == nil || fresh.upperBound > (main?.blocks.count ?? 0) * 9 / 8
      || file.segments.count > Self.segmentLimit
    let start = joins ? main?.blocks.count ?? 0 : fresh.lowerBound
    var builder: IndexBuilder?
    if joins, let main {
      let budget = IndexPass.budget(blocks: fresh.upperBound, blockSize: blockSize)
      // A damaged index cannot be extended, so everything is read again.
      builder = try? IndexBuilder(main, budget: budget)
      if builder == nil { file.forgetIndex() }
    }
    let blocks = (joins && builder == nil ? 0 : start)..<fresh.upperBound
    let pass = IndexPass(file: file.bytes, blockSize: blockSize, blocks: blocks, workers: workers)
    var made = try pass.run(on: builder, onProgress: onProgress)
    try adopt(&made, (joins ? 0 : start)..<fresh.upperBound, of: file)
  }

  private func adopt(_ made: inout IndexBuilder, _ blocks: Range<Int>, of file: HistoryFile) throws(IndexPass
    .Failure)
  {
    let end = UInt64(blocks.upperBound) * UInt64(blockSize)
    let index: HistoryIndex
    do {
      let binding = try IndexBinding(of: file.bytes, blockSize: blockSize, end: end)
      guard binding.size >= end else { throw IndexPass.Failure.changed }
      index = try made.finish(blocks, binding: binding)
    } catch { throw IndexPass.Failure(error) }
    file.adopt(index)
    history.forgetSums()
    guard blocks.lowerBound == 0, let cache else { return }
    do {
      guard try cache.save(index, of: file.bytes) else { return }
      // A stored index is read from the cache; the copy in memory is freed.
      file.adopt(try cache.load(for: file.bytes, blockSize: blockSize))
    } catch {
      file.notes.append("the index of \(file.name) could not be kept: \(IndexPass.Failure(error).words)")
    }
  }

  /// Answers a query; indexes that turn out to be damaged are rebuilt first.
  ///
  /// - Parameter onProgress: as for ``index(onProgress:)``.
  /// - Throws: the system error; `IndexPass.Failure` if the index could not be rebuilt.
  package func answer(
    _ query: HistoryQuery,
    onProgress: @escaping @Sendable (_ done: UInt64, _ total: UInt64) -> Bool = { _, _ in true }
  ) throws -> HistoryAnswer {
    do {
      return try history.answer(query)
    } catch is IndexFault {
      discardIndexes()
      try index(onProgress: onProgress)
      return try history.answer(query)
    }
  }

  /// Discards the indexes of files that were changed other than by appending.
  ///
  /// For a single query: with further queries, ``checkSome()`` compares the blocks in the background.
  package func discardEdited() {
    for file in history.files where (try? file.isAsIndexed()) != true {
      cache?.remove(for: file.bytes)
      file.forgetIndex()
    }
    history.forget()
  }

  /// Compares the next blocks with the index, for a few milliseconds.
  ///
  /// - Returns: a message if a block has changed; otherwise `nil`.
  package func checkSome() -> String? {
    for file in history.files where file.checkedBlocks < file.indexedBlocks && !file.isStale {
      for _ in 0..<Self.checkedAtOnce where !file.checkNextBlock() {
        return file.isStale ? file.notes.last : nil
      }
      return nil
    }
    return nil
  }

  /// True if blocks remain to be compared.
  package var hasUnchecked: Bool {
    history.files.contains { $0.checkedBlocks < $0.indexedBlocks && !$0.isStale }
  }

  private static let checkedAtOnce = 8

  /// Discards all indexes after one turned out to be damaged, so that they are rebuilt.
  package func discardIndexes() {
    for file in history.files {
      cache?.remove(for: file.bytes)
      file.forgetIndex()
    }
    history.forget()
  }
}
