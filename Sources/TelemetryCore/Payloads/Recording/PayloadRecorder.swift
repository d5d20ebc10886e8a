import Dispatch
package import Essentials
package import MisterMetricsCore
import Platform

/// Collects signposts and other figures of an app, and makes one payload per day, as MetricKit would.
///
/// ```swift
/// let recorder = try PayloadRecorder(folder: folder, version: "2.4")
/// recorder.manager.add(subscriber)
///
/// let signposter = recorder.makeSignposter(category: "Images")
/// recorder.record(.timeToFirstDraw, .milliseconds(412))
/// recorder.record(exit: .foreground(.normal))
/// ```
///
/// - A day is a local calendar day of 23, 24 or 25 hours. Its payload is closed when the clock shows a later day, by
///   this process or the next one that opens the folder, or by ``closeDay()``; a day without figures has none. Each
///   ``PayloadSource`` has its own.
/// - A figure belongs to the day on which it was recorded. A closed day is never reopened: if the clock is set back,
///   figures go to the next open day. Only a damaged folder, or a clock set back over four hundred closed days, can
///   cause a second payload for a day.
/// - If the version changes during a day, its figures are in one payload with the last version and
///   ``MetricPayload/includesMultipleApplicationVersions``.
/// - The folder belongs to one recorder at a time. A kill loses the figures since the last save, at most five
///   seconds' worth, and hardly any exits and diagnostics; a program that ends by returning or `exit` loses nothing.
/// - The limit of a thousand signposts on Apple's systems (reported) does not apply. A day has up to a thousand
///   signpost names and ten thousand bins; ``counts`` has the number of figures that did not fit.
public final class PayloadRecorder: Sendable {
  /// Maximum number of figures waiting to be added; beyond it, the newest is dropped and counted.
  static let capacity = 65_536
  /// Number of waiting records that triggers adding them, regardless of the save timer.
  private static let batch = 4_096

  private struct Row {
    var entries: [PayloadInbox.Entry] = []
    /// The previous row's storage, reused so that a busy program does not reallocate it constantly.
    var spare: [PayloadInbox.Entry] = []
    var isSaveDue = false
    /// True if the queue was asked for an immediate save.
    var isSaveUrgent = false
    /// Number of diagnostics on their way to the disk.
    var diagnostics = 0
    /// The end of the day that the recorder is waiting for.
    var midnight: Date?
  }

  /// Delivers the payloads to subscribers.
  public let manager: PayloadManager

  private let inbox: PayloadInbox
  private let origin: FigureOrigin
  private let world: RecorderWorld
  private let row = Locked(Row())
  /// The usage of the process when it was last recorded.
  let recordedUsage = Locked(ProcessUsage(processor: 0, memory: nil, written: 0))
  private let queue = DispatchQueue(label: "mistertop.payload-recorder", qos: .utility)

  /// Opens a recorder on a folder, created if missing, with the system's clock, zone and timers.
  ///
  /// - Parameters:
  ///   - folder: A dedicated folder; nothing else should be in it.
  ///   - version: The version of the app.
  ///   - app: The app and its device, as the payloads describe them.
  package convenience init(folder: URL, version: String?, of app: PayloadMetaData) throws(MetricError) {
    try self.init(folder: folder, origin: FigureOrigin(version: version, app), world: .system)
  }

  /// Opens a recorder with a custom clock, zone and timers, for tests.
  init(folder: URL, origin: FigureOrigin, world: RecorderWorld) throws(MetricError) {
    guard folder.isFileURL, !folder.path.isEmpty else {
      throw MetricError(.fileUnavailable, "\(folder) is not the URL of a folder")
    }
    inbox = try PayloadInbox(folder: Posix.resolved(folder.path))
    manager = PayloadManager(inbox: inbox)
    self.origin = origin
    self.world = world
    ExitFlush.register(self)
    // The previous process's last day may be over: its payload arrives in the same call as those already waiting.
    queue.async { [weak self, manager] in
      try? self?.update()
      manager.begin()
    }
  }

  deinit {
    // No caller is left to notify, and no timer can fire any more.
    let (moment, zone) = (world.now(), world.zone())
    addRow()
    if (try? inbox.settle(at: moment, in: zone)) == true { manager.startDelivery() }
  }

  /// Counts of everything that was not recorded so far.
  public var counts: PayloadRecorderCounts { inbox.counts }

  /// Saves everything recorded before this call, closes past days, and starts delivering waiting payloads.
  ///
  /// Usually not needed; a program that may be killed calls it before going idle.
  ///
  /// - Throws: `MetricError` if the disk failed; the save will be retried.
  public func flush() async throws { try await finishUpdate(closesToday: false) }

