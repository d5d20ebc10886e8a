/// The roles of the members of a log line.
struct LogLine {
  let format: ForeignFormat
  /// Indexes into the line's members; `nil` if there is none.
  let time: Int
  let level: Int?
  /// The member that names the metric.
  let name: Int?

  /// Recognizes a line by its member names; `nil` if it is not a log line.
  ///
  /// It needs a time, and a level or a message.
  init?(_ members: [LineMember], in line: UnsafeRawBufferPointer) {
    var found = Found()
    for (place, member) in members.enumerated() where member.role != .none { found.note(member, place) }
    guard let time = found.time, found.level != nil || found.message != nil else { return nil }
    self.time = time.place
    level = found.level?.place
    format = found.format(members, line)
    switch format {
    case .pino, .bunyan, .pythonJSON: name = found.name
    default: name = found.logger
    }
  }

  private struct Found {
    var time: (role: MemberRole, place: Int)?
    var level: (role: MemberRole, place: Int)?
    var message: MemberRole?
    var name: Int?
    var logger: Int?
    var hasHostname = false
    var hasVersion = false

    @inline(__always)
    mutating func note(_ member: LineMember, _ place: Int) {
      let isText = member.kind == .text
      switch member.role {
      case .none, .metric, .resources, .identity: break
      case .level, .levelname, .severity:
        guard isText || member.kind == .number else { return }
        if level.map({ member.role.rawValue < $0.role.rawValue }) ?? true { level = (member.role, place) }
      case .msg, .message, .event: if isText, message == nil { message = member.role }
      case .name: if isText, name == nil { name = place }
      case .logger, .loggerName: if isText, logger == nil { logger = place }
      case .hostname: hasHostname = true
      case .version: hasVersion = true
      case .time, .ts, .timestamp, .atTimestamp, .asctime, .datetime, .date:
        guard isText || member.kind == .number else { return }
        if time.map({ member.role.rawValue < $0.role.rawValue }) ?? true { time = (member.role, place) }
      }
    }

    func format(_ members: [LineMember], _ line: UnsafeRawBufferPointer) -> ForeignFormat {
      if let level, level.role == .level, members[level.place].kind == .number, let time, time.role == .time {
        return hasVersion && hasHostname && members[time.place].kind == .text ? .bunyan : .pino
      }
      if message == .event { return .structlog }
      if level?.role == .levelname || time?.role == .asctime { return .pythonJSON }
      guard let level, level.role == .level, members[level.place].kind == .text, let time else { return .log }
      switch (time.role, message) {
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
