import Codecs
import Platform

/// Reads OpenTelemetry lines: the output of the collector's file exporter (`resourceMetrics`) and of the Python SDK's
/// `to_json` (`resource_metrics`).
///
/// Each data point, log record and span in a line becomes a sample. Its offset is its own position in the line, so no
/// two samples share one. Attributes become strings; a number without attributes is a plain number.
struct OTLPReader: Sendable {
  private var tape = JSONTape()
  private var names = MetricNames()
  private var moment = MomentText()

  /// Forgets the cached metric numbers.
  mutating func forgetMetrics() { names = MetricNames() }

  /// Reads a line; `false` if it is not valid JSON, or not OpenTelemetry.
  ///
  /// - Throws: `LineFault` if there are too many metrics, or a time cannot be read.
  mutating func read(
    _ line: UnsafeRawBufferPointer, at offset: UInt64, _ catalogue: inout MetricCatalogue,
    into batch: inout SampleBatch
  ) throws(LineFault) -> Bool {
    guard tape.read(line) else { return false }
    var walk = OTLPWalk(tape: tape, line: line)
    walk.run()
    guard walk.isKnown else { return false }
    // A line yields all of its samples or none.
    let (samples, payload) = (batch.samples.count, batch.payload.count)
    do throws(LineFault) {
      for found in walk.points { try append(found, line, offset, &catalogue, &batch) }
    } catch {
      batch.samples.removeLast(batch.samples.count - samples)
      batch.payload.removeLast(batch.payload.count - payload)
      throw error
    }
    return true
  }

  private mutating func append(
    _ found: OTLPWalk.Found, _ line: UnsafeRawBufferPointer, _ offset: UInt64,
    _ catalogue: inout MetricCatalogue, _ batch: inout SampleBatch
  ) throws(LineFault) {
    let point = OTLPPoint(found.kind, found.point, tape, line)
    guard let time = point.time.flatMap({ time(at: $0, line) }) else { throw LineFault(.unreadableTime) }
    let name = found.metric ?? point.name
    let metric = try names.number(
      name.map { tape.bytes($0, in: line) }, hasEscapes: name.map { tape.nodes[$0].hasEscapes } ?? false,
      bucket: found.service.map { tape.bytes($0, in: line) }, found.kind.rawValue, found.kind.typeName,
      &catalogue)
    let start = batch.payload.count
    var sample = Sample(
      time: Timestamp(time), value: 0, offset: offset &+ UInt64(tape.nodes[found.point].start),
      payloadStart: UInt32(clamping: start), payloadCount: 0, metric: metric, kind: .number)
    if let digits = point.plainNumber(tape, line) {
      if let usual = PlainNumber.usual(digits) {
        sample.value = usual
      } else {
        // A whole number that does not fit a double keeps its digits.
        let read = try ValueText(json: Array(digits))
        (sample.value, sample.kind) = (read.number, read.kind)
        if start <= 1 << 31 { batch.payload.append(contentsOf: read.payload) }
      }
    } else {
      if start <= 1 << 31 { point.write(tape, line, to: &batch.payload) }
      sample.kind = .object
    }
    sample.payloadCount = UInt32(clamping: batch.payload.count - start)
    batch.samples.append(sample)
  }

  private mutating func time(at place: Int, _ line: UnsafeRawBufferPointer) -> Double? {
    let text = tape.bytes(place, in: line)
    if let whole = Decimals.wholeNumber(text) { return MomentText.seconds(since1970: whole, .nanoseconds) }
    return tape.nodes[place].kind == .text ? moment.seconds(text) : nil
  }
}

/// Finds the data points of a line, and what they belong to.
struct OTLPWalk {
  struct Found {
    let kind: OTLPKind
    /// Indexes of the service name, the metric name and the point.
    let service: Int?
    let metric: Int?
    let point: Int
  }

  let tape: JSONTape
  let line: UnsafeRawBufferPointer
  private(set) var points: [Found] = []
  private(set) var isKnown = false
  private var service: Int?

  init(tape: JSONTape, line: UnsafeRawBufferPointer) {
    (self.tape, self.line) = (tape, line)
  }

