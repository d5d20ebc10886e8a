import Codecs
import Platform

/// Reads the lines of the formats in ``NestedFormat``.
///
/// A line may have many samples, such as the runs of a benchmark, or none, such as the declaration of a metric.
struct NestedReader: Sendable {
  private var tape = JSONTape()
  private var names = MetricNames()
  private var moment = MomentText()
  private var memory = NestedMemory()

  /// The zone of times without one; `nil` for UTC.
  var zone: ZoneOffsets? {
    get { moment.zone }
    set { moment.zone = newValue }
  }

  /// Forgets the cached metric numbers.
  mutating func forgetMetrics() { names = MetricNames() }

  /// Forgets earlier lines, because reading continues elsewhere.
  mutating func restart() { memory = NestedMemory() }

  /// Reads a line of a known format; `false` if it is not valid or lacks what the format needs.
  ///
  /// - Parameter outerTime: The time of what surrounds the line, used if its own cannot be read.
  /// - Throws: `LineFault` if there are too many metrics, or a time cannot be read.
  mutating func read(
    _ format: NestedFormat, _ line: UnsafeRawBufferPointer, at offset: UInt64, outerTime: Double?,
    _ catalogue: inout MetricCatalogue, into batch: inout SampleBatch
  ) throws(LineFault) -> Bool {
    guard tape.read(line) else { return false }
    var sink = NestedSink(view: TapeView(tape: tape, line: line), moment: moment, memory: memory)
    guard sink.read(format, payload: &batch.payload) else { return false }
    (moment, memory) = (sink.moment, sink.memory)
    // A line yields all of its samples or none.
    let samples = batch.samples.count
    do throws(LineFault) {
      for found in sink.found { try append(found, sink.view, offset, outerTime, &catalogue, &batch) }
    } catch {
      batch.samples.removeLast(batch.samples.count - samples)
      batch.payload.removeLast(batch.payload.count - sink.payloadStart)
      throw error
    }
    return true
  }

  private mutating func append(
    _ found: NestedSink.Found, _ view: TapeView, _ offset: UInt64, _ outerTime: Double?,
    _ catalogue: inout MetricCatalogue, _ batch: inout SampleBatch
  ) throws(LineFault) {
    guard let time = found.time ?? outerTime else { throw LineFault(.unreadableTime) }
    let metric: MetricID
    switch found.name {
    case .written(let name):
      metric = try names.number(
        name, hasEscapes: name?.contains(UInt8(ascii: "\\")) ?? false, bucket: found.bucket,
        found.format.metricName, found.format.typeName, &catalogue)
    case .text(let name):
      let bucket = found.bucket.map { String(decoding: $0, as: UTF8.self) }
      let identity = MetricIdentity(bucket: bucket, name: name, typeName: found.format.typeName)
      guard let number = catalogue.number(of: identity) else { throw LineFault(.tooManyMetrics) }
      metric = number
    }
    batch.samples.append(
      Sample(
        time: Timestamp(time), value: 0, offset: offset &+ UInt64(found.position),
        payloadStart: UInt32(clamping: found.payload.lowerBound),
        payloadCount: UInt32(clamping: found.payload.count), metric: metric, kind: .object))
  }
}

/// Knowledge from earlier lines of the same file.
///
/// It adds to samples, but seldom decides whether there is one.
struct NestedMemory: Sendable {
  /// Maximum open intervals remembered.
  private static let intervalLimit = 1024

  /// The benchmark whose name `go test` wrote on an earlier line.
  var benchmark: String?
  /// The start times of open signpost intervals.
  private var intervals: [[UInt8]: Double] = [:]

  mutating func begin(_ interval: [UInt8], at time: Double) {
    guard intervals.count < Self.intervalLimit else { return }
    intervals[interval] = time
  }

  /// The start of an interval that ends.
  mutating func end(_ interval: [UInt8]) -> Double? { intervals.removeValue(forKey: interval) }
}

/// Collects the samples of one line.
struct NestedSink {
  enum Name {
    /// A name as it is written in the line; `nil` for the format's own.
    case written(UnsafeRawBufferPointer?)
    case text(String)
  }

  struct Found {
    let format: ForeignFormat
    let time: Double?
    let bucket: UnsafeRawBufferPointer?
    let name: Name
    /// Position in the line, different for each sample.
    let position: Int
    let payload: Range<Int>
  }

  let view: TapeView
  var moment: MomentText
  var memory: NestedMemory
  private(set) var found: [Found] = []
  private(set) var payloadStart = 0

  init(view: TapeView, moment: MomentText, memory: NestedMemory) {
    (self.view, self.moment, self.memory) = (view, moment, memory)
  }

  /// Reads the line; `false` if it lacks what the format needs.
  mutating func read(_ format: NestedFormat, payload: inout [UInt8]) -> Bool {
    payloadStart = payload.count
    switch format {
    case .mongodb: return readMongoDB(&payload)
    case .loguru: return readLoguru(&payload)
    case .log4j2: return readLog4j2(&payload)
    case .unifiedLog: return readUnifiedLog(&payload)
    case .journald: return readJournal(&payload)
    case .emf: return readEMF(&payload)
    case .k6: return readK6(&payload)
    case .goTest: return readGoTest(&payload)
    case .hyperfine: return readHyperfine(&payload)
    case .pytestBenchmark: return readPytest(&payload)
    case .locust: return readLocust(&payload)
    case .unifiedLogEnd: return true
    }
  }

  /// Adds a sample whose payload `write` appends as the members of an object.
  mutating func add(
    _ format: ForeignFormat, time: Double?, bucket: UnsafeRawBufferPointer? = nil, name: Name, at place: Int,
    _ payload: inout [UInt8], _ write: (inout ObjectWriter, inout [UInt8]) -> Void
  ) {
    let start = payload.count
    if start <= 1 << 31 {
      var object = ObjectWriter(&payload)
      write(&object, &payload)
      object.close(&payload)
    }
    found.append(
      Found(
        format: format, time: time, bucket: bucket, name: name, position: Int(view.tape.nodes[place].start),
        payload: start..<payload.count))
  }

  /// The time held by a value, in seconds since 2001.
  mutating func time(_ place: Int?, _ form: LineMapping.TimeForm = .automatic) -> Double? {
    guard let place else { return nil }
    let text = view.tape.bytes(place, in: view.line)
    switch view.kind(place) {
    case .number: return moment.seconds(digits: text, form)
    case .text: return moment.seconds(text: text, form)
    case .key, .bool, .null, .object, .array: return nil
    }
  }
}
