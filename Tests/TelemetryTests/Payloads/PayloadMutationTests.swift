import Foundation
import FuzzChecks
import TestSupport
import Testing

@Suite("Payloads that are damaged")
struct PayloadMutationTests {
  private func check(_ bytes: some Collection<UInt8>) -> String? {
    Array(bytes).withUnsafeBytes { PayloadChecks.payload($0) }
  }

  @Test("every prefix of every sample is read or refused", arguments: PayloadSamples.all)
  func prefixes(_ sample: PayloadSample) {
    let bytes = Array(sample.text.utf8)
    for count in 0...bytes.count {
      let fault = check(bytes.prefix(count))
      if let fault { Issue.record("\(count) bytes: \(fault)") }
    }
  }

  @Test(
    "seeded changes: no crash, nothing unsaid, what is written is read again",
    arguments: 0..<4)
  func mutations(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    for round in 0..<trials(2_500, long: 25_000) {
      var bytes = PayloadPieces.document(&random)
      for _ in 0...Int.random(in: 0...2, using: &random) { PayloadPieces.change(&bytes, &random) }
      if let fault = check(bytes) {
        Issue.record("seed \(seed), round \(round): \(fault): \(String(decoding: bytes, as: UTF8.self))")
        return
      }
    }
  }
}

/// Small documents with every odd form, and changes to them.
private enum PayloadPieces {
  private static let documents: [[UInt8]] = [
    #"{"appVersion":"1","timeStampBegin":"2019-10-05 22:00:00 +0000","cpuMetrics":{"cumulativeCPUTime":"2,717秒"}}"#,
    #"{"applicationLaunchMetrics":{"histogrammedTimeToFirstDrawKey":{"histogramNumBuckets":2,"histogramValue":{"10":{"bucketCount":1,"bucketStart":"1,190 ms","bucketEnd":"1,199 ms"},"2":{"bucketCount":3,"bucketStart":"830 ms","bucketEnd":"839 ms"}}}}}"#,
    #"{"cellularConditionMetrics":{"cellConditionTime":{"histogramNumBuckets":1,"histogramValue":[{"bucketCount":99,"bucketStart":"1 bars","bucketEnd":"1 bars"}]}},"multipleAppVersions":"1"}"#,
    #"{"signpostMetrics":[{"signpostName":"a","totalSignpostCount":2,"signpostIntervalData":{"signpostAverageMemory":"1.106 kB"}}],"x":[null,true]}"#,
    #"{"memoryMetrics":{"averageSuspendedMemory":{"averageValue":"100 kB","standardDeviation":-1,"sampleCount":5}},"metaData":{"pid":-1}}"#,
    #"{"crashDiagnostics":[{"callStackTree":{"callStacks":[{"callStackRootFrames":[{"address":18446744073709551615,"subFrames":[{"sampleCount":1}]}]}]},"diagnosticMetaData":{"signal":6}}]}"#,
    #"{"hangDiagnostics":[{"hangType":"Unknown","diagnosticMetaData":{"hangDuration":"3.2 sec","signpostData":[{"duration":"1.5 ms"}]}}],"timeStampEnd":1.5e9}"#,
    #"{"payloads":[{"payload":{"applicationExitMetrics":{"foregroundExitData":{"cumulativeAbnormalExitCount":3}}}}]}"#,
    #"{"callStacks":[{"threadAttributed":true,"callStackRootFrames":[{"binaryName":"a"}]}]}"#,
  ].map { Array($0.utf8) }

  private static let tokens: [[UInt8]] = [
    "null", "true", "1", "-1", "0.5", "1e308", "9223372036854775808", "\"\"", "{}", "[]", "\"1\"",
    "\"99999999999999999999 kB\"",
    "\"1.5 GB\"", "\"2025-01-01\"", "\n", "\\u0000", "\u{66B}", "é", "\"payload\":", "{\"a\":", "[[", ",",
    "\"callStacks\":",
  ].map { Array($0.utf8) }

  static func document(_ random: inout SeededGenerator) -> [UInt8] {
    documents[Int.random(in: 0..<documents.count, using: &random)]
  }

  static func change(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: 0..<bytes.count, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...9, using: &random)))
    case 3: bytes.insert(contentsOf: tokens[Int.random(in: 0..<tokens.count, using: &random)], at: place)
    case 4:
      replaceValue(in: &bytes, near: place, with: tokens[Int.random(in: 0..<tokens.count, using: &random)])
    default:
      let other = document(&random)
      bytes.insert(
        contentsOf: other.dropFirst(Int.random(in: 0..<other.count, using: &random)).prefix(40), at: place)
    }
  }

  /// Puts a token in the place of what is behind the next colon, so that the result is JSON more often.
  private static func replaceValue(in bytes: inout [UInt8], near place: Int, with token: [UInt8]) {
    guard let colon = bytes[place...].firstIndex(of: UInt8(ascii: ":")) else { return }
    let end = bytes[(colon + 1)...].firstIndex { [UInt8(ascii: ","), UInt8(ascii: "}")].contains($0) }
    bytes.replaceSubrange((colon + 1)..<(end ?? bytes.count), with: token)
  }
}
