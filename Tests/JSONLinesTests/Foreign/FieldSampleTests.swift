import Platform
import Testing

@testable import JSONLines

@Suite("Files as other programs leave them")
struct FieldSampleTests {
  /// Twenty lines, and the numbers that a reader by hand finds in a field.
  struct Sample: Sendable {
    let field: String
    let numbers: [Double]
    let line: @Sendable (Int) -> String
  }

  private static func pino(_ index: Int) -> String {
    #"{"level":30,"time":\#(1_795_700_000_000 + index * 1000),"pid":77,"hostname":"h","msg":"request completed","#
      + #""responseTime":\#(10 + index % 10)}"#
  }

  private static let responses = (0..<20).map { Double(10 + $0 % 10) }

  static let samples: [String: Sample] = [
    "docker": Sample(field: "responseTime", numbers: responses) { index in
      let log = pino(index).replacing("\"", with: "\\\"")
      return #"{"log":"\#(log)\n","stream":"stdout","time":"2026-11-26T13:33:20.000000000Z"}"#
    },
    "compose": Sample(field: "responseTime", numbers: responses) { "shop-1  | " + pino($0) },
    "k6": Sample(field: "ms", numbers: (0..<20).map { Double(101 + 2 * $0) }) { index in
      let data = #""type":"Point","data":{"time":"2026-11-26T13:33:20.099999905+02:00","value":"#
      return #"{"metric":"http_reqs",\#(data)1,"tags":{"status":"200"}}}"# + "\n"
        + #"{"metric":"http_req_duration",\#(data)\#(101 + 2 * index),"tags":{"status":"200"}}}"#
    },
    "mongodb": Sample(field: "attr.durationMillis", numbers: (0..<20).map { Double(100 + $0) }) { index in
      #"{"t":{"$date":"2026-11-26T13:33:20.000+00:00"},"s":"I","c":"COMMAND","id":51803,"ctx":"conn1","#
        + #""msg":"Slow query","attr":{"type":"command","ns":"db.c","durationMillis":\#(100 + index)}}"#
    },
    "bare numbers": Sample(field: "average", numbers: (0..<20).map(Double.init)) { index in
      #"{"time":"2026-11-26T13:33:20.0000000Z","resourceId":"x","metricName":"CpuPercent","average":\#(index),"#
        + #""timeGrain":"PT1M"}"#
    },
  ]

  @Test("give the numbers that are in them", arguments: samples.keys.sorted())
  func numbers(name: String) throws {
    let sample = try #require(Self.samples[name])
    let text = (0..<20).map { sample.line($0) + "\n" }.joined()
    for chunk in [Int.max, 100] {
      var (scanner, batch) = (SampleScanner(), SampleBatch())
      let bytes = Array(text.utf8)
      for start in stride(from: 0, to: bytes.count, by: min(chunk, bytes.count)) {
        bytes[start..<min(start + min(chunk, bytes.count), bytes.count)].withUnsafeBytes {
          scanner.scan($0, into: &batch)
        }
      }
      var found: [Double] = []
      for value in batch.samples {
        StructFields.forEach(in: batch.payload(of: value)) { field, value in
          if field == sample.field, case .number(let number) = value { found.append(number) }
        }
      }
      #expect(found == sample.numbers && scanner.rejections.total == 0)
      #expect(batch.samples.allSatisfy { $0.time.seconds > 800_000_000 })
    }
  }
}
