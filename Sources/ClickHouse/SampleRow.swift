package import JSONLines
import Platform

/// A sample as a row of the table `samples`.
///
/// A number of a sample, or of a field of a struct, is an element of `numbers`, a text or bool one of `labels`; that of
/// a plain value has the name ''. Whole numbers beyond 2^53, arrays and objects are kept as JSON as well.
package struct SampleRow {
  static let columns =
    "bucket, name, type, host, at, kind, numbers.name, numbers.value, labels.name, labels.value, json, stream, seq"

  /// Seconds from 1970 to 2001.
  static let epoch: Int64 = 978_307_200
  /// The times that the table's partitions can represent, in seconds since 1970: until 2106.
  private static let times: Range<Int64> = 0..<4_294_967_296

  /// Nanoseconds since 1970.
  package let nanoseconds: Int64
  private let sample: Sample
  private let metric: MetricIdentity
  private let payload: ArraySlice<UInt8>

  /// `nil` for a time that the table cannot represent.
  package init?(_ sample: Sample, of metric: MetricIdentity, _ payload: ArraySlice<UInt8>) {
    guard let nanoseconds = Self.nanoseconds(sample.time) else { return nil }
    (self.nanoseconds, self.sample, self.metric, self.payload) = (nanoseconds, sample, metric, payload)
  }

  /// Nanoseconds since 1970.
  ///
  /// The time of a sample is a double, and those of our century lie over 100 ns apart, so it comes back exactly. One that
  /// was written in microseconds is taken as written.
  static func nanoseconds(_ time: Timestamp) -> Int64? {
    let whole = time.seconds.rounded(.down)
    guard let seconds = Int64(exactly: whole),
      times.contains(seconds.addingReportingOverflow(epoch).partialValue)
    else { return nil }
    let fraction = time.seconds - whole
    let microseconds = (fraction * 1e6).rounded()
    let isShort = whole + microseconds / 1e6 == time.seconds
    let nanoseconds = isShort ? Int64(microseconds) * 1000 : Int64((fraction * 1e9).rounded())
    return (seconds + epoch) * 1_000_000_000 + nanoseconds
  }

  func write(to row: inout RowWriter, host: String, stream: UInt64, number: UInt64) {
    for text in [metric.bucket ?? "", metric.name, metric.typeName, host] { row.text(text) }
    row.word(nanoseconds)
    row.byte(sample.kind.rawValue)
    let (numbers, labels) = members
    row.array(numbers) { $0.text($1.name) }
    row.array(numbers) { $0.word($1.value.bitPattern) }
    row.array(labels) { $0.text($1.name) }
    row.array(labels) { $0.text($1.value) }
    row.text([.wideInteger, .array, .object].contains(sample.kind) ? payload : [])
    row.word(stream)
    row.word(number)
  }

  private typealias Members = (
    numbers: [(name: String, value: Double)], labels: [(name: String, value: String)]
  )

  private var members: Members {
    switch sample.kind {
    case .number, .wideInteger: return ([("", sample.value)], [])
    case .bool: return ([], [("", sample.value == 0 ? "false" : "true")])
    case .text: return ([], [("", String(decoding: payload, as: UTF8.self))])
    case .null, .array: return ([], [])
    case .object:
      var members: Members = ([], [])
      StructFields.forEach(in: payload) { name, value in
        switch value {
        case .number(let number): members.numbers.append((name, number))
        case .bool(let claim): members.labels.append((name, claim ? "true" : "false"))
        case .text(let text): members.labels.append((name, text))
        case .null: break
        }
      }
      return members
    }
  }
}