  mutating func run() {
    tape.forEachMember(of: 0) { key, value in
      guard tape.nodes[value].kind == .array else { return }
      if any(key, "resourceMetrics", "resource_metrics") {
        resources(value, "scopeMetrics", "scope_metrics", "metrics", "metrics") { $0.metric($1) }
      } else if any(key, "resourceLogs", "resource_logs") {
        resources(value, "scopeLogs", "scope_logs", "logRecords", "log_records") { $0.add(.log, nil, $1) }
      } else if any(key, "resourceSpans", "resource_spans") {
        resources(value, "scopeSpans", "scope_spans", "spans", "spans") { $0.add(.span, nil, $1) }
      }
    }
  }

  @inline(__always)
  private func any(_ key: Int, _ one: StaticString, _ other: StaticString) -> Bool {
    tape.equals(key, one, in: line) || tape.equals(key, other, in: line)
  }

  /// Walks resources and scopes down to their metrics, records or spans.
  private mutating func resources(
    _ array: Int, _ scope: StaticString, _ otherScope: StaticString, _ inner: StaticString,
    _ otherInner: StaticString, _ body: (inout OTLPWalk, Int) -> Void
  ) {
    isKnown = true
    tape.forEachElement(of: array) { resource in
      service = nil
      tape.forEachMember(of: resource) { key, value in
        if tape.equals(key, "resource", in: line) { service = serviceName(of: value) }
      }
      tape.forEachMember(of: resource) { key, scopes in
        guard any(key, scope, otherScope) else { return }
        tape.forEachElement(of: scopes) { scope in
          tape.forEachMember(of: scope) { key, items in
            guard any(key, inner, otherInner) else { return }
            tape.forEachElement(of: items) { body(&self, $0) }
          }
        }
      }
    }
  }

  private mutating func metric(_ place: Int) {
    var name: Int?
    var data: (kind: OTLPKind?, place: Int)?
    tape.forEachMember(of: place) { key, value in
      if tape.equals(key, "name", in: line), tape.nodes[value].kind == .text { name = value }
      guard tape.nodes[value].kind == .object else { return }
      if let kind = kind(of: key) { data = (kind, value) }
      if tape.equals(key, "data", in: line) { data = (nil, value) }
    }
    guard let data else { return }
    tape.forEachMember(of: data.place) { key, points in
      guard any(key, "dataPoints", "data_points") else { return }
      tape.forEachElement(of: points) { add(data.kind ?? kind(ofPoint: $0, in: data.place), name, $0) }
    }
  }

  private mutating func add(_ kind: OTLPKind, _ metric: Int?, _ point: Int) {
    guard tape.nodes[point].kind == .object else { return }
    points.append(Found(kind: kind, service: service, metric: metric, point: point))
  }

  private func kind(of key: Int) -> OTLPKind? {
    if tape.equals(key, "gauge", in: line) { return .gauge }
    if tape.equals(key, "sum", in: line) { return .sum }
    if any(key, "histogram", "exponentialHistogram") { return .histogram }
    return tape.equals(key, "summary", in: line) ? .summary : nil
  }

  /// The Python SDK does not name the kind of a point: sum points have a direction, histogram points have bins.
  private func kind(ofPoint point: Int, in data: Int) -> OTLPKind {
    var kind = OTLPKind.gauge
    tape.forEachMember(of: data) { key, _ in if tape.equals(key, "is_monotonic", in: line) { kind = .sum } }
    tape.forEachMember(of: point) { key, _ in
      if any(key, "bucket_counts", "positive") { kind = .histogram }
    }
    return kind
  }

  /// The index of the service name among a resource's attributes.
  private func serviceName(of resource: Int) -> Int? {
    var found: Int?
    tape.forEachMember(of: resource) { key, attributes in
      guard tape.equals(key, "attributes", in: line) else { return }
      OTLPPoint.forEachAttribute(of: attributes, tape, line) { key, value in
        if tape.equals(key, "service.name", in: line), tape.nodes[value].kind == .text { found = value }
      }
    }
    return found
  }
}
