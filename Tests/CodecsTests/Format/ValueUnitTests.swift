import Foundation
import Platform
import Testing

@testable import Codecs

@Suite("Units of values")
struct ValueUnitTests {
  @Test(
    "the end of a name says the unit",
    arguments: [
      ("rpc_ns", .nanoseconds), ("rpc_us", .microseconds), ("rpc_ms", .milliseconds), ("rpc_s", .seconds),
      ("rpc_seconds", .seconds), ("idle_min", .minutes), ("size_bytes", .bytes), ("size_kb", .kilobytes),
      ("size_mb", .megabytes), ("size_gb", .gigabytes), ("size_kib", .kibibytes), ("size_mib", .mebibytes),
      ("size_gib", .gibibytes), ("battery_percent", .percent), ("hit_ratio", .ratio),
      ("req_per_s", .perSecond),
      ("clock_hz", .hertz), ("queue_count", .plain),
      // Alone, as the field of a struct.
      ("ms", .milliseconds), ("us", .microseconds), ("seconds", .seconds), ("bytes", .bytes),
      ("ratio", .ratio),
      ("per_s", .perSecond), ("outer.ms", .milliseconds), ("outer.inner_us", .microseconds),
      ("v1.2.ms", .milliseconds),
      // In camel case.
      ("durationMs", .milliseconds), ("elapsedMillis", .milliseconds), ("http.waitNanos", .nanoseconds),
      ("bodyBytes", .bytes), ("latencyMin", .plain), ("mapS", .plain), ("IDMs", .plain), ("Ms", .plain),
      // Megabytes per second are no number of events.
      ("mb_per_s", .plain), ("disk_bytes_per_s", .plain),
      // A minimum.
      ("min", .plain), ("rtt_ms_min", .milliseconds), ("size_bytes_min", .bytes), ("a_ms.min", .plain),
      // None.
      ("", .plain), ("forms", .plain), ("status", .plain), ("rpc_MS", .plain), ("ms_total", .plain),
      ("_", .plain),
      ("uppers", .plain), ("super_s", .seconds), ("x.", .plain), ("latencyms", .plain),
      // Moments.
      ("created_at", .moment), ("createdAt", .moment), ("expiry_date", .moment), ("startDate", .moment),
      ("timestamp", .moment), ("start_time", .unixTime), ("uptime", .unixTime), ("startTime", .unixTime),
      ("flat", .plain), ("at", .plain),
    ] as [(String, ValueUnit)])
  func names(name: String, unit: ValueUnit) {
    #expect(ValueUnit(name: name) == unit)
  }

  @Test(
    "a value and its unit have columns of their own, each figure in five at most",
    arguments: [
      (.milliseconds, 2170, "2.17", "s"), (.milliseconds, 0.516, "516", "µs"), (.milliseconds, 0, "0", "ms"),
      (.bytes, 53e6, "53.0", "MB"), (.bytes, 512, "512", "B"), (.kibibytes, 2048, "2.10", "MB"),
      (.percent, 63, "63", "%"), (.ratio, 0.071, "7.10", "%"), (.perSecond, 1234, "1.23k", "/s"),
      (.hertz, 59.9, "59.9", "Hz"), (.plain, 14_230, "14.2k", ""), (.plain, -3, "-3", ""),
      (.milliseconds, .infinity, "?", ""),
    ] as [(ValueUnit, Double, String, String)])
  func parts(unit: ValueUnit, value: Double, number: String, sign: String) {
    let parts = unit.parts(value, width: 5)
    #expect(parts.number == number && parts.unit == sign, "\(parts)")
  }

  @Test("no figure takes more than its five columns, however large or small it is")
  func narrow() {
    for unit in [ValueUnit.milliseconds, .seconds, .bytes, .percent, .perSecond, .hertz, .plain] {
      for exponent in stride(from: -320.0, through: 308, by: 7) {
        for value in [1.2345, -9.876].map({ $0 * pow(10, exponent) }) {
          let parts = unit.parts(value, width: 5)
          #expect(parts.number.count + parts.unit.count <= 8, "\(unit) \(value): \(parts)")
        }
      }
    }
  }

  @Test("every word is found at the end of a name, and most alone")
  func words() {
    for (word, unit) in ValueUnit.words {
      #expect(ValueUnit(endOf: "some_" + word) == unit)
      #expect(ValueUnit(endOf: word) == (word == "min" ? nil : unit))
    }
    #expect(ValueUnit(endOf: "plain") == nil)
  }

