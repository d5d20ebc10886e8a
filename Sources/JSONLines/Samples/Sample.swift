package import Platform

/// The kind of JSON of a sample's value.
package enum SampleKind: UInt8, Sendable, CaseIterable {
  /// A number; `Sample.value` holds it.
  case number
  /// A whole number beyond ±2⁵³: `value` holds the nearest double, the payload its digits.
  case wideInteger
  /// A Boolean; `value` holds 1 for true and 0 for false.
  case bool
  /// A string; the payload holds its UTF-8, without quotes and escapes.
  case text
  /// `null`: counted, but never treated as 0.
  case null
  /// An object; the payload holds its JSON.
  case object
  /// An array; the payload holds its JSON.
  case array
}

/// One recorded value, decoded.
package struct Sample: Sendable, Equatable {
  /// The time of recording.
  package var time: Timestamp
  /// The number, for kinds that have one; otherwise 0.
  package var value: Double
  /// Offset of its line, in bytes from the start of its file.
  package var offset: UInt64
  var payloadStart: UInt32
  var payloadCount: UInt32
  /// The metric, by its number in the scanner's catalogue.
  package var metric: MetricID
  /// The kind of the value.
  package var kind: SampleKind
}

/// Samples in line order, with the bytes of the values that are not plain numbers.
package struct SampleBatch: Sendable {
  /// The samples, oldest line first.
  package internal(set) var samples: [Sample] = []
  /// The payloads of all samples, concatenated.
  package internal(set) var payload: [UInt8] = []

  package init() {}

  /// The payload of a sample of this batch; see `SampleKind` for its meaning.
  package func payload(of sample: Sample) -> ArraySlice<UInt8> {
    let start = min(Int(sample.payloadStart), payload.count)
    return payload[start..<min(start + Int(sample.payloadCount), payload.count)]
  }

  /// The samples that meet a condition.
  package func filtered(_ isIncluded: (Sample) -> Bool) -> SampleBatch {
    var batch = SampleBatch()
    (batch.samples, batch.payload) = (samples.filter(isIncluded), payload)
    return batch
  }

  /// Appends the samples of another batch; values that no longer fit are dropped.
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

  /// Empties the batch but keeps its memory.
  package mutating func removeAll() {
    samples.removeAll(keepingCapacity: true)
    payload.removeAll(keepingCapacity: true)
  }
}
