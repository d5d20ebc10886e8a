import Codecs
import Platform

/// Reads results of load tests in comma-separated values: JMeter's JTL, and Locust's history of statistics.
///
/// The header names the columns. A part of a file that begins after it is read by the number of its columns, as the
/// programs write them without any settings.
struct ResultTable: Sendable {
  /// The meaning of a column.
  enum Role: Sendable { case time, name, number, text, none }

  struct Column: Sendable {
    let role: Role
    let field: String
  }

  struct Layout: Sendable {
    let format: ForeignFormat
    let columns: [Column]

    init(_ format: ForeignFormat, _ names: [String]) {
      self.format = format
      columns = names.map { name in
        ResultTable.known[name] ?? Column(role: format == .jmeter ? .text : .number, field: name)
      }
    }
  }

  private var header: Layout?

  /// Forgets the header, because reading continues elsewhere.
  mutating func restart() { header = nil }

  /// Reads a line; `false` if it is not of such a table.
  ///
  /// - Throws: `LineFault` if there are too many metrics, or the time cannot be read.
  mutating func read(
    _ line: UnsafeRawBufferPointer, at offset: UInt64, _ catalogue: inout MetricCatalogue,
    into batch: inout SampleBatch
  ) throws(LineFault) -> Bool {
    if let format = Self.format(ofHeader: line) {
      header = Layout(format, Self.fields(line))
      return true
    }
    guard Self.mayBeRow(line) else { return false }
    let fields = Self.fields(line)
    guard let layout = Self.layout(of: fields, header) else { return false }
    var (time, name) = (Double?.none, "")
    for (column, text) in zip(layout.columns, fields) {
      if column.role == .time { time = Int(text).flatMap { MomentText.seconds(since1970: $0, .automatic) } }
      if column.role == .name { name = text }
    }
    guard let time else { throw LineFault(.unreadableTime) }
    let identity = MetricIdentity(
      bucket: nil, name: name.isEmpty ? layout.format.metricName : name, typeName: layout.format.typeName)
    guard let metric = catalogue.number(of: identity) else { throw LineFault(.tooManyMetrics) }
    let start = batch.payload.count
    if start <= 1 << 31 { Self.write(zip(layout.columns, fields), to: &batch.payload) }
    batch.samples.append(
      Sample(
        time: Timestamp(time), value: 0, offset: offset, payloadStart: UInt32(clamping: start),
        payloadCount: UInt32(clamping: batch.payload.count - start), metric: metric, kind: .object))
    return true
  }

  private static func write(_ values: Zip2Sequence<[Column], [String]>, to payload: inout [UInt8]) {
    payload.append(UInt8(ascii: "{"))
    var isFirst = true
    for (column, text) in values where column.role == .number || column.role == .text {
      let isNumber = column.role == .number && Self.isNumber(text)
      // Locust writes N/A for a figure that it does not have yet.
      guard isNumber || column.role == .text && !text.isEmpty else { continue }
      if !isFirst { payload.append(UInt8(ascii: ",")) }
      isFirst = false
      JSONWriter.append(text: column.field, to: &payload)
      payload.append(UInt8(ascii: ":"))
      if isNumber {
        payload.append(contentsOf: text.utf8)
      } else {
        JSONWriter.append(text: text, to: &payload)
      }
    }
    payload.append(UInt8(ascii: "}"))
  }

  private static func isNumber(_ text: String) -> Bool {
    Array(text.utf8).withUnsafeBytes { LineLexer.isNumber($0) }
  }

  // MARK: Lines

  private static func format(ofHeader line: UnsafeRawBufferPointer) -> ForeignFormat? {
    if line.starts(with: "timeStamp,elapsed,".utf8) { return .jmeter }
    return line.starts(with: "Timestamp,User Count,Type,Name,".utf8) ? .locust : nil
  }

  /// True if the line begins with a number of seconds or milliseconds since 1970 and a comma.
  private static func mayBeRow(_ line: UnsafeRawBufferPointer) -> Bool {
    guard let comma = line.prefix(14).firstIndex(of: UInt8(ascii: ",")), comma == 10 || comma == 13 else {
      return false
    }
    return line[..<comma].allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
  }

