/// The roles of the members of a log line.
struct LogLine {
  let format: ForeignFormat
  /// Indexes into the line's members; `nil` if there is none.
  var time: Int?
  let level: Int?
  let message: Int?
  /// The member that names the metric.
  let name: Int?

  /// Recognizes a line by its member names; `nil` if it is not a log line.
  ///
  /// It needs a time, and a level or a message.
  ///
  /// - Parameters:
  ///   - hasTime: True if the time may come from what surrounds the line.
  ///   - format: The format, if it is known.
  init?(
    _ members: [LineMember], in line: UnsafeRawBufferPointer, hasTime: Bool = false,
    format known: ForeignFormat? = nil
  ) {
    var found = Found()
    for (place, member) in members.enumerated() where member.role != .none { found.note(member, place, line) }
    guard found.time != nil || hasTime, found.level != nil || found.message != nil else { return nil }
    time = found.time?.place
    level = found.level?.place
    message = found.message?.place
    format = known ?? found.format(members, line)
    switch format {
    case .pino, .bunyan, .pythonJSON: name = found.name
    default: name = found.logger
    }
  }

  /// A line without level and message: one with a time and numbers.
  ///
  /// - Parameters:
  ///   - time: The index of the time; `nil` if it comes from what surrounds the line.
  ///   - format: The format, if it is known.
  init?(
    numbers members: [LineMember], in line: UnsafeRawBufferPointer, time: Int?, format: ForeignFormat? = nil
  ) {
    let hasNumber = members.enumerated().contains { place, member in
      guard place != time, !member.role.isTime || !member.mayBeTime(in: line) else { return false }
      return member.kind == .number && member.role != .identity || QuotedNumber.isAmount(member, line)
        || member.kind == .object && Self.holdsNumber(member.value(in: line))
    }
    guard hasNumber else { return nil }
    self.time = time
    (level, message, self.format) = (nil, nil, format ?? .log)
    name = members.firstIndex { member in
      member.kind == .text && !member.value.isEmpty
        && (member.role == .name || member.role == .metric || member.isNamed("metricName", in: line)
          || member.isNamed("metric_name", in: line))
    }
  }

  private static func holdsNumber(_ object: UnsafeRawBufferPointer) -> Bool {
    var found = false
    StructFields.forEachBytes(in: object) { _, digits in found = found || digits != nil }
    return found
  }

  private struct Found {
    var time: (role: MemberRole, place: Int)?
    var level: (role: MemberRole, place: Int)?
    var message: (role: MemberRole, place: Int)?
    var name: Int?
    var logger: Int?
    var hasHostname = false
    var hasVersion = false

    @inline(__always)
    mutating func note(_ member: LineMember, _ place: Int, _ line: UnsafeRawBufferPointer) {
      let isText = member.kind == .text
      switch member.role {
      case .none, .metric, .resources, .embedded, .identity: break
      case .level, .levelname, .severity:
        guard isText || member.kind == .number else { return }
        if level.map({ member.role.rawValue < $0.role.rawValue }) ?? true { level = (member.role, place) }
      case .msg, .message, .event: if isText, message == nil { message = (member.role, place) }
      case .name: if isText, name == nil { name = place }
      case .logger, .loggerName: if isText, logger == nil { logger = place }
      case .hostname: hasHostname = true
      case .version: hasVersion = true
      case .time, .ts, .timestamp, .atTimestamp, .asctime, .datetime, .date:
        guard isText || member.kind == .number, member.mayBeTime(in: line) else { return }
        if time.map({ member.role.rawValue < $0.role.rawValue }) ?? true { time = (member.role, place) }
      }
    }

    func format(_ members: [LineMember], _ line: UnsafeRawBufferPointer) -> ForeignFormat {
      if let level, level.role == .level, members[level.place].kind == .number, let time, time.role == .time {
        guard members[time.place].kind == .text else { return .pino }
        // Other programs have levels in numbers and times in texts too.
        if hasVersion || hasHostname { return hasVersion && hasHostname ? .bunyan : .pino }
      }
      if message?.role == .event { return .structlog }
      if level?.role == .levelname || time?.role == .asctime { return .pythonJSON }
      guard let level, level.role == .level, members[level.place].kind == .text, let time else { return .log }
      switch (time.role, message?.role) {
      case (.ts, .msg), (.ts, nil): return .zap
      case (.time, .msg):
        let letter = members[level.place].value(in: line).first ?? 0
        return letter &- UInt8(ascii: "A") < 26 ? .slog : .logrus
      case (.time, .message): return .zerolog
      default: return .log
      }
    }
  }
}
