package import Codecs

/// The reading of JSON lines of other programs: the members for time, name and value, and the zone of their times.
///
/// Without a name, the metric is called ``unnamed``. Without a value, all members but time and name become fields.
/// Without a time, lines are recognized as they are without a mapping, and only the other options hold.
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
    /// ISO 8601, or any other written time; without a zone in that of the mapping.
    case text = "iso"
  }

  /// The name of a metric whose lines have none, and the type of all mapped metrics.
  package static let unnamed = "mapped"

  /// The member with the time; `nil` if lines are recognized.
  package var time: MemberPath?
  package var timeForm = TimeForm.automatic
  package var name: MemberPath?
  package var value: MemberPath?
  /// True to keep numbers and durations in quotes as texts.
  package var keepsTexts = false
  /// The zone of times without one; `nil` for UTC.
  package var zone: ZoneOffsets?

  package init(time: MemberPath? = nil) {
    self.time = time
  }

  /// The mapping in command-line form.
  package var text: String {
    let form = timeForm == .automatic ? "" : ":" + timeForm.rawValue
    let members = [("time", time.map { $0.text + form }), ("name", name?.text), ("value", value?.text)]
    let others = [("zone", zone?.identifier), ("as", keepsTexts ? "text" : nil)]
    return (members + others).compactMap { key, text in text.map { "\(key)=\($0)" } }.joined(separator: ",")
  }
}
