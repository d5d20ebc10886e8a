import Codecs

/// A JSON object around a line of another program: docker's json-file, a journal entry, stern, a log collector.
struct WrappedObject {
  /// The kinds of objects that surround a line.
  enum Kind {
    /// docker's json-file: `{"log":"…\n","stream":"stdout","time":"…"}`, and what collectors make of it.
    case docker
    /// `journalctl -o json`
    case journal
    /// Any other object with a text that holds an object.
    case other
  }

  let kind: Kind
  /// The index of the member that holds the line.
  let content: Int
  /// The index of the time.
  let time: Int?

  /// True if the content is certainly a line of another program than its surroundings.
  let isCertain: Bool

  /// Recognizes an object around another one by its member names.
  init?(_ members: [LineMember], in line: UnsafeRawBufferPointer) {
    // A line inside a string has escaped quotes, or is a piece of one. Most lines have neither.
    guard
      members.contains(where: { $0.hasEscapes || $0.kind == .text && $0.value.count > PartialLines.piece })
    else { return nil }
    var (log, entry, text): (Int?, Int?, Int?) = (nil, nil, nil)
    var (time, stream, isJournal): (Int?, Bool, Bool) = (nil, false, false)
    for (place, member) in members.enumerated() {
      if member.role.isTime { time = time ?? place }
      guard member.kind == .text else { continue }
      switch member.key.count {
      case 3 where member.isNamed("log", in: line): log = place
      case 4 where member.isNamed("line", in: line): text = place
      case 6 where member.isNamed("stream", in: line): stream = true
      case 7 where member.isNamed("MESSAGE", in: line): entry = place
      case 11 where member.isNamed("textPayload", in: line): text = place
      case 20 where member.isNamed("__REALTIME_TIMESTAMP", in: line):
        isJournal = true
        time = place
      default:
        if member.role == .message || member.role == .msg { text = text ?? place }
      }
    }
    if let log, stream || time != nil && Self.holdsObject(members[log], line) {
      (kind, content) = (.docker, log)
    } else if isJournal, let entry, Self.holdsObject(members[entry], line) {
      (kind, content) = (.journal, entry)
    } else if !isJournal, let other = text ?? entry, Self.holdsObject(members[other], line) {
      (kind, content) = (.other, other)
    } else {
      return nil
    }
    self.time = time
    isCertain = kind != .other && Self.holdsObject(members[content], line)
  }

  /// True if a text begins like an object with members.
  @inline(__always)
  static func holdsObject(_ member: LineMember, _ line: UnsafeRawBufferPointer) -> Bool {
    guard member.hasEscapes, member.kind == .text else { return false }
    let text = member.value(in: line)
    guard text.count > 4, let start = text.firstIndex(where: { $0 != 0x20 }) else { return false }
    return text[start] == UInt8(ascii: "{")
  }

  /// The unescaped text inside.
  func inner(_ members: [LineMember], _ line: UnsafeRawBufferPointer) -> [UInt8] {
    let member = members[content]
    guard member.hasEscapes else { return Array(member.value(in: line)) }
    var tokenizer = JSONTokenizer(line, at: Int(member.value.lowerBound) - 1)
    return tokenizer.string()?.unescaped ?? []
  }

  /// Collects the members around the line as dimensions.
  func describe(
    _ members: [LineMember], _ line: UnsafeRawBufferPointer, in surroundings: inout LineSurroundings
  ) {
    for (place, member) in members.enumerated() where place != content && place != time {
      guard let name = name(of: member, line) else { continue }
      switch member.kind {
      case .text where !member.value.isEmpty, .bool, .object:
        surroundings.add(name, member, line)
      case .text, .number, .null, .array: continue
      }
    }
  }

  /// The name of the dimension that a member becomes; `nil` if it is left out.
  private func name(of member: LineMember, _ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    for (key, name) in Self.renamed where member.isNamed(key, in: line) {
      return UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    }
    return kind == .journal ? nil : member.key(in: line)
  }

  private static let renamed: [(key: StaticString, name: StaticString)] = [
    ("_HOSTNAME", "host"), ("_SYSTEMD_UNIT", "unit"), ("SYSLOG_IDENTIFIER", "app"),
    ("CONTAINER_NAME", "container"), ("podName", "pod"), ("containerName", "container"), ("nodeName", "node"),
  ]
}
