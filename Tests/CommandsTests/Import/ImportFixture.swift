import Codecs
import Commands
import DeliveryCore
import Foundation
import HTTPClient
import JSONLines
import MisterMetricsCore
import Platform
import TelemetryCore
import TestSupport

/// Imports into a store of its own and takes what is said.
struct ImportFixture {
  let folder: TemporaryFolder
  let output = Recorder<String>()
  let complaints = Recorder<String>()
  var store: String { folder.path("store.jsonl") }

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("in"), withIntermediateDirectories: true)
  }

  var console: Console {
    let (output, complaints) = (output, complaints)
    return Console(write: { output.append($0) }, writeError: { complaints.append($0) })
  }

  /// The output, with names of this folder alone.
  var text: String { output.all.joined().replacingOccurrences(of: folder.url.path + "/", with: "") }
  var problems: [String] {
    complaints.all.map { $0.replacingOccurrences(of: folder.url.path + "/", with: "") }
  }

  func run(
    _ names: String..., store: String? = nil, isDryRun: Bool = false, input: Int32 = 0,
    stop: WakeSignal = WakeSignal()
  ) async -> ExitCode {
    var request = ImportCommand.Request(
      paths: names.map { $0 == "-" ? $0 : folder.path($0) }, store: store ?? self.store,
      timeZone: ZoneOffsets(identifier: "Europe/Berlin") ?? .current)
    request.isDryRun = isDryRun
    return await ImportCommand(
      request, console: console, lockFolder: folder.path("state/locks"), workers: 2
    )
    .run(stop: stop, input: input, now: Date(timeIntervalSinceReferenceDate: 800_000_000))
  }

  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    let url = folder.url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    return try folder.write(text, to: name)
  }

  /// Moves the store to another name, packed with `.gz` behind it; what is in it then.
  @discardableResult
  func rotate(to name: String, isPacked: Bool) throws -> Data {
    let url = URL(fileURLWithPath: store)
    let content = try Data(contentsOf: url)
    let kept = isPacked ? try BodyCompression.gzip(content) : content
    try kept.write(to: folder.url.appendingPathComponent(isPacked ? name + ".gz" : name))
    try FileManager.default.removeItem(at: url)
    return kept
  }

  func entries(_ path: String? = nil) async throws -> [MetricEntry] {
    try await MetricFileStore(file: URL(fileURLWithPath: path ?? store))
      .retrieveAll(from: .distantPast, until: .distantFuture)
  }

  /// The metrics of a day without a zone.
  static func metrics(day: Int = 30, version: String = "9.1", pretty: Bool = false) -> String {
    let text = """
      {"appVersion":"\(version)","timeStampBegin":"2025-03-\(day) 00:00:00","timeStampEnd":"2025-03-\(day) 23:59:00",\
      "cpuMetrics":{"cumulativeCPUTime":"100 sec"},"applicationLaunchMetrics":{"histogrammedTimeToFirstDrawKey":\
      {"histogramNumBuckets":1,"histogramValue":{"0":{"bucketCount":4,"bucketStart":"820 ms","bucketEnd":"829 ms"}}}}}
      """
    return pretty ? text.replacingOccurrences(of: ",\"", with: " ,\n  \"") + "\n" : text
  }

  static let crash = """
    {"timeStampBegin":"2025-03-29 08:00:00 +0000","timeStampEnd":"2025-03-29 08:00:00 +0000",
    "crashDiagnostics":[{"version":"1.0.0","diagnosticMetaData":{"appVersion":"9.0","signal":6}}]}
    """

  /// ``crash``, packed.
  static let packedCrash =
    "H4sIAAAAAAACA6tWKsnMTQ0uScwtcEpNz8xTslIyMjAy1TUw1jWyVDCwsDIwACIFbQMgUNJBKHbNS8GvlEspuSixOM"
    + "MlMzE9L7+4JDO5WMkqulqpLLWoODMfZI2hnoEeyMgUuArf1JJEl8SSRCWraqXEgoIwuFJLsMLizPS8xBwlK7Pa2tha"
    + "AFPXDdG4AAAA"
}
