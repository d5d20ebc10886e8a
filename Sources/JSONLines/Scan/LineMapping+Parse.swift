import Codecs

/// An error in the text of a mapping.
package enum LineMappingError: Error, Equatable, Sendable {
  case empty
  /// A part without an equals sign.
  case notAPair(String)
  case unknownKey(String)
  case repeatedKey(String)
  /// A key with no member after its equals sign.
  case noMember(key: String)
  case noTime
  case unknownKind(String)
  case unknownTimeForm(String)
  /// Text that is no time zone, and the name that was probably meant.
  case unknownZone(String, meant: String?)

  /// The message for the user, without the text of the mapping.
  package var message: String {
    switch self {
    case .empty: "the mapping is empty"
    case .notAPair(let part): "'\(part)' has no equals sign"
    case .unknownKey(let key):
      "there is no key '\(key)'"
        + Suggestion.question(about: key, among: LineMapping.Key.allCases.map(\.rawValue))
    case .repeatedKey(let key): "\(key) is given twice"
    case .noMember(let key): "\(key) names no member"
    case .unknownKind(let kind): "values cannot be taken as '\(kind)', only as text"
    case .noTime: "time is missing: without it no line is a sample"
    case .unknownTimeForm(let form):
      "a time cannot be in '\(form)'; it can be in "
        + LineMapping.TimeForm.allCases.map(\.rawValue).joined(separator: ", ")
    case .unknownZone(let zone, let meant):
      "'\(zone)' is not \(ZoneOffsets.expected)" + Suggestion.question(meant)
    }
  }

  /// The format of a mapping, for messages.
  package static let expected =
    "time=MEMBER[:FORM][,name=MEMBER][,value=MEMBER][,zone=ZONE][,as=text], such as time=ts,name=msg,value=ms"
}

extension LineMapping {
  enum Key: String, CaseIterable { case time, name, value, zone, `as` }

  /// Reads a mapping: pairs of a key and a member, separated by commas.
  ///
  /// - Throws: The first error in the text.
  package static func parse(_ text: String) throws(LineMappingError) -> LineMapping {
    guard !text.isEmpty else { throw .empty }
    var members: [Key: String] = [:]
    // Scalars, because a separator with a combining mark is a different `Character`.
    for part in text.unicodeScalars.split(separator: ",", omittingEmptySubsequences: false) {
      guard let sign = part.firstIndex(of: "=") else { throw .notAPair(String(part)) }
      let word = String(part[..<sign])
      guard let key = Key(rawValue: word) else { throw .unknownKey(word) }
      guard members[key] == nil else { throw .repeatedKey(word) }
      members[key] = String(part[part.index(after: sign)...])
    }
    if let kind = members[.as], kind != "text" { throw .unknownKind(kind) }
    var mapping = LineMapping()
    if let time = members[.time] {
      let (member, form) = try timeForm(time)
      (mapping.time, mapping.timeForm) = (try path(member, .time), form)
    } else if members[.name] != nil || members[.value] != nil {
      throw .noTime
    }
    mapping.zone = try members[.zone].map { name throws(LineMappingError) in try zone(name) }
    mapping.keepsTexts = members[.as] != nil
    mapping.name = try members[.name].map { name throws(LineMappingError) in try path(name, .name) }
    mapping.value = try members[.value].map { value throws(LineMappingError) in try path(value, .value) }
    return mapping
  }

  private static func zone(_ name: String) throws(LineMappingError) -> ZoneOffsets {
    guard let zone = ZoneOffsets(text: name) else {
      throw .unknownZone(name, meant: ZoneName.closest(to: name))
    }
    return zone
  }

  private static func path(_ text: String, _ key: Key) throws(LineMappingError) -> MemberPath {
    guard let path = MemberPath(text) else { throw .noMember(key: key.rawValue) }
    return path
  }

  /// The time form follows the last colon, because a member name may contain colons.
  private static func timeForm(_ text: String) throws(LineMappingError) -> (String, TimeForm) {
    let scalars = text.unicodeScalars
    guard let colon = scalars.lastIndex(of: ":"), colon > scalars.startIndex else {
      return (text, .automatic)
    }
    let word = String(scalars[scalars.index(after: colon)...])
    guard let form = TimeForm(rawValue: word) else { throw .unknownTimeForm(word) }
    return (String(scalars[..<colon]), form)
  }
}
