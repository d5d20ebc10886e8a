import Codecs
import Foundation
import Telemetry
import Testing

@Suite("Diagnostic payloads")
struct DiagnosticPayloadTests {
  @Test("a crash with all that is told of it")
  func crash() throws {
    let payload = try diagnostic(PayloadSamples.diagnostics)
    let crash = try #require(payload.crashDiagnostics?.first)
    #expect(crash.signal == 6 && crash.exceptionType == 10 && crash.terminationReason == nil)
    #expect(crash.virtualMemoryRegionInfo == "0 is not in any region. r-x/r-x")
    #expect(crash.exceptionReason?.arguments == ["name"] && crash.applicationVersion == "9.0.1")
    #expect(crash.metaData.pid == 412 && crash.metaData.applicationBuildVersion == "901")
    let signpost = try #require(crash.signpostData?.first)
    #expect(signpost.duration == Measurement(value: 1.875, unit: .seconds) && signpost.isInterval == true)
    let stacks = try #require(crash.callStackTree?.callStacks)
    #expect(stacks.map(\.threadAttributed) == [true, false])
    let frame = try #require(stacks.first?.callStackRootFrames.first)
    #expect(frame.address == .max && frame.offsetIntoBinaryTextSegment == 9_007_199_254_740_993)
    #expect(frame.subFrames.first?.binaryName == nil && frame.subFrames.first?.textOffset == 4096)
    #expect(!payload.isSimulated)
  }

  @Test("the other kinds")
  func others() throws {
    let payload = try diagnostic(PayloadSamples.diagnostics)
    #expect(payload.hangDiagnostics?.first?.hangDuration == Measurement(value: 20, unit: .seconds))
    #expect(payload.hangDiagnostics?.first?.hangType == "Main Runloop Hang")
    let processor = try #require(payload.cpuExceptionDiagnostics?.first)
    #expect(processor.totalSampledTime == Measurement(value: 21, unit: .seconds))
    #expect(processor.callStackTree?.callStackPerThread == false)
    #expect(processor.callStackTree?.callStacks.first?.threadAttributed == nil)
    #expect(
      payload.diskWriteExceptionDiagnostics?.first?.totalWritesCaused
        == Measurement(value: 2000, unit: .bytes))
    let launch = try #require(payload.appLaunchDiagnostics?.first)
    #expect(launch.launchDuration == Measurement(value: 20, unit: .seconds))
    #expect(launch.metaData.otherFields == ["mood": .string("slow")])
  }

  @Test("iOS 14 wrote where the image was loaded")
  func loadAddress() throws {
    let payload = try diagnostic(PayloadSamples.oldCrash)
    let frame = payload.crashDiagnostics?.first?.callStackTree?.callStacks.first?.callStackRootFrames.first
    #expect(frame?.textOffset == 205_728 && frame?.offsetIntoBinaryTextSegment == 6_859_616_256)
    #expect(payload.hangDiagnostics?.first?.hangDuration == Measurement(value: 20, unit: .seconds))
    #expect(payload.diskWriteExceptionDiagnostics?.first?.totalWritesCaused?.value == 2000)
  }

  @Test("call stacks alone, and their samples")
  func alone() throws {
    let payload = try diagnostic(PayloadSamples.sampledTree)
    let tree = try #require(payload.unclassifiedDiagnostics?.first?.callStackTree)
    #expect(tree.otherFields == ["extra": .bool(true)])
    #expect(tree.callStacks.first?.callStackRootFrames.first?.selfSampleCount == 1)
  }

  @Test(
    "a diagnostic alone is of the kind its fields tell",
    arguments: [
      ("\"signal\":11", "crashDiagnostics"), ("\"hangDuration\":\"1 sec\"", "hangDiagnostics"),
      ("\"totalCPUTime\":\"1 sec\"", "cpuExceptionDiagnostics"),
      ("\"writesCaused\":\"1 byte\"", "diskWriteExceptionDiagnostics"),
      ("\"launchDuration\":\"1 ms\"", "appLaunchDiagnostics"), ("\"pid\":1", "unclassifiedDiagnostics"),
    ])
  func kinds(_ field: String, _ key: String) throws {
    let payload = try diagnostic("{\"callStackTree\":{\"callStacks\":[]},\"diagnosticMetaData\":{\(field)}}")
    let text = String(decoding: payload.jsonRepresentation(), as: UTF8.self)
    #expect(text.hasPrefix("{\n  \"\(key)\" : [\n"))
  }

  @Test("frames nest deeper than systems record them; deeper still is an error, not a crash")
  func depth() throws {
    func tree(_ depth: Int) -> String {
      #"{"callStacks":[{"callStackRootFrames":["#
        + String(repeating: #"{"address":1,"subFrames":["#, count: depth)
        + String(repeating: "]}", count: depth) + "]}]}"
    }
    var frames = try diagnostic(tree(250)).callStackTrees.first?.callStacks.first?.callStackRootFrames
    var depth = 0
    while let frame = frames?.first {
      depth += 1
      frames = frame.subFrames
    }
    #expect(depth == 250)
    var reader = PayloadReader()
    let reading = reader.read(Data(tree(100_000).utf8))
    #expect(reading.payloads.isEmpty)
    #expect(reading.errors.map(\.text) == ["nested more than 512 levels deep"])
  }

  private func diagnostic(_ text: String) throws -> DiagnosticPayload {
    var reader = PayloadReader()
    guard case .diagnostic(let payload) = try #require(reader.read(Data(text.utf8)).payloads.first) else {
      throw CancellationError()
    }
    return payload
  }
}