  @Test(
    "a value is written in the unit that reads best",
    arguments: [
      (.nanoseconds, 183, "183ns"), (.nanoseconds, 1_500, "1.50µs"), (.nanoseconds, 2e9, "2.00s"),
      (.microseconds, 42, "42µs"), (.microseconds, 5_980, "5.98ms"), (.microseconds, 0.25, "250ns"),
      (.milliseconds, 253, "253ms"), (.seconds, 0, "0ms"), (.minutes, 1.5, "90.0s"), (.minutes, 126, "2.1h"),
      (.bytes, 4_100_000, "4.10M"), (.kilobytes, 4.1, "4.10k"), (.megabytes, 4.1, "4.10M"),
      (.gigabytes, 2, "2.00G"),
      (.kibibytes, 1, "1.02k"), (.mebibytes, 1, "1.05M"), (.gibibytes, 1, "1.07G"),
      (.percent, 63, "63%"), (.ratio, 0.63, "63%"), (.ratio, 1.78, "178%"), (.ratio, 0.07, "7%"),
      (.ratio, 0.0042, "0.420%"),
      (.perSecond, 1_200, "1.20k/s"), (.hertz, 50, "50Hz"), (.hertz, 2.4e9, "2.40GHz"),
      (.thousands, 3, "3.00k"),
      (.plain, 817_000_000, "817M"), (.ratio, .nan, "?"), (.moment, .infinity, "?"),
    ] as [(ValueUnit, Double, String)])
  func texts(unit: ValueUnit, value: Double, text: String) {
    #expect(unit.text(value) == text)
  }

  static let moments: [(ValueUnit, Double, Double?)] = [
    (.unixTime, 1_795_270_320, 1_795_270_320), (.unixTime, 1_795_270_320_500, 1_795_270_320.5),
    (.moment, 1_795_270_320, 1_795_270_320), (.moment, 816_963_120, 1_795_270_320),
    // A duration in nanoseconds, a count, what no one would take for a moment.
    (.unixTime, 816_963_120, nil), (.moment, 12, nil), (.unixTime, 5e15, nil), (.moment, -816_963_120, nil),
    (.moment, 1_136_073_600, 1_136_073_600), (.unixTime, 1_136_073_599, nil), (.unixTime, 2_429_913_601, nil),
    (.plain, 1_795_270_320, nil), (.seconds, 1_795_270_320, nil), (.moment, .nan, nil), (.moment, 1e300, nil),
  ]

  @Test("a figure of the right name and size is a moment", arguments: moments)
  func recognized(unit: ValueUnit, value: Double, seconds: Double?) {
    #expect(unit.timestamp(of: value).map { $0.seconds + Double(Timestamp.unixEpochDistance) } == seconds)
  }

  @Test("a moment is a date with its time, and less where there is less room")
  func momentTexts() {
    let moment = Timestamp(816_963_120)
    #expect(ValueUnit.text(of: moment, in: .utc) == "2026-11-21 14:12")
    // In whatever zone the tests run.
    let text = ValueUnit.text(of: moment, in: .local)
    let unit = ValueUnit.moment
    #expect(unit.text(816_963_120) == text && unit.text(816_963_120, width: 16) == text)
    #expect(unit.text(816_963_120, width: 15) == String(text.prefix(10)))
    #expect(unit.text(816_963_120, width: 7) == String(text.prefix(10).suffix(5)))
    #expect(unit.bare(816_963_120, width: 6) == String(text.prefix(10).suffix(5)))
    #expect(unit.text(816_963_120, width: 4) == "817M")
    #expect(ValueUnit.unixTime.bare(1_234) == ValueUnit.plain.bare(1_234))
    #expect(ValueUnit.unixTime.text(816_963_120) == "817M")
  }

  @Test("of every unit a figure fits its columns, whatever it is")
  func widths() {
    for unit in ValueUnit.words.map(\.value) + [.moment, .unixTime, .thousands] {
      for power in -320...308 {
        let magnitude = Double("1.5e\(power)") ?? 0
        for value in [magnitude, -magnitude] {
          for width in 5...8 {
            #expect(unit.text(value, width: width).count <= width, "\(unit) \(value) \(width)")
          }
        }
      }
    }
  }
}