  /// Ends the running day now: its payload, one of each ``PayloadSource`` that has figures, is on disk when the call
  /// returns, and on its way to the subscribers.
  ///
  /// For programs that do not live until midnight, as a tool or a test run. There is no second payload of a calendar
  /// day: figures recorded afterwards belong to the next day, and another call on the same day closes nothing. To wait
  /// until the subscribers have the payload:
  ///
  /// ```swift
  /// try await recorder.closeDay()
  /// await recorder.manager.deliver()
  /// ```
  ///
  /// - Throws: `MetricError` if the disk failed; the day then goes on until the next call, or midnight.
  public func closeDay() async throws { try await finishUpdate(closesToday: true) }

  private func finishUpdate(closesToday: Bool) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      queue.async { continuation.resume(with: Result { try self.update(closesToday: closesToday) }) }
    }
  }
}

extension PayloadRecorder {
  func append(_ figure: RecordedFigure, source: PayloadSource, isUrgent: Bool = false) {
    let entry = PayloadInbox.Entry(figure: figure, source: source.identifier, moment: world.now())
    let (count, startsTimer, isFirstUrgent) = row.withLock { row in
      guard row.entries.count < Self.capacity else { return (Self.capacity + 1, false, false) }
      row.entries.append(entry)
      defer {
        row.isSaveDue = true
        if isUrgent { row.isSaveUrgent = true }
      }
      return (row.entries.count, !row.isSaveDue, isUrgent && !row.isSaveUrgent)
    }
    if count > Self.capacity { return inbox.count { $0.overflowed += 1 } }
    if startsTimer { wake(.later) }
    if isFirstUrgent { queue.async { [weak self] in try? self?.update() } }
    if count == Self.batch { queue.async { [weak self] in self?.addRow() } }
  }

  func countMisuse() {
    inbox.count { $0.misused += 1 }
  }

  func countRefusal() {
    inbox.count { $0.refused += 1 }
  }

  func keep(_ payload: DiagnosticPayload) {
    let hasRoom = row.withLock { row in
      guard row.diagnostics < PayloadInbox.diagnosticLimit else { return false }
      row.diagnostics += 1
      return true
    }
    guard hasRoom else { return countRefusal() }
    queue.async {
      self.row.withLock { $0.diagnostics -= 1 }
      self.inbox.keep(payload)
      self.manager.startDelivery()
    }
  }

  private func wake(_ moment: RecorderWorld.Wake) {
    world.wake(moment) { [weak self] in
      guard let self else { return }
      if case .at = moment { row.withLock { $0.midnight = nil } }
      queue.async { [weak self] in try? self?.update() }
    }
  }

  private func addRow() {
    var entries = row.withLock { row in
      defer {
        row.entries = row.spare
        row.spare = []
      }
      return row.entries
    }
    inbox.add(entries, in: world.zone(), from: origin)
    guard entries.capacity <= 2 * Self.batch else { return }
    entries.removeAll(keepingCapacity: true)
    row.withLock { [entries] row in row.spare = entries }
  }

  /// Adds, closes and saves, and starts delivering payloads.
  ///
  /// - Throws: Write failures, which are already counted and will be retried.
  private func update(closesToday: Bool = false) throws(MetricError) {
    row.withLock { ($0.isSaveDue, $0.isSaveUrgent) = (false, false) }
    // Read before the row is taken, whose figures belong to no later day than this moment's.
    let (moment, zone) = (world.now(), world.zone())
    addRow()
    do throws(MetricError) {
      if try inbox.settle(at: moment, in: zone, closesToday: closesToday) { manager.startDelivery() }
    } catch {
      let startsTimer = row.withLock { row in
        defer { row.isSaveDue = true }
        return !row.isSaveDue
      }
      if startsTimer { wake(.later) }
      throw error
    }
    waitForMidnight(after: moment, in: zone)
  }

  private func waitForMidnight(after moment: Date, in zone: TimeZone) {
    guard inbox.hasOpenDays else { return }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    guard let midnight = calendar.dateInterval(of: .day, for: moment)?.end else { return }
    let isNew = row.withLock { row in
      defer { row.midnight = midnight }
      return row.midnight != midnight
    }
    if isNew { wake(.at(midnight)) }
  }
}

extension PayloadRecorder: ExitFlushing {
  /// Saves waiting figures before the process ends.
  package func flushBeforeExit() {
    // No caller is left to notify.
    try? update()
  }
}
