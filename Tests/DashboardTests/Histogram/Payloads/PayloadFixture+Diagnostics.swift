import Foundation
import History
import MisterMetricsCore
import Platform
import Telemetry

@testable import DashboardCore

extension PayloadFixture {
  /// The lines of diagnostics as an import records them.
  static func diagnostics(_ payload: DiagnosticPayload, number: Int) -> [PayloadArchive.Diagnostic] {
    let source = RecordedSource(name: "diagnostics-\(number).json", contentHash: payload.contentHash)
    let entries = Payload.diagnostic(payload).entries(
      at: Date(timeIntervalSinceReferenceDate: 800_000_000), source: source)
    return entries.filter { $0.metric.valueTypeString == "PayloadDiagnostic" }.map { entry in
      PayloadArchive.Diagnostic(
        kind: entry.metric.name, time: Timestamp(entry.timestamp),
        json: Array(entry.value))
    }
  }

  /// Two crashes of 2.4.1, one of 2.4.0, and a hang of each with its samples.
  static func diagnostics() -> [PayloadArchive.Diagnostic] {
    var payload = DiagnosticPayload()
    payload.crashDiagnostics = ["2.4.1", "2.4.1", "2.4.0"].map(crash)
    payload.hangDiagnostics = [hang("2.4.1", seconds: 4.2), hang("2.4.0", seconds: 1.5)]
    return diagnostics(payload, number: 1)
  }

  static func crash(_ version: String) -> CrashDiagnostic {
    var details = CrashDetails()
    (details.exceptionType, details.signal) = (1, 11)
    details.terminationReason = "Namespace SIGNAL, Code 11 Segmentation fault: 11"
    var crash = CrashDiagnostic(details)
    crash.applicationVersion = version
    var stack = CallStack()
    stack.threadAttributed = true
    var innermost = CallStackFrame()
    (innermost.binaryName, innermost.address) = ("UIKitCore", .max)
    let chain: [(String, UInt64)] = [("App", 0x2000), ("App", 0x1f4c), ("libsystem_kernel.dylib", 0x1234)]
    stack.callStackRootFrames = chain.reduce([innermost]) { below, place in
      [frame(place.0, place.1, samples: nil, below)]
    }
    crash.callStackTree = CallStackTree()
    crash.callStackTree?.callStackPerThread = true
    crash.callStackTree?.callStacks = [stack]
    return crash
  }

  static func hang(_ version: String, seconds: Double) -> HangDiagnostic {
    var details = HangDetails()
    details.hangDuration = .init(value: seconds, unit: .seconds)
    details.hangType = "Main Runloop Hang"
    var hang = HangDiagnostic(details)
    hang.applicationVersion = version
    var stack = CallStack()
    stack.threadAttributed = true
    stack.callStackRootFrames = [
      frame(
        "App", 0x100, samples: 40,
        [
          frame("App", 0x200, samples: 25, [frame("libz.1.dylib", 0x300, samples: 20, [])]),
          frame("App", 0x210, samples: 10, []),
        ])
    ]
    hang.callStackTree = CallStackTree()
    hang.callStackTree?.callStacks = [stack]
    return hang
  }

  private static func frame(_ binary: String, _ offset: UInt64, samples: Int?, _ below: [CallStackFrame])
    -> CallStackFrame
  {
    var frame = CallStackFrame()
    (frame.binaryName, frame.offsetIntoBinaryTextSegment) = (binary, offset)
    (frame.address, frame.sampleCount, frame.subFrames) = (0x1_0000_0000 + offset, samples, below)
    return frame
  }
}
