/// Chooses a mapping for rejected lines: candidates for time, name and value are tried on all of them.
struct MappingChoice {
  private let lines: [AdvisedLine]

  init(_ lines: [AdvisedLine]) { self.lines = lines }

  /// The mapping that reads the most lines; of several, the one that says the most.
  func best() -> LineMapping? {
    guard let time = times().first, let path = MemberPath(time) else { return nil }
    let name = names(besides: time).first.flatMap { MemberPath($0) }
    let value = value(besides: time).flatMap { MemberPath($0) }
    var candidates: [LineMapping] = []
    for (name, value) in [(name, value), (nil, value), (name, nil), (nil, nil)] {
      var mapping = LineMapping(time: path)
      (mapping.name, mapping.value) = (name, value)
      if !candidates.contains(mapping) { candidates.append(mapping) }
    }
    guard lines.contains(where: \.isWhole) else { return candidates[0] }
    let counts = candidates.map { mapping in lines.count { $0.isRead(by: mapping) } }
    return zip(candidates, counts).filter { $0.1 > 0 }.max { $0.1 < $1.1 }?.0
  }

  private func leaves(_ path: String) -> [AdvisedLine.Leaf] {
    lines.compactMap { line in line.leaves.last { $0.path == path } }
  }

  /// The paths of the usable members of the first lines, in order.
  private var paths: [(path: String, leaf: AdvisedLine.Leaf)] {
    var seen: Set<String> = []
    return lines.prefix(8).flatMap(\.leaves).filter { $0.isUsable && seen.insert($0.path).inserted }
      .map { ($0.path, $0) }
  }

  // MARK: Times

  /// Paths that hold a time, the best first.
  private func times() -> [String] {
    let ranked = paths.compactMap { path, leaf -> (path: String, rank: Int)? in
      let known = leaves(path).count { $0.time != nil }
      guard known > 0 else { return nil }
      let role = leaf.role.isTime ? Int(leaf.role.rawValue) : Self.namesTime(path) ? 20 : 40
      // A member with a time in few lines is no time of lines.
      let missing = known * 2 < lines.count ? 1000 : 0
      return (path, missing + role + (leaf.role.isTime ? 0 : leaf.kind == .text ? 0 : 10))
    }
    return ranked.enumerated().sorted { ($0.1.rank, $0.0) < ($1.1.rank, $1.0) }.map(\.1.path)
  }

  private static func namesTime(_ path: String) -> Bool {
    let name = last(path).lowercased()
    return ["time", "date", "stamp", "epoch", "when", "instant"].contains { name.contains($0) }
      || ["ts", "at", "t"].contains(name) || name.hasSuffix("_at") || name.hasSuffix("_ts")
  }

  // MARK: Names

  /// Usual names for the member that names the event.
  private static let usualNames: Set = [
    "metric", "metricname", "metric_name", "what", "action", "operation", "op", "type", "kind", "title",
    "text", "method", "route", "path",
  ]

  private func names(besides time: String) -> [String] {
    let texts = paths.filter { path, leaf in
      path != time && leaf.time == nil && leaves(path).allSatisfy { $0.kind == .text } && !Self.isFigure(path)
        && Self.isName(leaves(path).map(\.text))
    }
    func last(_ path: String) -> String { Self.last(path).lowercased() }
    let metric = texts.filter { $0.leaf.role == .metric || last($0.path).hasPrefix("metric") }
    let known = texts.filter { [.msg, .message, .event, .name, .logger].contains($0.leaf.role) }
    let usual = texts.filter { Self.usualNames.contains(last($0.path)) }
    return (metric + known + usual + texts).map(\.path)
  }

  private static func last(_ path: String) -> String {
    path.split(separator: ".").last.map(String.init) ?? path
  }

  /// True if a name says that its text is an amount or an address.
  private static func isFigure(_ path: String) -> Bool {
    let words = Array(last(path).utf8).withUnsafeBytes { MemberWords($0) }
    return words.isAmount || words.isAddress
  }

  /// True if values may name metrics: a few words that repeat, not addresses, identifiers or marks of nothing.
  static func isName(_ values: [[UInt8]]) -> Bool {
    let distinct = Set(values)
    guard !distinct.contains(where: isAddress), !distinct.contains(Array("-".utf8)),
      !distinct.contains(where: { $0.allSatisfy { $0 &- UInt8(ascii: "0") < 10 } })
    else { return false }
    return distinct.count <= max(8, values.count / 4)
  }

  /// True for a URL, an IP address, a UUID, a mail address or another identifier, and for long prose.
  private static func isAddress(_ value: [UInt8]) -> Bool {
    guard value.count <= 80 else { return true }
    let text = String(decoding: value, as: UTF8.self)
    if text.contains("://") || text.contains("@") || text.contains("?") { return true }
    return text.utf8.split(whereSeparator: { !isWordByte($0) }).contains { word in
      let digits = word.count { $0 &- UInt8(ascii: "0") < 10 }
      let isHex = word.allSatisfy { isHexDigit($0) }
      // 192, 550e8400, 9f3ab21c; not v2, http_200 or s3.
      return digits == word.count && digits > 1 || isHex && word.count >= 6 && digits > 0 || digits > 5
    }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10 || byte | 0x20 &- UInt8(ascii: "a") < 26 || byte >= 0x80
      || byte == UInt8(ascii: "_")
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 6
  }

  // MARK: Values

  /// The only number, apart from those that identify something or never change; several numbers each become a field.
  private func value(besides time: String) -> String? {
    let numbers = paths.filter { path, leaf in
      leaf.kind == .number && path != time && leaf.role == .none && !Self.isIdentifier(path) && varies(path)
    }
    return numbers.count == 1 ? numbers[0].path : nil
  }

  private func varies(_ path: String) -> Bool {
    lines.count < 2 || Set(leaves(path).map(\.text)).count > 1
  }

  private static func isIdentifier(_ path: String) -> Bool {
    let name = last(path)
    return name == "id" || name.hasSuffix("_id") || name.hasSuffix("Id") || name.hasSuffix("ID")
  }
}
