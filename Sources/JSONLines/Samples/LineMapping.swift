/// The positions of samples in JSON lines of other programs: the members for time, name and value.
///
/// Without a name, the metric is called ``unnamed``. Without a value, all members but time and name become fields.
///
///     try LineMapping.parse("time=ts,name=msg,value=ms")
package struct LineMapping: Sendable, Hashable {
  /// The notation of a time.
  package enum TimeForm: String, CaseIterable, Sendable {
    /// Recognized from the text, and for a number from its magnitude.
    case automatic = "auto"
    /// Since 1970, in digits with or without quotes.
    case seconds = "s"
    case milliseconds = "ms"
    case microseconds = "us"
    case nanoseconds = "ns"
    /// ISO 8601, RFC 3339, or Python's `asctime`; in UTC if there is no zone.
    case text = "iso"
  }

  /// The name of a metric whose lines have none, and the type of all mapped metrics.
  package static let unnamed = "mapped"

  package var time: MemberPath
  package var timeForm = TimeForm.automatic
  package var name: MemberPath?
  package var value: MemberPath?
  /// True to keep numbers and durations in quotes as texts.
  package var keepsTexts = false
  /// True if lines are recognized by their members, and only the other options hold.
  package private(set) var isAutomatic = false

  package init(time: MemberPath) {
    self.time = time
  }

  /// Lines are recognized by their members, and numbers in quotes are texts.
  package static let automaticWithTexts: LineMapping? = MemberPath("time").map { path in
    var mapping = LineMapping(time: path)
    (mapping.keepsTexts, mapping.isAutomatic) = (true, true)
    return mapping
  }

  /// The mapping in command-line form.
  package var text: String {
    let form = timeForm == .automatic ? "" : ":" + timeForm.rawValue
    let others = [("name", name), ("value", value)].compactMap { key, path in path.map { "\(key)=\($0.text)" }
    }
    let texts = keepsTexts ? ["as=text"] : []
    return ((isAutomatic ? [] : ["time=" + time.text + form]) + others + texts).joined(separator: ",")
  }
}
