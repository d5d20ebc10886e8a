import Codecs

/// An iOS 27 report in the shape of the payloads of earlier systems.
struct ReportTranslation {
  /// The figures of one interval or one state of the app.
  struct Entry {
    /// Length in seconds; 0 if unknown.
    var duration: Double
    /// The sections of a payload.
    var sections: [String: JSONValue]
    /// The places in the report of what the sections hold.
    var origins: [[String]: [String]] = [:]
    /// The state, or the states during the interval.
    var states: [JSONValue]
  }

  /// True for the keys of a report of metrics.
  static func isMetrics(_ fields: [String: JSONValue]) -> Bool {
    ["intervalEntries", "stateEntries"].contains { fields[$0]?.isCollection == true }
  }

  /// False for members that uploaders add to a report.
  static func isKnown(_ key: String) -> Bool {
    ["intervalEntries", "stateEntries", "environment", "timeRange", "version"].contains(key)
      || DiagnosticKind(report: key) != nil
  }

  /// The payload: origin, period, and the figures of the day.
  private(set) var fields: [String: JSONValue] = [:]
  /// The parts of the day, without the day itself.
  private(set) var course: [Entry] = []
  /// The figures by state.
  private(set) var states: [Entry] = []
  /// The places in the report of what ``fields`` hold.
  private(set) var origins: [[String]: [String]] = [:]

  /// Translates a report of metrics.
  ///
  /// The longest interval is the day; the shorter ones repeat it in parts, and have no time of their own.
  init(metrics report: [String: JSONValue], _ context: inout ReadingContext) {
    var intervals = Self.entries(report["intervalEntries"], "intervalEntries", &context)
    states = Self.entries(report["stateEntries"], "stateEntries", &context)
    if let day = intervals.indices.max(by: { intervals[$0].duration < intervals[$1].duration }) {
      (fields, origins) = (intervals[day].sections, intervals[day].origins)
      fields["states"] = intervals[day].states.isEmpty ? nil : .array(intervals[day].states)
      intervals.remove(at: day)
    }
    course = intervals
    addOrigin(of: report)
    fields.merge(report.filter { !Self.isKnown($0.key) }) { first, _ in first }
  }

  /// Translates a report of diagnostics.
  init(diagnostics report: [String: JSONValue]) {
    addOrigin(of: report)
    let origin = fields["metaData"]?.fields ?? [:]
    let version = fields["appVersion"]
    (fields["metaData"], fields["appVersion"]) = (nil, nil)
    fields.merge(report.filter { !Self.isKnown($0.key) }) { first, _ in first }
    for (key, value) in report {
      guard let kind = DiagnosticKind(report: key) else { continue }
      let elements = value.elements ?? [value]
      for index in elements.indices {
        let place = value.elements == nil ? [key] : [key, String(index)]
        origins[[kind.rawValue, String(index)]] = place
        origins[[kind.rawValue, String(index), "diagnosticMetaData"]] = ["environment"]
      }
      fields[kind.rawValue] = .array(
        elements.map { element in
          guard var diagnostic = element.fields else { return element }
          diagnostic["callStackTree"] = diagnostic["callStackTree"].map(Self.callStacks)
          // Megabytes of written data are thousands of kilobytes of 1,024 bytes.
          if let written = diagnostic["totalBytesWritten"]?.fields, written["unit"]?.text == "MB",
            let number = written["value"]?.double
          {
            diagnostic["totalBytesWritten"] = .object([
              "value": .number(number * 1_024e3), "unit": .string("byte"),
            ])
          }
          let own = diagnostic["diagnosticMetaData"]?.fields ?? [:]
          diagnostic["diagnosticMetaData"] = .object(
            own.merging(origin) { own, _ in own }.merging(["appVersion": version ?? .null]) { own, _ in own })
          return .object(diagnostic)
        })
    }
  }

  private mutating func addOrigin(of report: [String: JSONValue]) {
    var origin = report["environment"]?.fields ?? [:]
    fields["appVersion"] =
      origin.removeValue(forKey: "latestApplicationVersion")
      ?? origin.removeValue(forKey: "applicationVersion")
    fields["multipleAppVersions"] = origin.removeValue(forKey: "includesMultipleApplicationVersions")
    origin["appBuildVersion"] = origin.removeValue(forKey: "applicationBuildVersion")
    if let system = origin["osVersion"]?.fields {
      let build = system["buildNumber"]?.text.map { "(\($0))" }
      let words = [system["platform"]?.text, system["number"]?.text, build].compactMap(\.self)
      origin["osVersion"] = .string(words.joined(separator: " "))
    }
    if let signposts = origin["signpostData"]?.elements {
      origin["signpostData"] = .array(signposts.map(Self.signpost))
    }
    if !origin.isEmpty { fields["metaData"] = .object(origin) }
    let range = report["timeRange"]?.fields ?? [:]
    fields["timeStampBegin"] = range["begin"].map(Self.time)
    fields["timeStampEnd"] = range["end"].map(Self.time)
  }

