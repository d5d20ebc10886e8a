import Aggregation
import Codecs
package import DeliveryCore
import Essentials
import MisterMetricsCore
package import Platform

/// Feeds lines to a client, and continues once their events are delivered or on disk.
///
/// Lines are passed on in chunks of a thousand. The position in the file moves only when all lines before it are
/// delivered or stored, so a killed run leaves no gap: the next one repeats at most one chunk, with the same message
/// ids.
package struct Sender: Sendable {
  /// The reason why a run ended before the end of the lines.
  private enum Halt: Error {
    /// Interrupted, nothing delivered for too long, or disabled because the endpoint refused.
    case interrupted, noProgress, disabled
    case failed(String)
  }

  private struct Problem: Error {
    let text: String
  }

  private static let chunk = 1000
  /// Maximum lines that are not events, and maximum warnings, reported one by one.
  private static let named = 5

  private let request: SendCommand.Request
  /// The folder of queued events and position; a string, because `URL` would resolve `..` before links, and expand `~`.
  private let folder: String
  private let console: Console
  private let stop: WakeSignal
  private let environment: DeliveryEnvironment
  private let problems = Locked<[DeliveryError]>([])
  /// Client messages held back until it is certain that anything is sent at all; `nil` from then on.
  private let held = Locked<[String]?>([])

  package init(
    _ request: SendCommand.Request, console: Console, stop: WakeSignal = WakeSignal(),
    environment: DeliveryEnvironment = .system
  ) {
    self.request = request
    let place = (try? Posix.trustedEntry(of: request.folder)) ?? request.folder
    folder = PathParts.isAbsolute(place) ? place : "./" + place
    self.console = console
    self.stop = stop
    var environment = environment
    let warnings = Locked(0)
    let held = held
    let write = { @Sendable (text: String) in
      let isHeld = held.withLock { lines in
        lines?.append(text)
        return lines != nil
      }
      if !isHeld { console.writeError(text) }
    }
    environment.log = { line in
      guard line.level != .debug else { return }
      let count = warnings.withLock { count in
        count += line.level == .warning ? 1 : 0
        return line.level == .warning ? count : 0
      }
      // An endpoint that rejects events one by one causes a warning for each.
      if count <= Self.named { write("mistertop send: \(line.text)") }
      if count == Self.named + 1 {
        write("mistertop send: further warnings are left out; the causes are counted at the end")
      }
    }
    // The lock of the disk queue keeps two runs of one file apart.
    environment.claim = { _ in nil }
    self.environment = environment
  }

  /// Sends everything.
  ///
  /// - Parameter input: The descriptor to read if no file is named.
  /// - Returns: `success` only if every line was delivered.
  package func run(input: Int32 = 0) async -> ExitCode {
    let descriptor: Int32
    do throws(Problem) { descriptor = try open() ?? input } catch {
      console.writeError("mistertop send: \(error.text)")
      return .failed
    }
    defer { if request.file != nil { Posix.close(descriptor) } }
    let position = SendPosition(folder: folder, now: environment.clock.wallTime)
    if let problem = distrust ?? problem(of: position) {
      console.writeError("mistertop send: \(problem)")
      return .failed
    }
    let proxy = AnalyticsProxy(environment)
    let metrics: MetricFileStore?
    do {
      metrics = try request.store.map { try MetricFileStore.named($0) }
      // If nothing can be recorded, that is reported before anything is sent.
      try await metrics?.sync()
      try await proxy.initializeAndWait(with: options(metrics))
    } catch {
      console.writeError("mistertop send: \(error)")
      return .failed
    }
    // Without the disk an interrupted run could not be continued; most often, another run is using it. Damaged events,
    // however, are lost for good, and no reason to withhold the rest.
    let reasons = problems.withLock { $0.filter { $0.code != .damaged }.map(\.message) }
    guard reasons.isEmpty else {
      console.writeError("mistertop send: nothing was sent: \(reasons.joined(separator: "; "))")
      return .failed
    }
    let lines = held.withLock { lines in
      defer { lines = nil }
      return lines ?? []
    }
    for line in lines { console.writeError(line) }
    let code = await send(from: descriptor, through: proxy)
    return await isRecorded(in: metrics) || code != .success ? code : .failed
  }

  /// True if all metrics were written to their file; otherwise reports the failure.
  private func isRecorded(in metrics: MetricFileStore?) async -> Bool {
    guard let metrics else { return true }
    do {
      try await metrics.flush()
      // Metrics that waited for another process's lock are written by now.
      if let error = metrics.lastError, error.code != .fileLocked { throw error }
      return true
    } catch {
      console.writeError("mistertop send: not all metrics were recorded: \(error)")
      return false
    }
  }

  /// Opens the named file.
  private func open() throws(Problem) -> Int32? {
    guard let file = request.file else { return nil }
    let (descriptor, status): (Int32, FileStatus)
    do throws(FileFailure) {
      descriptor = try Posix.open(file)
      status = try Posix.status(of: descriptor)
    } catch {
      throw Problem(text: "\(file): \(error.text)")
    }
    if let problem = problem(of: status) {
      Posix.close(descriptor)
      throw Problem(text: "\(file): \(problem)")
    }
    return descriptor
  }

  /// The reason why the events of a file cannot be sent.
  private func problem(of file: FileStatus) -> String? {
    // Pipes and devices have no position to continue from.
    if file.kind != .regular {
      return "not a regular file; other inputs are read from standard input, with '-'"
    }
    let isStore = request.store.map { Posix.status(at: $0)?.identity == file.identity } ?? false
    return isStore ? "is the store too; metrics need a file of their own" : nil
  }

  /// The reason not to trust the contents of the queue folder: another account could have written them.
  private var distrust: String? {
    do { _ = try Posix.trustedPlace(of: request.folder) } catch { return "\(error)" }
    if let status = Posix.status(at: folder) {
      if status.owner != geteuid() {
        return "\(folder): it belongs to another account, so it is ignored"
      }
      if status.permissions & 0o002 != 0 {
        return "\(folder): anyone may write to it, so it is ignored"
      }
    }
    // Checks both a link and its target.
    return [folder + "/position.json", folder + "/identity.json"].first { path in
      [Posix.status(ofName: path), Posix.status(at: path)].contains {
        $0.map { $0.owner != geteuid() } ?? false
      }
    }.map { "\($0): it belongs to another account, so it is ignored" }
  }

  /// The reason why the position of earlier runs is unknown; continuing anyway would send their events again.
  private func problem(of position: SendPosition) -> String? {
    // Standard input has no position.
    guard request.file != nil else { return nil }
    switch position.unreadable {
    case nil: return nil
    case .refused(let failure):
      return "\(position.path): \(failure.text); it has the position of earlier runs, so nothing was sent"
    case .damaged:
      return request.fromStart
        ? nil
        : "\(position.path) is damaged, so the position of earlier runs is unknown and nothing was sent; "
          + "--from-start sends the file from its start"
    }
  }

  private func options(_ metrics: MetricFileStore?) throws -> InitOptions {
    var options = InitOptions(
      writeKey: request.writeKey, ingestionHost: request.host, flushIntervalSeconds: 1,
      maxQueueEvents: 4 * Self.chunk)
    // The folder may hold events of an earlier run; within a run, memory is enough.
    options.diskFlushEvents = 4 * Self.chunk
    options.dataFolder = URL(fileURLWithPath: folder)
    options.compressesBodies = request.compresses
    let problems = problems
    options.onError = { error in problems.withLock { $0.append(error) } }
    if let metrics { options.metrics = AnyMetricStore(metrics) }
    return options
  }

  private func send(from descriptor: Int32, through proxy: AnalyticsProxy) async -> ExitCode {
    var progress = SendProgress(console: console)
    var position = SendPosition(folder: folder, now: environment.clock.wallTime)
    var halt: Halt?
    do throws(Halt) {
      // Another run may have held the queue until now.
      if let problem = problem(of: position) { throw .failed(problem) }
      try await drain(proxy, &progress)
      try await sendLines(from: descriptor, through: proxy, &position, &progress)
    } catch { halt = error }
    progress.clear()
    let status = await status(of: proxy)
    console.write(SendReport(status: status, rejected: progress.rejected, lines: progress.lines).text)
    let lost = request.file == nil ? status.waiting - status.stored : 0
    if lost > 0 {
      console.writeError(
        "mistertop send: \(Plural.count(lost, "event")) of standard input, which is not read again, "
          + "\(lost == 1 ? "is" : "are") not on disk and lost")
    }
    switch halt {
    case nil: return status.dropped.isEmpty && progress.rejected == 0 ? .success : .failed
    case .interrupted: return .interrupted
    case .noProgress:
      console.writeError(
        "mistertop send: nothing was delivered for \(waitText) s"
          + (status.lastAnswer.map { " (last: \($0))" } ?? "")
          + (lost == 0
            ? ": the next run sends what waits"
            : status.stored > 0 ? ": the next run sends what is on disk" : ""))
      return .failed
    case .disabled:
      if request.file != nil {
        console.writeError("mistertop send: the next run sends the file from byte \(position.offset) on")
      }
      return .failed
    case .failed(let text):
      console.writeError("mistertop send: \(text)")
      return .failed
    }
  }

  private var waitText: String { Int(exactly: request.wait).map { "\($0)" } ?? "\(request.wait)" }

  private func sendLines(
    from descriptor: Int32, through proxy: AnalyticsProxy, _ position: inout SendPosition,
    _ progress: inout SendProgress
  ) async throws(Halt) {
    var file = request.file.map { SentFile(path: $0, descriptor: descriptor, stop: stop) }
    if let file {
      try setAsideDamaged(position)
      try resume(&position, file)
      // From here on, repeating a killed run produces the same ids.
      let marker = file.marker(before: position.offset)
      try save(&position, (position.offset, position.lines, marker), time: position.time, file)
    } else {
      position.restart(at: environment.clock.wallTime)
    }
    var lines = lines(of: descriptor, from: position)
    while true {
      let chunk: [EventLines.Line]
      do { chunk = try lines.next(Self.chunk) } catch { throw .failed(error.message) }
      if chunk.isEmpty {
        if stop.isRaised { throw .interrupted }
        guard let file, !file.holds(position) else { return }
      }
      // Computed now, and not after feeding or delivery, when the bytes may have changed.
      let marker = { (offset: UInt64) in file?.marker(before: offset) ?? [] }
      var end = (offset: lines.position, lines: lines.count, marker: marker(lines.position))
      let half = chunk.last { !$0.isWhole }.map { ($0.offset, $0.number - 1, marker($0.offset)) }
      for line in chunk where !feed(line, time: position.time, to: proxy, &progress) && !line.isWhole {
        // Half an event that is perhaps still being written: the next run reads it again.
        if let half { end = half }
      }
      do {
        try await drain(proxy, &progress)
      } catch {
        // All of it is on disk, unless the disk failed or the client was disabled: then the chunk is read again.
        let status = await status(of: proxy)
        if let file, status.lifecycle != .disabled, status.waiting == status.stored {
          try save(&position, end, time: environment.clock.wallTime, file)
        }
        throw error
      }
      if let current = file, try !save(&position, end, time: environment.clock.wallTime, current) {
        file = SentFile(path: current.path, descriptor: descriptor, stop: stop)
        lines = self.lines(of: descriptor, from: position)
      }
    }
  }

  private func lines(of descriptor: Int32, from position: SendPosition) -> EventLines {
    EventLines(
      descriptor, isSeekable: request.file != nil, from: position.offset, after: position.lines, stop: stop)
  }

  /// Keeps a damaged position file for inspection.
  private func setAsideDamaged(_ position: SendPosition) throws(Halt) {
    guard case .damaged = position.unreadable, Posix.status(ofName: position.path)?.kind == .regular
    else { return }
    do throws(FileFailure) {
      let kept = try DamagedFile.setAside(position.path)
      console.writeError(
        "mistertop send: the position of earlier runs is damaged; it is kept as \(kept)")
    } catch {
      throw .failed("the position cannot be stored: \(error.message)")
    }
  }

  /// Continues after the position of earlier runs, unless the file has been replaced.
  private func resume(_ position: inout SendPosition, _ file: SentFile) throws(Halt) {
    guard !request.fromStart else { return position.restart(at: environment.clock.wallTime) }
    guard position.offset > 0 else { return }
    let rotated: (name: String, hasMore: Bool)?
    do { rotated = try file.rotated(from: position) } catch { throw .interrupted }
    let change = rotated == nil ? file.change(since: position)?.text(position.offset) : "it was rotated"
    if let change {
      console.writeError(
        "mistertop send: the file has changed since the last run (\(change)): it is sent from its start"
          + Self.rest(of: rotated, behind: position))
      return position.restart(at: environment.clock.wallTime)
    }
    console.writeError(
      position.offset == (try? Posix.status(of: file.descriptor))?.size
        ? "mistertop send: earlier runs have read the whole file; --from-start sends it again"
        : "mistertop send: continues at byte \(position.offset), where the last run ended")
  }

  /// A note on the rest of the rotated file, which is not sent.
  private static func rest(
    of rotated: (name: String, hasMore: Bool)?, behind position: SendPosition
  ) -> String {
    guard let rotated, rotated.hasMore else { return "" }
    return "; what \(rotated.name) holds from byte \(position.offset) on is not sent by this run"
  }

  /// Saves the position in the file.
  ///
  /// - Parameter end: The end of what was sent, with the bytes before it as they were read.
  /// - Returns: False if the file was truncated or replaced and has to be read from its start.
  @discardableResult
  private func save(
    _ position: inout SendPosition, _ end: (offset: UInt64, lines: Int, marker: [UInt8]), time: Date,
    _ file: SentFile
  ) throws(Halt) -> Bool {
    let isSame = file.holds(position) && file.marker(before: end.offset) == end.marker
    if !isSame {
      let sent = position.moved(to: end.offset, marker: end.marker)
      // If a stop interrupts the search for the rotated file, the position is saved without that note.
      console.writeError(
        "mistertop send: the file was truncated or replaced and is sent from its start"
          + Self.rest(of: try? file.rotated(from: sent), behind: sent))
      position.restart(at: environment.clock.wallTime)
    }
    do throws(StorageFailure) {
      try position.move(
        to: isSame ? end.offset : 0, lines: isSame ? end.lines : 0, marker: isSame ? end.marker : [],
        time: isSame ? time : position.time, in: file.status)
    } catch { throw .failed("the position cannot be stored: \(error.message)") }
    return isSame
  }

  /// Passes a line to the client, or counts it as rejected.
  ///
  /// - Returns: False if it was rejected.
  private func feed(
    _ line: EventLines.Line, time: Date, to proxy: AnalyticsProxy, _ progress: inout SendProgress
  ) -> Bool {
    let blank = line.bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    if blank, !line.isTooLong { return true }
    progress.lines += 1
    do throws(EventDraft.Problem) {
      if line.isTooLong { throw .tooLong }
      var draft = try EventDraft(line: Data(line.bytes))
      if draft.messageID == nil {
        var generator = SplitMix64(seed: ContentHash.of(Array(line.bytes)) ^ line.offset)
        draft.messageID = MessageID.make(at: time, using: &generator)
      }
      proxy.accept(.event(draft, leftOut: 0, at: environment.clock.wallTime))
      return true
    } catch {
      progress.rejected += 1
      if progress.rejected <= Self.named {
        console.writeError("mistertop send: line \(line.number): \(error.text)")
      }
      if progress.rejected == Self.named + 1 {
        console.writeError("mistertop send: further lines like these are only counted")
      }
      return false
    }
  }

  /// Waits until the client's queue is empty.
  private func drain(_ proxy: AnalyticsProxy, _ progress: inout SendProgress) async throws(Halt) {
    var lastProgress = environment.clock.now
    var done = -1
    var pause = Duration.milliseconds(1)
    while true {
      let status = await status(of: proxy)
      progress.show(status)
      if status.lifecycle == .disabled { throw .disabled }
      if status.waiting == 0 { return }
      let settled = status.dropped.values.reduce(status.delivered, +)
      if settled != done {
        (done, lastProgress) = (settled, environment.clock.now)
        pause = .milliseconds(1)
      }
      let halt: Halt? =
        stop.isRaised
        ? .interrupted
        : environment.clock.now - lastProgress > .seconds(request.wait) ? .noProgress : nil
      if let halt {
        await proxy.wait { .terminate($0) }
        throw halt
      }
      if !status.isSending { proxy.flush() }
      try? await environment.clock.sleep(until: environment.clock.now + pause)
      pause = min(pause * 2, .milliseconds(50))
    }
  }

  private func status(of proxy: AnalyticsProxy) async -> ClientStatus {
    await withCheckedContinuation { continuation in
      proxy.accept(.status(Waiter { continuation.resume(returning: $0) }))
    }
  }
}
