import Foundation
import MisterMetricsCore
import Platform
import TestSupport

@testable import TelemetryCore

/// A folder and a world for recorders: the clock stands until it is set, and no one wakes them but the test.
final class RecorderBench: Sendable {
  private struct World {
    var now: Date
    var zone: TimeZone
    var wakes: [RecorderWorld.Wake] = []
  }

  let folder: TemporaryFolder
  private let world: Locked<World>

  init(_ clock: String = "2026-05-04 10:00:00", zone: String = "Europe/Berlin") throws {
    folder = try TemporaryFolder()
    world = Locked(World(now: Date(timeIntervalSince1970: 0), zone: TimeZone(identifier: zone) ?? .gmt))
    set(clock)
  }

  var wakes: [RecorderWorld.Wake] { world.withLock { $0.wakes } }

  /// Sets the clock to what it shows in the zone.
  func set(_ clock: String) {
    world.withLock { world in
      if let moment = PayloadTime(clock)?.date(in: world.zone) { world.now = moment }
    }
  }

  /// Sets the clock this much further.
  func advance(days: Double) {
    world.withLock { $0.now += days * 86_400 }
  }

  /// A recorder over the folder, as a process that is started would make it, once the one before let go of it.
  func start(version: String? = "1.0") async throws -> PayloadRecorder {
    for _ in 0..<5_000 {
      if let recorder = try? startNow(version: version) { return recorder }
      try await Task.sleep(for: .milliseconds(1))
    }
    return try startNow(version: version)
  }

  func startNow(version: String? = "1.0") throws -> PayloadRecorder {
    var data = PayloadMetaData()
    data.osVersion = "Linux 6.1"
    data.bundleIdentifier = "org.example.gallery"
    let world = world
    return try PayloadRecorder(
      folder: folder.url, origin: FigureOrigin(version: version, data),
      world: RecorderWorld(
        now: { world.withLock { $0.now } }, zone: { world.withLock { $0.zone } },
        wake: { wake, _ in world.withLock { $0.wakes.append(wake) } }))
  }

  /// The files of the folder that are not the lock.
  func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0 != "recorder.lock" }
      .sorted()
  }

  /// The payloads that lie in the folder, as anybody reads them, without a note.
  func payloads() throws -> [Payload] {
    var reader = PayloadReader()
    return try files().filter { $0.hasPrefix("metric-") || $0.hasPrefix("diagnostic-") }.flatMap { name in
      let reading = reader.read(try Data(contentsOf: folder.url.appendingPathComponent(name)))
      guard reading.errors.isEmpty, reading.notes.isEmpty else { throw Refusal() }
      return reading.payloads
    }
  }
}

/// Keeps what it gets, call by call.
final class KeepingSubscriber: PayloadSubscriber {
  private let kept = Locked<[String]>([])
  private let payloads = Locked<[MetricPayload]>([])
  private let onCall: @Sendable () -> Void

  init(onCall: @escaping @Sendable () -> Void = {}) {
    self.onCall = onCall
  }

  /// One text for each call: the days, or how many crashes.
  var calls: [String] { kept.withLock { $0 } }

  var metrics: [MetricPayload] { payloads.withLock { $0 } }

  func didReceive(_ payloads: [MetricPayload]) {
    kept.withLock { $0.append(payloads.map { $0.timeStampBegin?.calendarDay ?? "" }.joined(separator: " ")) }
    self.payloads.withLock { $0 += payloads }
    onCall()
  }

  func didReceive(_ payloads: [DiagnosticPayload]) {
    let crashes = payloads.reduce(0) { $0 + ($1.crashDiagnostics?.count ?? 0) }
    kept.withLock { $0.append("\(crashes) of \(payloads.count)") }
    onCall()
  }
}

extension DiagnosticPayload {
  /// A crash by a signal.
  static func crash(signal: Int) -> DiagnosticPayload {
    var crash = CrashDiagnostic(CrashDetails())
    crash.signal = signal
    var payload = DiagnosticPayload()
    payload.timeStampBegin = PayloadTime("2026-05-04 10:00:00")
    payload.timeStampEnd = payload.timeStampBegin
    payload.crashDiagnostics = [crash]
    return payload
  }
}
