import Foundation
import MisterMetricsCore
import Telemetry
import Testing

@Suite("Payloads and diagnostics as they are recorded")
struct RecordedDiagnosticTests {
  private func entries(_ text: String) throws -> [MetricEntry] {
    var reader = PayloadReader()
    let item = try #require(reader.read(Data(text.utf8)).items.first)
    return item.payload.entries(
      at: .distantPast, source: RecordedSource(name: "x.json", contentHash: item.contentHash),
      isLocalized: item.isLocalized)
  }

  private func document(_ text: String) throws -> PayloadDocument {
    let entry = try #require(try entries(text).first)
    #expect(entry.metric == AnyMetric(PayloadMetrics.document))
    return try entry.decode(PayloadDocument.self)
  }

  private func diagnostics(_ text: String) throws -> [String: PayloadDiagnostic] {
    var found: [String: PayloadDiagnostic] = [:]
    for entry in try entries(text) where entry.metric.valueTypeString == "PayloadDiagnostic" {
      found[entry.metric.name] = try entry.decode(PayloadDiagnostic.self)
    }
    return found
  }

  /// Threads whose frames weigh what is given; each frame is below the one before it.
  private func tree(_ threads: [(isBlamed: Bool?, samples: [Int])]) -> CallStackTree {
    var tree = CallStackTree()
    tree.callStacks = threads.map { thread in
      var stack = CallStack()
      stack.threadAttributed = thread.isBlamed
      for count in thread.samples.reversed() {
        var frame = CallStackFrame()
        frame.sampleCount = count
        frame.subFrames = stack.callStackRootFrames
        stack.callStackRootFrames = [frame]
      }
      return stack
    }
    return tree
  }

  @Test("each payload has one entry that tells where it comes from")
  func document() throws {
    let modern = try document(PayloadSamples.modern)
    #expect(modern.kind == .metric && modern.appVersion == "9.0.1" && modern.multipleVersions)
    #expect(modern.begin == "2025-03-30 00:00:00" && modern.end == "2025-03-31 00:00:00")
    #expect(modern.os == "iPhone OS 26.0 (23A100)" && modern.device == "iPhone17,2")
    #expect(modern.region == "DE" && modern.platform == "arm64e" && modern.source.hasPrefix("x.json#"))
    #expect(!modern.simulated && !modern.localized)
    let simulated = try document(PayloadSamples.simulated)
    #expect(simulated.simulated && !simulated.localized && !simulated.multipleVersions)
    let diagnostics = try document(PayloadSamples.diagnostics)
    #expect(diagnostics.kind == .diagnostic && diagnostics.appVersion == "9.0.1" && diagnostics.os == "")
    #expect(try document(PayloadSamples.oldCrash).os == "iPhone OS 14.0.1 (18A393)")
  }

  @Test("quantities in the form of a region mark their payload, and no other one beside it")
  func localized() throws {
    #expect(try document(PayloadSamples.chinese).localized)
    #expect(try document(PayloadSamples.oldCrash).localized)
    var reader = PayloadReader()
    let texts = [PayloadSamples.chinese, PayloadSamples.modern, PayloadSamples.sampledTree]
    let reading = reader.read(Data("[\(texts.joined(separator: ","))]".utf8))
    #expect(reading.items.map(\.isLocalized) == [true, false, false])
  }

  @Test("versions of a payload of diagnostics are one or several")
  func versions() throws {
    func crash(_ version: String) -> String {
      #"{"diagnosticMetaData":{"appVersion":"\#(version)","signal":6}}"#
    }
    let one = try document(#"{"crashDiagnostics":[\#(crash("1")),\#(crash("1"))]}"#)
    #expect(one.appVersion == "1" && !one.multipleVersions)
    let two = try document(#"{"crashDiagnostics":[\#(crash("1")),\#(crash("2"))]}"#)
    #expect(two.appVersion == "" && two.multipleVersions)
  }

  @Test("each diagnostic has one entry with its words and its amount")
  func kinds() throws {
    let all = try diagnostics(PayloadSamples.diagnostics)
    #expect(
      all.mapValues { "\($0.value.map { "\($0)" } ?? "-") \($0.unit)" } == [
        "crashDiagnostics.callStackTree": "- ", "hangDiagnostics.callStackTree": "20.0 sec",
        "cpuExceptionDiagnostics.callStackTree": "20.0 sec",
        "diskWriteExceptionDiagnostics.callStackTree": "2000.0 byte",
        "appLaunchDiagnostics.callStackTree": "20000.0 ms",
      ])
    let crash = try #require(all["crashDiagnostics.callStackTree"])
    #expect(crash.reason == "EXC_CRASH, SIGABRT" && crash.appVersion == "9.0.1" && crash.termination == "")
    #expect(crash.exception == "NSUnknownKeyException: no such key: name")
    #expect(all["hangDiagnostics.callStackTree"]?.reason == "Main Runloop Hang")
  }

  @Test("of the threads those to blame are kept, with all 64 bits of each address")
  func blamed() throws {
    let stacks = try #require(
      try diagnostics(PayloadSamples.diagnostics)["crashDiagnostics.callStackTree"]?.callStacks)
    #expect(stacks.binaries == [.init(name: "App", uuid: "0B5D1E9A-7C3F-4E7E-8B0A-1F2E3D4C5B6A")])
    let frames: [RecordedCallStacks.Frame] = [
      .init(address: .max, binary: 0, depth: 0, offset: .max - 9_007_199_254_740_993, samples: 1),
      .init(address: 6_442_450_944, binary: nil, depth: 1, offset: 4096, samples: nil),
    ]
    #expect(stacks.frames == frames)
    #expect(stacks.perThread && stacks.stacksLeftOut == 1 && stacks.framesLeftOut == 0)
    let kept = RecordedCallStacks(tree([(false, [1, 1]), (true, [7]), (true, [8, 9])]))
    #expect(kept.frames.map(\.samples) == [7, 8, 9] && kept.frames.map(\.depth) == [0, 0, 1])
    let unblamed = RecordedCallStacks(tree([(false, [1]), (nil, [7])]))
    #expect(unblamed.frames.map(\.samples) == [1, 7] && unblamed.stacksLeftOut == 0)
  }