  /// The layout of a row: that of the header, or a usual one with as many columns.
  private static func layout(of fields: [String], _ header: Layout?) -> Layout? {
    if let header { return header.columns.count == fields.count ? header : nil }
    if fields.count == 17, ["true", "false"].contains(fields[7]) { return jmeter }
    if fields.count == 16, ["true", "false"].contains(fields[7]) { return jmeterWithoutURL }
    return fields.count == locust.columns.count && fields[0].utf8.count == 10 ? locust : nil
  }

  /// The fields of a line; a quoted one may have commas and doubled quotes.
  private static func fields(_ line: UnsafeRawBufferPointer) -> [String] {
    var (fields, field, isQuoted): ([String], [UInt8], Bool) = ([], [], false)
    var place = 0
    while place < line.count {
      let byte = line[place]
      place += 1
      if byte == UInt8(ascii: "\"") {
        if isQuoted, place < line.count, line[place] == byte {
          field.append(byte)
          place += 1
        } else {
          isQuoted.toggle()
        }
      } else if byte == UInt8(ascii: ","), !isQuoted {
        fields.append(String(decoding: field, as: UTF8.self))
        field.removeAll(keepingCapacity: true)
      } else {
        field.append(byte)
      }
    }
    return fields + [String(decoding: field, as: UTF8.self)]
  }
}

// MARK: Columns

extension ResultTable {
  fileprivate static let jmeterNames = [
    "timeStamp", "elapsed", "label", "responseCode", "responseMessage", "threadName", "dataType", "success",
    "failureMessage", "bytes", "sentBytes", "grpThreads", "allThreads", "URL", "Latency", "IdleTime",
    "Connect",
  ]
  fileprivate static let jmeter = Layout(.jmeter, jmeterNames)
  fileprivate static let jmeterWithoutURL = Layout(.jmeter, jmeterNames.filter { $0 != "URL" })
  fileprivate static let locust = Layout(
    .locust,
    [
      "Timestamp", "User Count", "Type", "Name", "Requests/s", "Failures/s", "50%", "66%", "75%", "80%",
      "90%",
      "95%", "98%", "99%", "99.9%", "99.99%", "100%", "Total Request Count", "Total Failure Count",
      "Total Median Response Time", "Total Average Response Time", "Total Min Response Time",
      "Total Max Response Time", "Total Average Content Size",
    ])

  /// Fields whose names tell their units, and the names of the other columns.
  fileprivate static let known: [String: Column] = {
    var known: [String: Column] = [
      "timeStamp": Column(role: .time, field: ""), "label": Column(role: .name, field: ""),
      "Timestamp": Column(role: .time, field: ""), "Name": Column(role: .name, field: ""),
      "Type": Column(role: .text, field: "method"),
    ]
    let numbers = [
      "elapsed": "elapsed_ms", "bytes": "bytes", "sentBytes": "sent_bytes", "grpThreads": "group_threads",
      "allThreads": "threads", "Latency": "latency_ms", "IdleTime": "idle_ms", "Connect": "connect_ms",
      "User Count": "users", "Requests/s": "requests_per_s", "Failures/s": "failures_per_s",
      "Total Request Count": "requests", "Total Failure Count": "failures",
      "Total Median Response Time": "median_ms", "Total Average Response Time": "mean_ms",
      "Total Min Response Time": "min_ms", "Total Max Response Time": "max_ms",
      "Total Average Content Size": "mean_bytes", "50%": "p50_ms", "66%": "p66_ms", "75%": "p75_ms",
      "80%": "p80_ms", "90%": "p90_ms", "95%": "p95_ms", "98%": "p98_ms", "99%": "p99_ms",
      "99.9%": "p99_9_ms", "99.99%": "p99_99_ms", "100%": "p100_ms",
    ]
    for (name, field) in numbers { known[name] = Column(role: .number, field: field) }
    return known
  }()
}
