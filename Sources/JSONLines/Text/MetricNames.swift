import Codecs

/// The numbers of recently seen metrics, keyed by the bytes of their names.
///
/// A log has few loggers, and decoding a name from every line would cost more than reading the line.
struct MetricNames: Sendable {
  private struct Slot: Sendable {
    var name: [UInt8]
    var bucket: [UInt8]
    var typeName: String
    var metric: MetricID
  }

  /// Allocated with the first name: most files have none.
  private var slots: [Slot?] = []

  /// The number of a metric.
  ///
  /// - Parameters:
  ///   - name: The text between its quotes; `nil` or empty for `fallback`.
  ///   - bucket: The bucket between its quotes.
  /// - Throws: `LineFault` if there are too many metrics.
  mutating func number(
    _ name: UnsafeRawBufferPointer?, hasEscapes: Bool, bucket: UnsafeRawBufferPointer?, _ fallback: String,
    _ typeName: String,
    _ catalogue: inout MetricCatalogue
  ) throws(LineFault) -> MetricID {
    let bytes = name ?? UnsafeRawBufferPointer(start: nil, count: 0)
    let bucketBytes = bucket ?? UnsafeRawBufferPointer(start: nil, count: 0)
    if slots.isEmpty { slots = Array(repeating: nil, count: 64) }
    let place = Int(truncatingIfNeeded: ContentHash.of(bytes)) & 63
    if let slot = slots[place], slot.typeName == typeName, Self.equal(slot.name, bytes),
      Self.equal(slot.bucket, bucketBytes)
    {
      return slot.metric
    }
    let text = Self.text(bytes, hasEscapes: hasEscapes)
    // Only JSON strings contain a backslash.
    let bucket = bucket.map { Self.text($0, hasEscapes: $0.contains(UInt8(ascii: "\\"))) }
    let identity = MetricIdentity(bucket: bucket, name: text.isEmpty ? fallback : text, typeName: typeName)
    guard let metric = catalogue.number(of: identity) else { throw LineFault(.tooManyMetrics) }
    slots[place] = Slot(name: Array(bytes), bucket: Array(bucketBytes), typeName: typeName, metric: metric)
    return metric
  }

  /// The string between two quotes.
  static func text(_ bytes: UnsafeRawBufferPointer, hasEscapes: Bool) -> String {
    let raw = String(decoding: bytes, as: UTF8.self)
    guard hasEscapes, let base = bytes.baseAddress else { return raw }
    let quoted = UnsafeRawBufferPointer(start: base - 1, count: bytes.count + 2)
    var tokenizer = JSONTokenizer(quoted)
    return tokenizer.string()?.string ?? raw
  }

  private static func equal(_ name: [UInt8], _ bytes: UnsafeRawBufferPointer) -> Bool {
    name.count == bytes.count && name.withUnsafeBytes { $0.elementsEqual(bytes) }
  }
}
