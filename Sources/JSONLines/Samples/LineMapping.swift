/// Where the samples lie in lines of JSON that are not those of MisterMetrics: which member is the time, which the
/// name, which the value.
///
/// Without a name the metric is called ``unnamed``. Without a value all members but time and name become fields.
///
///     try LineMapping.parse("time=ts,name=msg,value=ms")
package struct LineMapping: Sendable, Hashable {
  /// How a time is written.
  package enum TimeForm: String, CaseIterable, Sendable {
    /// Told from the text, and of a number from its size.
    case automatic = "auto"
    /// Since 1970, in digits with or without quotes.
    case seconds = "s"
    case milliseconds = "ms"
    case microseconds = "us"
    case nanoseconds = "ns"
    /// ISO 8601, RFC 3339, or as Python's `asctime`; in UTC where no zone is written.
    case text = "iso"
  }

  /// The name of a metric whose lines name none, and the type of all mapped ones.
  package static let unnamed = "mapped"

  package var time: MemberPath
  package var timeForm = TimeForm.automatic
  package var name: MemberPath?
  package var value: MemberPath?

  package init(time: MemberPath) {
    self.time = time
  }

  /// The mapping as it is written on a command line.
  package var text: String {
    let form = timeForm == .automatic ? "" : ":" + timeForm.rawValue
    let others = [("name", name), ("value", value)].compactMap { key, path in path.map { "\(key)=\($0.text)" }
    }
    return (["time=" + time.text + form] + others).joined(separator: ",")
  }
}
