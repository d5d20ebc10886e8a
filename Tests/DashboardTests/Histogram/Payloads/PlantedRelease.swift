import Foundation
import History
import Platform
import Telemetry
import TestSupport

@testable import DashboardCore

/// Payloads of 500 device-days of three versions and 120 crashes, of which the newest may be worse in three ways: slower
/// launches on one device model, more memory in TestFlight builds, and a crash of its own.
struct PlantedRelease {
  static let models = ["iPhone12,1", "iPhone13,2", "iPhone14,5", "iPhone15,3", "iPad13,4"]
  static let versions = [("2.0.0", 150), ("2.1.0", 170), ("2.2.0", 180)]

  private var random: SeededGenerator
  private let isWorse: Bool

  /// - Parameter isWorse: False for versions that differ by chance alone.
  static func archive(seed: UInt64, isWorse: Bool = true) -> PayloadArchive {
    var release = PlantedRelease(random: SeededGenerator(seed: seed), isWorse: isWorse)
    return release.archive()
  }

  private mutating func archive() -> PayloadArchive {
    var (payloads, facts): ([MetricPayload], [[String: String]]) = ([], [])
    for (version, count) in Self.versions {
      for _ in 0..<count {
        let model = Self.models[min(4, Int(5 * Double.random(in: 0..<1, using: &random)))]
        let isTest = Double.random(in: 0..<1, using: &random) < 0.25
        payloads.append(day(version, model: model, isTest: isTest))
        facts.append([
          "kind": "metric", "device": model, "testFlight": "\(isTest)", "build": build(of: version),
          "os": ["iPhone OS 18.1 (22B83)", "iPhone OS 18.2 (22C152)"].randomElement(using: &random) ?? "",
          "region": ["US", "DE", "JP"].randomElement(using: &random) ?? "",
        ])
      }
    }
    var archive = PayloadFixture.archive(payloads)
    for place in archive.payloads.indices { archive.payloads[place].facts = facts[place] }
    for (version, crashes) in [("2.0.0", 34), ("2.1.0", 34), ("2.2.0", isWorse ? 52 : 36)] {
      for number in 0..<crashes {
        let isNew = isWorse && version == "2.2.0" && number < 30
        add(crash(version, family: isNew ? 3 : Int.random(in: 0..<3, using: &random)), version, to: &archive)
      }
    }
    return archive
  }

  private mutating func build(of version: String) -> String {
    "\(version.filter(\.isNumber))\(Int.random(in: 1...3, using: &random))"
  }

  private mutating func level(_ middle: Double, _ spread: Double) -> Double {
    (middle * exp(spread * random.normal())).rounded()
  }

  private mutating func day(_ version: String, model: String, isTest: Bool) -> MetricPayload {
    let isNewest = isWorse && version == "2.2.0"
    var payload = PayloadFixture.day(version, slower: 1, &random)
    let speed = 1 + 0.1 * Double(Self.models.firstIndex(of: model) ?? 0)
    let slower = isNewest && model == "iPhone12,1" ? 1.5 : 1
    let launch = level(900 * speed * slower, 0.2)
    payload.applicationLaunchMetrics?.histogrammedTimeToFirstDraw = TimeHistogram(
      (0..<Int.random(in: 2...9, using: &random)).map { _ in
        let start = (launch * exp(0.3 * random.normal()) / 10).rounded(.down) * 10
        return .init(start: start, end: start + 9, count: 1)
      })
    payload.memoryMetrics?.peakMemoryUsage = .init(
      value: level(210_000 * (isNewest && isTest ? 1.45 : 1), 0.2), unit: .kilobytes)
    payload.cpuMetrics?.cumulativeCPUTime = .init(value: level(300, 0.5), unit: .seconds)
    payload.gpuMetrics = .init()
    payload.gpuMetrics?.cumulativeGPUTime = .init(value: level(60, 0.5), unit: .seconds)
    payload.networkTransferMetrics = .init()
    payload.networkTransferMetrics?.cumulativeWifiDownload = .init(value: level(9000, 1), unit: .kilobytes)
    payload.networkTransferMetrics?.cumulativeCellularDownload = .init(
      value: level(3000, 1), unit: .kilobytes)
    return payload
  }

  // MARK: Crashes

  private static let families: [(signal: Int, chain: [String])] = [
    (6, ["libsystem_kernel.dylib", "libsystem_c.dylib", "Shop", "Shop", "UIKitCore"]),
    (11, ["Shop", "Shop", "UIKitCore", "UIKitCore", "Shop"]),
    (5, ["libswiftCore.dylib", "Shop", "SwiftUI", "SwiftUI", "UIKitCore"]),
    (11, ["Cart", "Shop", "UIKitCore", "UIKitCore", "Shop"]),
  ]

  private mutating func crash(_ version: String, family: Int) -> DiagnosticPayload {
    let (signal, chain) = Self.families[family]
    var details = CrashDetails()
    (details.exceptionType, details.signal) = (signal == 6 ? 10 : 1, signal)
    var crash = CrashDiagnostic(details)
    crash.applicationVersion = version
    let build = build(of: version)
    crash.metaData.applicationBuildVersion = build
    var below: [CallStackFrame] = []
    // The offsets of the app move with each build.
    let shift = UInt64(build) ?? 0
    for (place, module) in chain.enumerated().reversed() {
      var frame = CallStackFrame()
      let isOfApp = ["Shop", "Cart"].contains(module)
      (frame.binaryName, frame.binaryUUID) = (module, "\(module)-\(isOfApp ? build : "18")")
      frame.offsetIntoBinaryTextSegment =
        UInt64(0x1000 * (family * 8 + place + 1)) + (isOfApp ? shift * 64 : 0)
      frame.address = 0x1_0000_0000 + (frame.offsetIntoBinaryTextSegment ?? 0)
      frame.subFrames = below
      below = [frame]
    }
    var stack = CallStack()
    (stack.threadAttributed, stack.callStackRootFrames) = (true, below)
    crash.callStackTree = CallStackTree()
    crash.callStackTree?.callStackPerThread = true
    crash.callStackTree?.callStacks = [stack]
    var payload = DiagnosticPayload()
    payload.crashDiagnostics = [crash]
    return payload
  }

  private func add(_ payload: DiagnosticPayload, _ version: String, to archive: inout PayloadArchive) {
    let number = archive.diagnostics.count
    let lines = PayloadFixture.diagnostics(payload, number: number)
    archive.diagnostics += lines
    var read = PayloadArchive.Payload()
    (read.version, read.source) = (version, PayloadDiagnostic(json: lines[0].json)?.source ?? "")
    read.facts = [
      "kind": "diagnostic", "build": payload.crashDiagnostics?[0].metaData.applicationBuildVersion ?? "",
    ]
    archive.payloads.append(read)
  }
}
