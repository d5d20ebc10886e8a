import Codecs

// Logs of databases, libraries and systems.
extension NestedSink {
  /// Adds the members of an object to a payload: as written, without those that are left out, with numbers that only
  /// identify something as strings.
  private func write(
    _ object: Int, without: [StaticString], names: [StaticString], _ writer: inout ObjectWriter,
    _ payload: inout [UInt8]
  ) {
    func isAny(_ key: Int, of words: [StaticString]) -> Bool {
      words.contains { view.tape.equals(key, $0, in: view.line) }
    }
    view.tape.forEachMember(of: object) { key, value in
      guard !isAny(key, of: without) else { return }
      writer.key(view.tape.bytes(key, in: view.line), prefix: "", to: &payload)
      if view.kind(value) == .number, isAny(key, of: names) {
        writer.quote(view.json(value), to: &payload)
      } else {
        payload.append(contentsOf: view.json(value))
      }
    }
  }

  /// MongoDB 4.4 and later: `{"t":{"$date":…},"s":"I","c":"COMMAND",…,"attr":{…}}`.
  mutating func readMongoDB(_ payload: inout [UInt8]) -> Bool {
    guard let date = view.member("t", "$date") else { return false }
    let sink = self
    add(
      .mongodb, time: time(date), name: .written(view.text(view.member("c"))), at: 0, &payload
    ) { writer, payload in
      sink.write(0, without: ["t", "c"], names: ["id"], &writer, &payload)
    }
    return true
  }

  /// loguru with `serialize=True`: `{"text":…,"record":{…,"time":{"repr":…,"timestamp":…}}}`.
  mutating func readLoguru(_ payload: inout [UInt8]) -> Bool {
    guard let record = view.member("record"), let timestamp = view.member("time", "timestamp", of: record)
    else { return false }
    let sink = self
    add(
      .loguru, time: time(timestamp), name: .written(view.text(view.member("name", of: record))), at: 0,
      &payload
    ) { writer, payload in
      let view = sink.view
      for part in ["level", "process", "thread"] as [StaticString] {
        writer.add(part, view.member(part, "name", of: record), of: view, to: &payload)
      }
      writer.add("file", view.member("file", "name", of: record), of: view, to: &payload)
      writer.add("elapsed_s", view.member("elapsed", "seconds", of: record), of: view, to: &payload)
      sink.write(
        record, without: ["time", "name", "level", "process", "thread", "file", "elapsed", "exception"],
        names: ["line"], &writer, &payload)
    }
    return true
  }

  /// log4j2's JSON layouts: `instant` with seconds and nanoseconds, or `timeMillis`.
  mutating func readLog4j2(_ payload: inout [UInt8]) -> Bool {
    var stamp = time(view.member("timeMillis"), .milliseconds)
    if let seconds = view.whole(view.member("instant", "epochSecond")) {
      let nanoseconds = view.whole(view.member("instant", "nanoOfSecond")) ?? 0
      stamp = MomentText.seconds(since1970: seconds, .seconds).map { $0 + Double(nanoseconds) / 1e9 }
    }
    let sink = self
    add(
      .log4j2, time: stamp, name: .written(view.text(view.member("loggerName"))), at: 0, &payload
    ) { writer, payload in
      sink.write(
        0, without: ["instant", "timeMillis", "loggerName", "endOfBatch", "loggerFqcn"],
        names: ["threadId", "threadPriority"], &writer, &payload)
    }
    return true
  }

  /// `log show --style ndjson`: the bucket is the subsystem, the name the category or the signpost.
  ///
  /// The end of a signpost's interval has its duration if its beginning was read.
  mutating func readUnifiedLog(_ payload: inout [UInt8]) -> Bool {
    let stamp = time(view.member("timestamp"))
    let signpost = view.text(view.member("signpostName"))
    let duration = stamp.flatMap { interval(endingAt: $0) }
    let sink = self
    add(
      .unifiedLog, time: stamp, bucket: view.text(view.member("subsystem")),
      name: .written(signpost ?? view.text(view.member("category"))), at: 0, &payload
    ) { writer, payload in
      if let duration { writer.add("duration_ms", duration, to: &payload) }
      sink.write(
        0,
        without: [
          "timestamp", "subsystem", "signpostName", "backtrace", "machTimestamp", "traceID", "timezoneName",
          "bootUUID", "processImageUUID", "senderImageUUID", "senderProgramCounter", "formatString", "source",
        ] + (signpost == nil ? ["category"] : []),
        names: [
          "userID", "activityIdentifier", "parentActivityIdentifier", "creatorActivityID", "threadID",
          "processID", "signpostID",
        ], &writer, &payload)
    }
    return true
  }

  /// The length of a signpost's interval in milliseconds; `nil` if this is not the end of one.
  private mutating func interval(endingAt time: Double) -> Double? {
    guard let type = view.member("signpostType"), let id = view.member("signpostID") else { return nil }
    var key: [UInt8] = []
    for place in [id, view.member("signpostName"), view.member("subsystem"), view.member("processID")] {
      key += place.map { Array(view.json($0)) } ?? []
      key.append(0)
    }
    if view.tape.equals(type, "begin", in: view.line) { memory.begin(key, at: time) }
    guard view.tape.equals(type, "end", in: view.line), let start = memory.end(key) else { return nil }
    // Times of day are known to the microsecond.
    return max(0, ((time - start) * 1e6).rounded() / 1e3)
  }

  /// `journalctl -o json`, where each value is a string.
  mutating func readJournal(_ payload: inout [UInt8]) -> Bool {
    let stamp = time(view.member("__REALTIME_TIMESTAMP"), .microseconds)
    let name = view.text(view.member("SYSLOG_IDENTIFIER")) ?? view.text(view.member("_COMM"))
    let view = view
    add(.journald, time: stamp, name: .written(name), at: 0, &payload) { writer, payload in
      if let level = JournalFields.level(view) { writer.add("level", text: level, to: &payload) }
      if let message = view.member("MESSAGE"), view.kind(message) == .text {
        writer.add("message", message, of: view, to: &payload)
      }
      for (field, name) in JournalFields.kept {
        writer.add(name, view.member(field), of: view, to: &payload)
      }
    }
    return true
  }
}

/// The fields of a journal entry that become dimensions.
enum JournalFields {
  static let kept: [(field: StaticString, name: StaticString)] = [
    ("_HOSTNAME", "host"), ("_SYSTEMD_UNIT", "unit"), ("_PID", "pid"), ("CONTAINER_NAME", "container"),
    ("_TRANSPORT", "transport"),
  ]

  private static let levels: [StaticString] = [
    "emerg", "alert", "crit", "error", "warn", "notice", "info", "debug",
  ]

  static func level(_ view: TapeView) -> StaticString? {
    guard let priority = view.whole(view.member("PRIORITY")), levels.indices.contains(priority) else {
      return nil
    }
    return levels[priority]
  }
}