  @Test("of many frames the heaviest are kept, each with all above it, and the others are counted")
  func heaviest() {
    let limit = RecordedCallStacks.frameLimit
    let light = (0..<limit).map { _ in (isBlamed: Bool?.none, samples: [2, 1]) }
    let kept = RecordedCallStacks(tree(light + [(nil, [9, 500, 3])]))
    #expect(kept.frames.count == limit && kept.framesLeftOut == limit + 3)
    #expect(kept.frames.suffix(3).map(\.samples) == [9, 500, 3])
    #expect(kept.frames.dropLast(3).allSatisfy { $0.depth == 0 && $0.samples == 2 })
  }

  @Test("frames nest no deeper than the limit; what is below is counted")
  func depth() {
    let kept = RecordedCallStacks(tree([(nil, Array(repeating: 1, count: 2_000))]))
    #expect(kept.frames.map(\.depth) == Array(0..<RecordedCallStacks.depthLimit))
    #expect(kept.framesLeftOut == 2_000 - RecordedCallStacks.depthLimit)
  }

  @Test("whatever a payload says, a line of a store stays below a megabyte")
  func size() throws {
    var tree = CallStackTree()
    tree.callStacks = [CallStack()]
    tree.callStacks[0].callStackRootFrames = (0..<10_000).map { index in
      var frame = CallStackFrame()
      frame.binaryName = "\(index)" + String(repeating: "\u{1}", count: 1_000)
      frame.binaryUUID = frame.binaryName
      (frame.address, frame.offsetIntoBinaryTextSegment) = (.max, 1 << 31)
      frame.sampleCount = .max
      return frame
    }
    let long = String(repeating: "\u{1}", count: 1_000_000)
    var crash = CrashDiagnostic(CrashDetails())
    crash.callStackTree = tree
    crash.applicationVersion = long
    (crash.metaData.osVersion, crash.metaData.deviceType) = (long, long)
    crash.details.terminationReason = long
    crash.details.exceptionReason = ExceptionReason()
    crash.details.exceptionReason?.composedMessage = "a" + long
    var payload = DiagnosticPayload()
    payload.crashDiagnostics = [crash]
    let entries = Payload.diagnostic(payload).entries(
      at: .distantPast, source: RecordedSource(name: long, contentHash: payload.contentHash))
    let entry = try #require(entries.first { $0.metric.name == "crashDiagnostics.callStackTree" })
    #expect(entry.value.base64EncodedData().count < 1_000_000)
    let recorded = try #require(PayloadDiagnostic(json: Array(entry.value)))
    #expect(recorded.callStacks.frames.count == RecordedCallStacks.frameLimit)
    #expect(recorded.exception.hasPrefix("a\u{1}") && recorded.exception.utf8.count == 2_048)
  }

  @Test("the fast reader reads what the decoder reads", arguments: 0..<50)
  func reading(seed: UInt64) throws {
    var random = RandomPayloads(seed: seed)
    let payload = Payload.diagnostic(random.diagnosticPayload())
    let source = RecordedSource(name: "x.json", contentHash: payload.contentHash)
    for entry in payload.entries(at: .distantPast, source: source)
    where entry.metric.valueTypeString == "PayloadDiagnostic" {
      #expect(PayloadDiagnostic(json: Array(entry.value)) == (try entry.decode(PayloadDiagnostic.self)))
    }
  }

  @Test("lines that nobody recorded are refused or read as far as they make sense")
  func hostile() throws {
    for text in ["", "{", "[]", "1", "{}", #"{"callStacks":1}"#, #"{"callStacks":{}} 1"#] {
      #expect(PayloadDiagnostic(json: Array(text.utf8)) == nil)
    }
    let frames = """
      {"depth":-3,"binary":7,"address":-1,"samples":1e300},1,{"depth":9223372036854775807,"binary":-1,\
      "address":18446744073709551615,"samples":-9223372036854775808}
      """
    let text =
      #"{"value":"x","callStacks":{"binaries":[1,{"name":2}],"frames":[\#(frames)],"framesLeftOut":-1}}"#
    let read = try #require(PayloadDiagnostic(json: Array(text.utf8)))
    #expect(read.value == nil && read.callStacks.framesLeftOut == 0 && read.callStacks.binaries.count == 2)
    #expect(
      read.callStacks.frames == [
        .init(address: nil, binary: nil, depth: 0, offset: nil, samples: nil),
        .init(address: .max, binary: nil, depth: .max, offset: nil, samples: .min),
      ])
  }
}
