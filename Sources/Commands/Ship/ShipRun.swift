import ClickHouse
import JSONLines
import MisterMetricsCore
import Platform

/// Follows files and delivers their samples; reads no further while the server does not take them.
final class ShipRun {
  /// The bytes and rows at which what waits is sent, whatever the time.
  private static let limits = (bytes: 3 << 19, rows: 20_000)
  /// Seconds between two sends, and the pause in which samples written at once are collected.
  private static let (interval, burst) = (1.0, 0.05)
  /// The time until a cursor file that cannot be written is tried again.
  private static let pause = Duration.seconds(5)

  private let request: ShipCommand.Request
  private let cursor: CursorWriter
  private let store: AnyMetricStore?
  private let stop: WakeSignal
  private let report: (String) -> Void
  private var shipper: Shipper?
  private var arrived: [UInt64: ArrivedRows] = [:]
  private var files: [Int: ShippedFile] = [:]
  /// The size of what waits.
  private var waiting = (bytes: 0, rows: 0)
  private var waitsSince: MonotonicInstant?
  private var lastSend = MonotonicInstant.distantPast
  private var unrecorded = 0
  private var nextRecord = MonotonicInstant.now()
  /// Samples that the server has confirmed.
  private(set) var delivered = 0

  /// - Parameter store: Gets the figures of ``ShipMetrics``.
  init(
    _ request: ShipCommand.Request, cursor: CursorWriter, store: AnyMetricStore?, stop: WakeSignal,
    report: @escaping (String) -> Void
  ) {
    (self.request, self.cursor, self.store, self.stop, self.report) = (request, cursor, store, stop, report)
  }

  /// Runs until stopped.
  func run(_ sources: [TailSource], to link: any ServerLink, _ address: ServerAddress) {
    let shipper = Shipper(
      link, database: address.database, host: request.host, wait: { [self] in wait($0) },
      report: { [self] in report(ShipFormatter.text($0, of: address)) })
    self.shipper = shipper
    // The samples that earlier runs have sent are known before any file is read.
    guard let arrived = shipper.arrived(behind: cursor.streams) else { return }
    self.arrived = arrived
    let set = TailSet(sources: sources, polling: request.polling) { [cursor] path, _ in cursor.start(of: path)
    }
    TailLoop(set: set, stop: stop).run(deadline: { self.deadline }) { member, output in
      self.take(output, of: member, set)
    } afterRound: {
      if let deadline = self.deadline, MonotonicInstant.now() >= deadline { self.send() }
      self.record()
    }
  }

  private var deadline: MonotonicInstant? {
    waitsSince.map { max($0 + Self.burst, lastSend + Self.interval) }
  }

  private func take(_ output: TailOutput, of member: TailMember, _ set: TailSet) {
    guard !stop.isRaised, let tail = set.tail(of: member) else { return }
    var file =
      files.removeValue(forKey: member.index)
      ?? ShippedFile(
        member: member, host: request.host, mapping: request.mapping,
        streams: FileStreams(after: cursor.position(of: member.path), arrived: arrived))
    let before = file.waiting
    file.handle(output, from: tail, report: report)
    let after = file.waiting
    files[member.index] = file
    waiting = (waiting.bytes + after.bytes - before.bytes, waiting.rows + after.rows - before.rows)
    if waitsSince == nil { waitsSince = .now() }
    if waiting.bytes >= Self.limits.bytes || waiting.rows >= Self.limits.rows { send() }
  }

  // MARK: Sending

  /// Sends everything that waits, and saves the positions behind it.
  private func send() {
    var queues: [(path: PathKey, steps: [ShippedFile.Step])] = []
    for index in files.keys.sorted() {
      guard let path = files[index]?.path, let steps = files[index]?.takeSteps() else { continue }
      queues.append((PathKey(path), steps))
    }
    waiting = (0, 0)
    // Streams that begin are saved together: a folder may have thousands of files.
    var positions: [PathKey: TailPosition] = [:]
    for (path, steps) in queues {
      if case .save(let position)? = steps.first { positions[path] = position }
    }
    guard save(positions), queues.allSatisfy({ perform($0.steps, of: $0.path) }) else { return stop.raise() }
    for file in files.values { positions[PathKey(file.path)] = file.position }
    // Without it, the next run asks the server.
    cursor.save(positions)
    waitsSince = nil
    lastSend = .now()
    nextRecord = lastSend
  }

  private func perform(_ steps: [ShippedFile.Step], of path: PathKey) -> Bool {
    steps.allSatisfy { step in
      switch step {
      case .save(let position): return save([path: position])
      case .send(let block):
        guard shipper?.deliver(block) == true else { return false }
        delivered += block.rows.count
        unrecorded += block.rows.count
        return true
      }
    }
  }

  /// Saves positions, however long that takes: without the start of a stream, a later run would send it again.
  ///
  /// - Returns: False when stopped.
  private func save(_ positions: [PathKey: TailPosition]) -> Bool {
    while !cursor.save(positions) {
      guard wait(Self.pause) else { return false }
    }
    return true
  }

  // MARK: Figures

  /// - Returns: False when stopped.
  private func wait(_ duration: Duration) -> Bool {
    record()
    return !stop.waits(upTo: duration)
  }

  /// Records the figures, once a second.
  private func record() {
    let now = MonotonicInstant.now()
    guard let store, now >= nextRecord else { return }
    nextRecord = now + 1
    ShipMetrics.delivered.record(unrecorded, in: store)
    unrecorded = 0
    ShipMetrics.lagSeconds.record(waitsSince.map { now - $0 } ?? 0, in: store)
    ShipMetrics.lagBytes.record(lag, in: store)
  }

  /// Bytes of the files behind the saved positions.
  private var lag: Int {
    files.values.reduce(0) { sum, file in
      let size = Posix.status(at: file.path)?.size ?? 0
      let read = cursor.position(of: file.path)?.mark.offset ?? 0
      return sum + Int(clamping: size - min(size, read))
    }
  }
}
