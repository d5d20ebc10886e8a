import Codecs

// Load tests and benchmarks.
extension NestedSink {
  /// `k6 run --out json=…`: one point a line; the declarations of metrics hold no sample.
  ///
  /// The units of k6's own metrics are known by their names; a point does not say its unit.
  mutating func readK6(_ payload: inout [UInt8]) -> Bool {
    guard let type = view.member("type"), let data = view.member("data") else { return false }
    if view.tape.equals(type, "Metric", in: view.line) { return true }
    guard view.tape.equals(type, "Point", in: view.line), let value = view.member("value", of: data),
      let metric = view.text(view.member("metric"))
    else { return false }
    let view = view
    let field = Self.k6Field(metric)
    add(
      .k6, time: time(view.member("time", of: data)), name: .written(metric), at: data, &payload
    ) { writer, payload in
      writer.add(field, value, of: view, to: &payload)
      writer.addTags(
        of: view.member("tags", of: data), view, prefix: "tags.",
        taken: { view.tape.equals($0, field, in: view.line) }, to: &payload)
    }
    return true
  }

  private static func k6Field(_ metric: UnsafeRawBufferPointer) -> StaticString {
    let name = String(decoding: metric, as: UTF8.self)
    switch name {
    case "http_reqs", "http_req_failed", "iterations", "checks": return "value"
    case "data_sent", "data_received": return "bytes"
    default:
      let isTime =
        name.hasPrefix("http_req_") || name.hasSuffix("_duration") || name == "ws_connecting"
        || name == "ws_ping" || name.hasPrefix("browser_web_vital_") && !name.hasSuffix("_cls")
      return isTime ? "ms" : "value"
    }
  }

  /// `hyperfine --export-json`: each run of a command is a sample.
  ///
  /// The export has no time, so the runs follow one another from the start of 2001.
  mutating func readHyperfine(_ payload: inout [UInt8]) -> Bool {
    let results = view.elements(view.member("results"))
    guard results.contains(where: { view.member("command", of: $0) != nil }) else { return false }
    var clock = 0.0
    for result in results {
      let name = Name.written(view.text(view.member("command", of: result)))
      let runs = view.elements(view.member("times", of: result))
      let columns = [
        Column("user_s", "user_times", of: result, view),
        Column("system_s", "system_times", of: result, view),
        Column("memory_bytes", "memory_usage_byte", of: result, view),
        Column("exit_code", "exit_codes", isName: true, of: result, view),
      ]
      for (index, run) in runs.enumerated() {
        guard let seconds = view.number(run) else { continue }
        addRun(run, index, columns, of: result, name, time: clock, &payload)
        clock += min(max(0, seconds), 1e6)
      }
      if runs.isEmpty { addSummary(.hyperfine, name, result, of: result, time: clock, &payload) }
    }
    return true
  }

  /// The figures of all runs, an element for each.
  private struct Column {
    let name: StaticString
    /// True for numbers that stand for something.
    let isName: Bool
    let values: [Int]

    init(
      _ name: StaticString, _ member: StaticString, isName: Bool = false, of result: Int, _ view: TapeView
    ) {
      (self.name, self.isName) = (name, isName)
      values = view.elements(view.member(member, of: result))
    }
  }

  private mutating func addRun(
    _ run: Int, _ index: Int, _ columns: [Column], of result: Int, _ name: Name, time: Double,
    _ payload: inout [UInt8]
  ) {
    let view = view
    add(.hyperfine, time: time, name: name, at: run, &payload) { writer, payload in
      writer.add("time_s", run, of: view, to: &payload)
      for column in columns where index < column.values.count {
        let value = column.values[index]
        if column.isName, view.kind(value) == .number {
          writer.add(column.name, quoted: view.json(value), to: &payload)
        } else {
          writer.add(column.name, value, of: view, to: &payload)
        }
      }
      writer.addTags(
        of: view.member("parameters", of: result), view, prefix: "", taken: { _ in false }, to: &payload)
    }
  }

  /// `pytest --benchmark-json`: each round of a benchmark is a sample; without the rounds, its figures are one.
  mutating func readPytest(_ payload: inout [UInt8]) -> Bool {
    let stamp = time(view.member("datetime"))
    for benchmark in view.elements(view.member("benchmarks")) {
      guard let stats = view.member("stats", of: benchmark) else { continue }
      let name = Name.written(view.text(view.member("name", of: benchmark)))
      var elapsed = 0.0
      let rounds = view.elements(view.member("data", of: stats))
      let view = view
      for round in rounds {
        guard let seconds = view.number(round) else { continue }
        add(
          .pytestBenchmark, time: stamp.map { $0 + elapsed }, name: name, at: round, &payload
        ) { writer, payload in
          writer.add("time_s", round, of: view, to: &payload)
          writer.add("group", view.member("group", of: benchmark), of: view, to: &payload)
          writer.add("commit", view.member("commit_info", "id"), of: view, to: &payload)
          writer.add("branch", view.member("commit_info", "branch"), of: view, to: &payload)
          writer.addTags(
            of: view.member("params", of: benchmark), view, prefix: "", taken: { _ in false }, to: &payload)
        }
        elapsed += min(max(0, seconds), 1e6)
      }
      if rounds.isEmpty { addSummary(.pytestBenchmark, name, benchmark, of: stats, time: stamp, &payload) }
    }
    return true
  }

  /// Adds the figures of a benchmark whose single runs were not exported.
  private mutating func addSummary(
    _ format: ForeignFormat, _ name: Name, _ place: Int, of stats: Int, time: Double?,
    _ payload: inout [UInt8]
  ) {
    let view = view
    add(format, time: time, name: name, at: place, &payload) { writer, payload in
      for figure in ["mean", "median", "stddev", "min", "max"] as [StaticString] {
        writer.add(figure, view.member(figure, of: stats), of: view, to: &payload)
      }
    }
  }

  /// Locust's `--json`: the figures of one request name.
  mutating func readLocust(_ payload: inout [UInt8]) -> Bool {
    guard let requests = view.number(view.member("num_requests")) else { return false }
    let view = view
    add(
      .locust, time: time(view.member("last_request_timestamp"), .seconds),
      name: .written(view.text(view.member("name"))), at: 0, &payload
    ) { writer, payload in
      writer.add("requests", view.member("num_requests"), of: view, to: &payload)
      writer.add("failures", view.member("num_failures"), of: view, to: &payload)
      if requests > 0, let total = view.number(view.member("total_response_time")) {
        writer.add("mean_ms", total / requests, to: &payload)
      }
      writer.add("min_ms", view.member("min_response_time"), of: view, to: &payload)
      writer.add("max_ms", view.member("max_response_time"), of: view, to: &payload)
      writer.add("method", view.member("method"), of: view, to: &payload)
    }
    return true
  }
}
