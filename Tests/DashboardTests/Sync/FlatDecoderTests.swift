import Codecs
import Foundation
import JSONLines
import MisterMetricsCore
import Sync
import SyncSimulation
import TelemetryCore
import TestSupport
import Testing

@testable import DashboardCore
@testable import EngineScreens

@Suite("Reading recorded values quickly")
struct FlatDecoderTests {
  /// The two ways of reading a value, as texts that can be compared.
  private func both<Value: Decodable>(_ type: Value.Type, _ json: [UInt8]) -> (String, String) {
    let quick = FlatDecoder.decode(type, from: json)
    let usual = try? JSONDecoder().decode(type, from: Data(json))
    return (String(describing: quick), String(describing: usual))
  }

  @Test(
    "everything that a scenario records reads as Foundation's decoder reads it",
    arguments: SyncFixture.stories)
  func records(name: String) throws {
    let feed = try SyncFixture.feed(try SyncFixture.entries(name))
    for raw in feed.engines.sync.after(0) {
      let (quick, usual) =
        switch raw.metric.typeName {
        case "SyncTransition": both(SyncTransition.self, raw.json)
        case "SyncMutation": both(SyncMutation.self, raw.json)
        case "SyncBreaker": both(SyncBreaker.self, raw.json)
        case "SyncRun": both(SyncRun.self, raw.json)
        case "SyncNetwork": both(SyncNetwork.self, raw.json)
        case "SyncConflictRecord": both(SyncConflictRecord.self, raw.json)
        case "SyncFault": both(SyncFault.self, raw.json)
        case "SyncCaption": both(SyncCaption.self, raw.json)
        case "SyncSimulationRecord": both(SyncSimulationRecord.self, raw.json)
        case "SyncConfiguration": both(SyncConfiguration.self, raw.json)
        case "SignpostInterval": both(SignpostInterval.self, raw.json)
        case "SignpostEvent": both(SignpostEvent.self, raw.json)
        default: both(Int.self, raw.json)
        }
      #expect(quick == usual && quick != "nil")
    }
  }

  /// A value with all that the recorded ones have.
  private struct Sample: Codable {
    enum Sort: String, Codable { case one, other }
    let whole: Int
    let number: Double?
    let text: String
    let flag: Bool
    let sort: Sort
    let more: Int?
  }

  @Test("what is written in another way reads the same, and what cannot be read by one cannot by the other")
  func odd() {
    let rest = #""text":"t","flag":true,"sort":"one""#
    let table = [
      "{\"whole\":1,\(rest)}", " {\n\"whole\" : 1 ,\(rest) } ", "{\"whole\":1.0,\(rest)}",
      "{\"whole\":1e3,\(rest)}",
      "{\"whole\":-0,\(rest)}", "{\"whole\":01,\(rest)}", "{\"whole\":9223372036854775807,\(rest)}",
      "{\"whole\":9223372036854775808,\(rest)}", "{\"whole\":1.5,\(rest)}", "{\"whole\":\"1\",\(rest)}",
      "{\"whole\":null,\(rest)}", "{\(rest)}", "{\"whole\":1,\"whole\":2,\(rest)}",
      "{\"whole\":1,\"whole\":\"x\",\(rest)}",
      "{\"whole\":1,\"number\":null,\(rest)}", "{\"whole\":1,\"number\":1e400,\(rest)}",
      "{\"whole\":1,\"number\":-1.25e-3,\(rest)}", "{\"whole\":1,\"number\":0.1,\(rest)}",
      "{\"whole\":1,\"number\":123456789012345678901234567890,\(rest)}", "{\"whole\":1,\"more\":7,\(rest)}",
      "{\"whole\":1,\"nested\":{\"a\":[1,{}]},\(rest)}", "{\"whole\":1,\"more\":[],\(rest)}",
      #"{"whole":1,"text":"\u00e9\n\ud83d\ude00","flag":false,"sort":"other"}"#,
      #"{"\u0077hole":1,"text":"a","flag":false,"sort":"other"}"#,
      #"{"whole":1,"text":"\ud83d","flag":false,"sort":"other"}"#,
      #"{"whole":1,"text":"a","flag":1,"sort":"other"}"#,
      #"{"whole":1,"text":"a","flag":false,"sort":"neither"}"#,
      #"{"whole":1,"text":"a","flag":false,"sort":"other"},"#,
      #"{"whole":1,"text":"a","flag":false,"sort":"other""#,
      "[]", "null", "", "7", "{}",
    ]
    for json in table {
      let (quick, usual) = both(Sample.self, Array(json.utf8))
      #expect(quick == usual, "\(json)")
    }
    for json in [
      "0", "-7", "12345678901234567890", "1.0", "1e2", " 5", "007", "-", "", "x", "999999999999999999",
    ] {
      let (quick, usual) = both(Int.self, Array(json.utf8))
      #expect(quick == usual, "\(json)")
    }
  }

  @Test("values that were damaged anywhere read the same in both ways, or in neither")
  func damaged() throws {
    var generator = SeededGenerator(seed: 31)
    let entries = try SyncFixture.feed(try SyncFixture.entries("flaky-push")).engines.sync.after(0)
    let transitions = entries.filter { $0.metric.name == "transition" }.map(\.json)
    let mutations = entries.filter { $0.metric.name == "mutation" }.map(\.json)
    for round in 0..<4000 {
      let isTransition = round.isMultiple(of: 2)
      var json = (isTransition ? transitions : mutations).randomElement(using: &generator) ?? []
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0..<json.count, using: &generator)
        // ASCII alone: of broken UTF-8 Foundation's decoder makes more than anybody wrote.
        json[place] = UInt8.random(in: 9...126, using: &generator)
      }
      let (quick, usual) = isTransition ? both(SyncTransition.self, json) : both(SyncMutation.self, json)
      #expect(quick == usual, "\(String(decoding: json, as: UTF8.self))")
    }
  }
}
