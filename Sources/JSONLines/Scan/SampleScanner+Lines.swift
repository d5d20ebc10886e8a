import Codecs
import Platform

// Slower readers that take one line at a time.
extension SampleScanner {
  /// Reads a record as a JSON object of any layout; Foundation gets what is too unusual for that.
  ///
  /// - Returns: `false` if the text is several records.
  mutating func scanObject(
    _ line: UnsafeRawBufferPointer, at offset: UInt64, into batch: inout SampleBatch
  ) throws(LineFault) -> Bool {
    guard let entry = EntryLine(line), let time = PlainNumber.double(entry.time), time.isFinite else {
      if LineRecords.hasSeveral(line) { return false }
      if try scanRepaired(line, at: offset, into: &batch) { return true }
      try scanUnusual(line, at: offset, into: &batch)
      return true
    }
    guard
      entry.value.hasEscapes && !Self.isPlainText(entry.value.written)
        ? decode(plain: entry.value.unescaped) : decode(base64: entry.value.written)
    else { throw LineFault(.valueNotBase64) }
    let value = try ValueText(json: scratch)
    append(value, try metric(of: entry, in: line), time, at: offset, into: &batch)
    return true
  }

  /// Reads a record with Foundation, which takes the first of repeated members, after all but the last are removed.
  private mutating func scanUnusual(
    _ line: UnsafeRawBufferPointer, at offset: UInt64, into batch: inout SampleBatch
  ) throws(LineFault) {
    // A repeated member with a bad byte must not make the rest a good line.
    guard String(validating: line, as: UTF8.self) != nil, let rest = shapes.withoutRepeated(line) else {
      return try scanWithFoundation(line, at: offset, into: &batch)
    }
    try rest.withUnsafeBytes { line in
      Result { () throws(LineFault) in try scanWithFoundation(line, at: offset, into: &batch) }
    }.get()
  }

  private mutating func scanWithFoundation(
    _ line: UnsafeRawBufferPointer, at offset: UInt64, into batch: inout SampleBatch
  ) throws(LineFault) {
    let entry = try LineEntry(foundation: line)
    guard decode(plain: entry.value) else { throw LineFault(.valueNotBase64) }
    let value = try ValueText(json: scratch)
    let identity = MetricIdentity(bucket: entry.bucket, name: entry.name, typeName: entry.typeName)
    guard let metric = catalogue.number(of: identity) else { throw LineFault(.tooManyMetrics) }
    append(value, metric, entry.time, at: offset, into: &batch)
  }

  /// The metric of an object, looked up by its head, so that strings are only created the first time.
  ///
  /// A line without a known shape has the head of its canonical form, where the quoted names are the same bytes.
  private mutating func metric(
    of entry: EntryLine, in line: UnsafeRawBufferPointer
  ) throws(LineFault) -> MetricID {
    headScratch.removeAll(keepingCapacity: true)
    var order = LineShape.Order.canonical
    if let parts = LineParts(entry, of: line, hasReturn: hasReturn), lineShapes.note(parts) {
      parts.appendHead(to: &headScratch)
      order = parts.order
    }
    if headScratch.count < HeadTable.minimumCount {
      entry.writeHead(into: &headScratch)
      order = .canonical
    }
    let known = headScratch.withUnsafeBytes { head -> MetricID? in
      guard let base = head.baseAddress else { return nil }
      return heads.withPointers { $0.metric(of: base, order, count: head.count) } ?? nil
    }
    if let known { return known }
    guard let metric = catalogue.number(of: entry.identity) else {
      throw LineFault(.tooManyMetrics)
    }
    headScratch.withUnsafeBytes { heads.insert($0, order, metric: metric) }
    return metric
  }

  /// True if a string needs no unescaping except for `\\/`, the only escape that Base64 may contain.
  private static func isPlainText(_ text: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index < text.count {
      guard text[index] >= 0x20, text[index] < 0x80 else { return false }
      if text[index] == UInt8(ascii: "\\") {
        index += 1
        guard index < text.count, text[index] == UInt8(ascii: "/") else { return false }
      }
      index += 1
    }
    return true
  }

  /// Decodes the Base64 of a value, which may contain escaped slashes, into `scratch`.
  private mutating func decode(base64 text: UnsafeRawBufferPointer) -> Bool {
    scratch.removeAll(keepingCapacity: scratch.capacity <= 1 << 20)
    return Base64.decode(escaped: text, into: &scratch)
  }

  /// Decodes the Base64 of an unescaped value: a remaining backslash is part of it.
  private mutating func decode(plain text: [UInt8]) -> Bool {
    scratch.removeAll(keepingCapacity: scratch.capacity <= 1 << 20)
    return text.withUnsafeBytes { Base64.decode($0, into: &scratch) }
  }

  mutating func append(
    _ value: ValueText, _ metric: MetricID, _ time: Double, at offset: UInt64, into batch: inout SampleBatch
  ) {
    var payload = batch.payload.count <= 1 << 31 ? value.payload : []
    if value.kind == .object, let rest = payload.withUnsafeBytes({ shapes.withoutRepeated($0) }) {
      payload = rest[...]
    }
    batch.samples.append(
      Sample(
        time: Timestamp(time), value: value.number, offset: offset, payloadStart: UInt32(batch.payload.count),
        payloadCount: UInt32(payload.count), metric: metric, kind: value.kind))
    batch.payload.append(contentsOf: payload)
  }
}

extension EntryLine {
  fileprivate var identity: MetricIdentity {
    MetricIdentity(bucket: bucket?.string, name: name.string, typeName: typeName.string)
  }

  /// Writes the head of a canonical line of this metric.
  fileprivate func writeHead(into head: inout [UInt8]) {
    head.removeAll(keepingCapacity: true)
    JSONWriter.append("{\"metric\":{", to: &head)
    if let bucket {
      JSONWriter.append("\"bucket\":\"", to: &head)
      head.append(contentsOf: bucket.written)
      JSONWriter.append("\",", to: &head)
    }
    JSONWriter.append("\"name\":\"", to: &head)
    head.append(contentsOf: name.written)
    JSONWriter.append("\",\"valueTypeString\":\"", to: &head)
    head.append(contentsOf: typeName.written)
    JSONWriter.append("\"},\"timestamp\":", to: &head)
  }
}
