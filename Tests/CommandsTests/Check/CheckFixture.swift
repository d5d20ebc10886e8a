import Foundation
import Platform
import TestSupport
import Testing

@testable import Commands

/// Payloads of two versions, and checks of them.
struct CheckFixture {
  let fixture: ImportFixture

  init() throws { fixture = try ImportFixture() }

  /// A day of one device, whose launches take about the given time.
  func day(
    _ number: Int, version: String, launch: Int, memory: Int = 200_000, foreground: String? = nil
  ) -> String {
    let bins = (0..<8).map { bin in
      let start = (launch + (number * 37 + bin * 53) % 200) / 10 * 10
      return "\"\(bin)\":{\"bucketCount\":\(1 + (number + bin) % 3),\"bucketStart\":\"\(start) ms\","
        + "\"bucketEnd\":\"\(start + 9) ms\"}"
    }
    return """
      {"appVersion":"\(version)","timeStampBegin":"2026-03-\(10 + number % 20) 00:00:00","deviceId":"\(version)-\(number)",
      "timeStampEnd":"2026-03-\(10 + number % 20) 23:59:00",
      "metaData":{"deviceType":"iPhone1\(number % 2 + 2),1","appBuildVersion":"7"},"memoryMetrics":{"peakMemoryUsage":"\(memory + number * 10) kB"},
      "applicationTimeMetrics":{"cumulativeForegroundTime":"\(foreground ?? "\(600 + number) sec")"},
      "applicationLaunchMetrics":{"histogrammedTimeToFirstDrawKey":{"histogramNumBuckets":8,"histogramValue":{
      \(bins.joined(separator: ","))}}}}
      """
  }

  func crash(_ number: Int, version: String, signal: Int, program: String) -> String {
    """
    {"timeStampBegin":"2026-03-20 08:00:00","timeStampEnd":"2026-03-20 08:00:00","deviceId":"c\(version)\(number)",
    "crashDiagnostics":[{"diagnosticMetaData":{"appVersion":"\(version)","signal":\(signal),"exceptionType":1},
    "callStackTree":{"callStackPerThread":true,"callStacks":[{"threadAttributed":true,"callStackRootFrames":[
    {"binaryName":"\(program)","offsetIntoBinaryTextSegment":\(number * 64),"address":\(number + 1)}]}]}}]}
    """
  }

  /// Sixty devices of each version; the newer one launches more slowly and has a crash of its own.
  func release(days: Int = 60, launch: Int = 1_300, crashes: Int = 20) async throws {
    var lines = (0..<days).map { day($0, version: "2.3.0", launch: 1_000) }
    lines += (0..<days).map { day($0 + 7, version: "2.4.0", launch: launch) }
    lines += (0..<4).map { crash($0, version: "2.3.0", signal: 6, program: "Shop") }
    lines += (0..<4).map { crash($0, version: "2.4.0", signal: 6, program: "Shop") }
    lines += (0..<crashes).map { crash($0 + 50, version: "2.4.0", signal: 11, program: "Cart") }
    try fixture.write(lines.map { $0.replacing("\n", with: "") + "\n" }.joined(), to: "in/all.ndjson")
    #expect(await fixture.run("in") == .success)
  }

  @MainActor
  func check(_ conditions: String..., paths: [String] = [], options: [String] = []) async -> ExitCode {
    let context = CommandContext(
      console: fixture.console,
      environment: ProcessEnvironment(variables: [:], now: Timestamp(60), exists: { _ in true }),
      host: NoTerminal(calls: Recorder<String>()))
    return await CommandRunner.run(
      ["check"] + (paths.isEmpty ? [fixture.store] : paths) + options
        + conditions.flatMap { ["--fail-if", $0] }, in: context)
  }
}