  /// Call stacks with the keys of payloads.
  private static func callStacks(_ json: JSONValue) -> JSONValue {
    guard var tree = json.fields, let threads = tree.removeValue(forKey: "callStackThreads")?.elements else {
      return json
    }
    tree["callStacks"] = .array(
      threads.map { thread in
        guard var stack = thread.fields else { return thread }
        stack["callStackRootFrames"] = stack.removeValue(forKey: "rootFrames")
        return .object(stack)
      })
    return .object(tree)
  }

  private static func signpost(_ json: JSONValue) -> JSONValue {
    guard var fields = json.fields, let interval = fields.removeValue(forKey: "interval")?.fields else {
      return json
    }
    fields["beginTimeStamp"] = interval["begin"].map(time)
    fields["endTimeStamp"] = interval["end"].map(time)
    return .object(fields)
  }

  /// A moment in Apple's form; numbers count from 2001 or 1970, whichever puts them after these reports came up.
  private static func time(_ json: JSONValue) -> JSONValue {
    guard let number = json.double else { return json }
    let secondsTo2001 = 978_307_200.0
    let isSince1970 = number > 1.4e9
    return PayloadTime(sinceEpoch: isSince1970 ? number : number + secondsTo2001).map {
      .string($0.description)
    } ?? json
  }

  /// The entries of an array, or of an object with an array for each domain of states.
  private static func entries(
    _ json: JSONValue?, _ key: String, _ context: inout ReadingContext
  ) -> [Entry] {
    let lists: [JSONValue] =
      switch json {
      case .array(let elements): elements
      case .object(let domains):
        domains.sorted { $0.key < $1.key }.flatMap { $0.value.elements ?? [$0.value] }
      default: []
      }
    return lists.enumerated().compactMap { index, element -> Entry? in
      var found = context.at(key) { $0.at(String(index)) { entry(element, &$0) } }
      if let origins = found?.origins { found?.origins = origins.mapValues { [key, String(index)] + $0 } }
      return found
    }
  }

  private static func entry(_ json: JSONValue, _ context: inout ReadingContext) -> Entry? {
    guard let fields = json.fields else { return context.refuse(json, "an entry of a report") }
    let unit = fields["duration"]?.fields?["unit"]?.text.flatMap {
      PayloadUnit(word: $0, dimension: .duration)
    }
    let length = fields["duration"]?.fields?["value"]?.double ?? fields["duration"]?.double ?? 0
    let duration = Quantity(value: length, unit: unit?.duration ?? .seconds).value(in: .seconds)
    let states = fields["states"]?.elements ?? fields["state"].map { [$0] } ?? []
    var entry = Entry(duration: duration, sections: [:], states: states)
    for (index, value) in (fields["values"]?.elements ?? []).enumerated() {
      for (metric, members) in value.fields ?? [:] {
        entry.add(members, of: metric, at: ["values", String(index), metric])
      }
    }
    return entry
  }
}

extension ReportTranslation.Entry {
  fileprivate mutating func add(_ metric: JSONValue, of name: String, at place: [String]) {
    if let members = ReportMember.metrics[name] {
      for member in members {
        guard let value = member.value(in: metric) else { continue }
        sections.set(value, at: member.target[...])
        origins[member.target] = place
      }
    } else if let (list, members) = ReportMember.lists[name] {
      var element: [String: JSONValue] = [:]
      for member in members {
        if let value = member.value(in: metric) { element.set(value, at: member.target[...]) }
      }
      sections[list] = .array((sections[list]?.elements ?? []) + [.object(element)])
    } else if !ReportTranslation.isKnown(name) {
      // A figure with the name of a member of reports would turn the payload into another report.
      sections[name] = metric
    }
  }
}

extension [String: JSONValue] {
  fileprivate mutating func set(_ value: JSONValue, at path: ArraySlice<String>) {
    guard let key = path.first else { return }
    guard path.count > 1 else {
      self[key] = value
      return
    }
    var inside = self[key]?.fields ?? [:]
    inside.set(value, at: path.dropFirst())
    self[key] = .object(inside)
  }
}
