/// Events as lines of the DogStatsD protocol, and lines as datagrams.
///
/// A gauge is `metrics_received.first_draw_avg:412.3|g|#version:1.2`, an event
/// `_e{16,21}:metrics_received|first_draw_avg: 412.3|#version:1.2`, where the numbers are bytes of the title and of the
/// text. Names and tags keep the signs that Datadog keeps; every other one becomes `_`, so that none of them can end a
/// field, a tag or a line.
struct DogStatsDLines {
  /// How many bytes a datagram may have: what goes through an Ethernet unbroken, with the largest headers.
  static let datagramLimit = 1432
  /// How many signs a name or a tag may have, by the rules of Datadog.
  private static let nameLimit = 200

  let contents: DogStatsDTracking.Contents
  /// The tags of all lines, already cleaned.
  private let tags: [String]

  init(contents: DogStatsDTracking.Contents, tags: [String]) {
    self.contents = contents
    self.tags = tags.compactMap(Self.tag)
  }

  /// The lines of an event, and how many were left out because they fit into no datagram or cannot be named.
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

  /// The lines in as few datagrams as their order allows, with an end of line between two of them.
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
    // The end of a line is written as two signs, and so it is counted.
    let text = attributes.map { "\(LogText.clean($0.key)): \(number($0.value))" }.joined(separator: #"\n"#)
    guard !title.isEmpty, !text.isEmpty else { return nil }
    return "_e{\(title.utf8.count),\(text.utf8.count)}:\(title)|\(text)\(ending)"
  }

  /// A name of a metric: letters, digits, `_` and `.` of ASCII, the first a letter.
  static func name(_ text: String) -> String? {
    let kept = text.unicodeScalars.map { scalar in
      isPlain(scalar) || scalar == "." ? Character(scalar) : "_"
    }
    let name = String(kept.drop { !$0.isLetter }.prefix(nameLimit))
    return name.isEmpty ? nil : name
  }

  /// A tag: letters and digits of any script, `_`, `-`, `:`, `.` and `/`, the first a letter.
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

  /// The shortest decimal that reads back as the same number.
  private static func number(_ value: Double) -> String {
    let text = "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
