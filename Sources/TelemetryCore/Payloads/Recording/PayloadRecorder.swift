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
/// - A day is a local calendar day of 23, 24 or 25 hours. Its payload is closed when the clock shows a later day, by this
///   process or the next that opens the folder; a day without figures has none. Each ``PayloadSource`` has its own.
/// - A figure belongs to the day of its moment. A closed day is never opened again: figures that a clock which was set
///   back would add to it go to the next open day. Only a damaged folder, or a clock set back over four hundred
///   closed days, can make a second payload of a day.
/// - Figures of a day whose version changed are in one payload, with the last version and
///   ``MetricPayload/includesMultipleApplicationVersions``.
/// - The folder belongs to one recorder at a time. A kill loses the figures since the last save, at most five
///   seconds of them, and next to no exits and diagnostics; a program that ends by returning or `exit` loses nothing.
/// - The limit of a thousand signposts that Apple's systems have (reported) does not hold here. A day has up to a
///   thousand names of signposts and ten thousand bins; ``counts`` has the number that did not fit.
public final class PayloadRecorder: Sendable {
  /// Maximum number of figures waiting to be added; beyond it, the newest is dropped and counted.
  static let capacity = 65_536
  /// Number of waiting records at which they are added, saved or not.
  private static let batch = 4_096

  private struct Row {
    var entries: [PayloadInbox.Entry] = []
    /// The memory of the row before, so that a busy program does not allocate it over and over.
    var spare: [PayloadInbox.Entry] = []
    var isSaveDue = false
    /// True if the queue was asked to save at once.
    var isSaveUrgent = false
    /// How many diagnostics are on their way to the disk.
    var diagnostics = 0
    /// The end of the day that the recorder waits for.
    var midnight: Date?
  }

  /// Takes subscribers and delivers to them.
  public let manager: PayloadManager

  private let inbox: PayloadInbox
  private let origin: FigureOrigin
  private let world: RecorderWorld
  private let row = Locked(Row())
  /// The usage of the process when it was last recorded.
  let recordedUsage = Locked(ProcessUsage(processor: 0, memory: nil, written: 0))
  private let queue = DispatchQueue(label: "mistertop.payload-recorder", qos: .utility)

  /// A recorder over a folder, which is made if there is none, in the world of the system.
  ///
  /// - Parameters:
  ///   - folder: A folder of its own; nothing else should be in it.
  ///   - version: The version of the app.
  ///   - app: The app and its device, as the payloads describe them.
  package convenience init(folder: URL, version: String?, of app: PayloadMetaData) throws(MetricError) {
    try self.init(folder: folder, origin: FigureOrigin(version: version, app), world: .system)
  }

  /// A recorder in a world of its own, for tests.
  init(folder: URL, origin: FigureOrigin, world: RecorderWorld) throws(MetricError) {
    guard folder.isFileURL, !folder.path.isEmpty else {
      throw MetricError(.fileUnavailable, "\(folder) is not the URL of a folder")
    }
    inbox = try PayloadInbox(folder: Posix.resolved(folder.path))
    manager = PayloadManager(inbox: inbox)
    self.origin = origin
    self.world = world
    ExitFlush.register(self)
    // The last day of the process before may be over: its payload comes in one call with those that wait already.
    queue.async { [weak self, manager] in
      try? self?.update()
      manager.begin()
    }
  }

  deinit {
    // No caller is left to be notified, and none for a timer.
    let (moment, zone) = (world.now(), world.zone())
    addRow()
    if (try? inbox.settle(at: moment, in: zone)) == true { manager.startDelivery() }
  }

  /// Counts of everything that could not be taken so far.
  public var counts: PayloadRecorderCounts { inbox.counts }

  /// Saves everything that was recorded before this call, closes days that are over, and has waiting payloads delivered.
  ///
  /// It need not be called; a program that may be killed calls it before it rests.
  ///
  /// - Throws: `MetricError` if the disk did not take it; it will be offered again.
  public func flush() async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      queue.async { continuation.resume(with: Result { try self.update() }) }
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

  /// Adds, closes and saves, and has payloads delivered.
  ///
  /// - Throws: What is counted already and will be tried again.
  private func update() throws(MetricError) {
    row.withLock { ($0.isSaveDue, $0.isSaveUrgent) = (false, false) }
    // Before the row is taken: what is in it at this moment belongs to no later day.
    let (moment, zone) = (world.now(), world.zone())
    addRow()
    do throws(MetricError) {
      if try inbox.settle(at: moment, in: zone) { manager.startDelivery() }
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
  /// Saves what waits, before the process ends.
  package func flushBeforeExit() {
    // No caller is left to be notified.
    try? update()
  }
}
