package import Platform

/// The kind of JSON of a sample's value.
package enum SampleKind: UInt8, Sendable, CaseIterable {
  /// A number; `Sample.value` holds it.
  case number
  /// A whole number beyond ±2⁵³: `value` holds the nearest double, the payload its digits.
  case wideInteger
  /// A truth value; `value` holds 1 for true and 0 for false.
  case bool
  /// A text; the payload holds it in UTF-8, without quotes and escapes.
  case text
  /// `null`: counted, never taken as 0.
  case null
  /// An object; the payload holds its JSON.
  case object
  /// An array; the payload holds its JSON.
  case array
}

/// One recorded value, decoded.
package struct Sample: Sendable, Equatable {
  /// When it was recorded.
  package var time: Timestamp
  /// The number, for the kinds that have one, else 0.
  package var value: Double
  /// Where its line begins, in bytes from the start of its file.
  package var offset: UInt64
  var payloadStart: UInt32
  var payloadCount: UInt32
  /// The metric, by its number in the scanner's catalogue.
  package var metric: MetricID
  /// The kind of the value.
  package var kind: SampleKind
}

/// Samples in the order of their lines, with the bytes of those values that are no plain numbers.
package struct SampleBatch: Sendable {
  /// The samples, oldest line first.
  package internal(set) var samples: [Sample] = []
  /// The payloads of all samples, one after the other.
  package internal(set) var payload: [UInt8] = []

  package init() {}

  /// The bytes that belong to a sample of this batch; see `SampleKind` for what they are.
  package func payload(of sample: Sample) -> ArraySlice<UInt8> {
    let start = min(Int(sample.payloadStart), payload.count)
    return payload[start..<min(start + Int(sample.payloadCount), payload.count)]
  }

  /// Takes in the samples of another batch behind its own; those whose values would not fit any more lose them.
  package mutating func append(_ other: SampleBatch) {
    let start = payload.count
    guard start > 0, !other.payload.isEmpty else {
      samples += other.samples
      payload += other.payload
      return
    }
    payload += other.payload
    for var sample in other.samples {
      sample.payloadStart = UInt32(clamping: Int(sample.payloadStart) + start)
      samples.append(sample)
    }
  }

  /// Empties the batch, keeping its memory.
  package mutating func removeAll() {
    samples.removeAll(keepingCapacity: true)
    payload.removeAll(keepingCapacity: true)
  }
}
