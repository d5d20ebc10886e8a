/// Events as lines of the DogStatsD protocol, and lines as datagrams.
///
/// A gauge is `metrics_received.first_draw_avg:412.3|g|#version:1.2`, an event
/// `_e{16,21}:metrics_received|first_draw_avg: 412.3|#version:1.2`, where the numbers are the bytes of the title and
/// the text. Names and tags keep the characters that Datadog keeps; all others become `_`, so that none of them can
/// end a field, a tag or a line.
struct DogStatsDLines {
  /// Maximum bytes of a datagram: the largest that passes Ethernet unfragmented with the largest headers.
  static let datagramLimit = 1432
  /// Maximum characters of a name or a tag, by Datadog's rules.
  private static let nameLimit = 200

  let contents: DogStatsDTracking.Contents
  /// The tags of all lines, already sanitized.
  private let tags: [String]

  init(contents: DogStatsDTracking.Contents, tags: [String]) {
    self.contents = contents
    self.tags = tags.compactMap(Self.tag)
  }

  /// The lines of an event, and the number of lines left out because they exceed a datagram or have no valid name.
  func lines(of event: TrackingEvent) -> (lines: [String], omitted: Int) {
    let attributes = event.attributes.filter { $0.value.isFinite }.sorted { $0.key < $1.key }
    let version = event.applicationVersion.unicodeScalars.map { $0 == ":" ? "_" : $0 }
    let tags = tags + [Self.tag("version:" + String(String.UnicodeScalarView(version)))].compactMap { $0 }
    let ending = tags.isEmpty ? "" : "|#" + tags.joined(separator: ",")
    var lines: [String?] = []
    if contents.contains(.event) { lines.append(Self.event(event.name, attributes, ending: ending)) }
    if contents.contains(.gauges) {
      lines += attributes.map { key, value in
        Self.name("\(event.name).\(key)").map { "\($0):\(Self.number(value))|g\(ending)" }
      }
    }
    let fitting = lines.compactMap { $0 }.filter { $0.utf8.count <= Self.datagramLimit }
    return (fitting, lines.count - fitting.count)
  }

  /// Packs lines into as few datagrams as their order allows, separated by newlines.
  static func datagrams(of lines: [String]) -> [[UInt8]] {
    var datagrams: [[UInt8]] = []
    for line in lines {
      if let last = datagrams.last, last.count + 1 + line.utf8.count <= datagramLimit {
        datagrams[datagrams.count - 1] += [0x0A] + Array(line.utf8)
      } else {
        datagrams.append(Array(line.utf8))
      }
    }
    return datagrams
  }

  private static func event(
    _ name: String, _ attributes: [(key: String, value: Double)], ending: String
  ) -> String? {
    let title = LogText.clean(name)
    // A newline is written, and counted, as two characters.
    let text = attributes.map { "\(LogText.clean($0.key)): \(number($0.value))" }.joined(separator: #"\n"#)
    guard !title.isEmpty, !text.isEmpty else { return nil }
    return "_e{\(title.utf8.count),\(text.utf8.count)}:\(title)|\(text)\(ending)"
  }

  /// Metric name: ASCII letters, digits, `_` and `.`, starting with a letter.
  static func name(_ text: String) -> String? {
    let kept = text.unicodeScalars.map { scalar in
      isPlain(scalar) || scalar == "." ? Character(scalar) : "_"
    }
    let name = String(kept.drop { !$0.isLetter }.prefix(nameLimit))
    return name.isEmpty ? nil : name
  }

  /// Tag: letters and digits of any script, `_`, `-`, `:`, `.` and `/`, starting with a letter.
  static func tag(_ text: String) -> String? {
    var kept = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isKept = isPlain(scalar) || isWord(scalar) || "-:./".unicodeScalars.contains(scalar)
      let next = isKept ? scalar : "_"
      guard !kept.isEmpty || next.properties.isAlphabetic else { continue }
      kept.append(next)
      if kept.count == nameLimit { break }
    }
    return kept.isEmpty ? nil : String(kept)
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_": true
    default: false
    }
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal
  }

  /// The shortest decimal that round-trips.
  private static func number(_ value: Double) -> String {
    let text = "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
