import SimulationKit
public import Sync

/// A fixed answer to one type of call from a moment on, as observed, instead of one by the server's rules.
///
/// It applies until another answer to the same calls replaces it. Without a network, or if the request is dropped,
/// there is no answer.
public struct SimulatedAnswer: Hashable, Sendable {
  /// The type of call.
  public let call: SimulatedCall
  /// The only entity that it applies to, for pushes; `nil` for every call of the type.
  public let entity: EntityKey?
  /// Duration of such a call; `nil` for the default.
  public let delay: Duration?
  /// The failure to answer with; `nil` to let the server answer.
  public let failure: SyncError?
  /// True if the server executes the request although it fails.
  public let isCarriedOut: Bool
  /// True if a page of the feed reports that there is more; `nil` to let the server decide.
  public let hasMore: Bool?

  /// Valid durations of a call, in seconds.
  static let delays = 0.0...86_400

  /// An answer; the duration is clamped to its range.
  public init(
    _ call: SimulatedCall, entity: EntityKey? = nil, delay: Duration? = nil, failure: SyncError? = nil,
    isCarriedOut: Bool = false, hasMore: Bool? = nil
  ) {
    self.call = call
    self.entity = call == .push ? entity : nil
    self.delay = delay?.bounded(to: Self.delays)
    self.failure = failure
    self.isCarriedOut = failure != nil && isCarriedOut
    self.hasMore = call == .pull ? hasMore : nil
  }

  /// True if it fails like calls under the fault.
  package func isLike(_ fault: SimulatedFault) -> Bool {
    guard let failure else { return false }
    return switch fault {
    case .rateLimit, .rateLimitRetryAfter: failure.code == .rateLimited
    case .serverError: failure.code == .server
    case .unauthorized: failure.isSessionLost
    case .loginPage: failure.code == .undecodable && failure.status != nil
    case .dropRequest, .dropReply: failure.code == .timeout
    case .disconnect, .offline: failure.code == .noConnection
    case .duplicate: failure.code == .duplicate
    case .latency, .jitter, .bandwidth, .partialBatch, .clockSkew: false
    }
  }

  /// A short description of the answer.
  var words: String {
    let whose = entity.map { "\(call.rawValue) of \($0.kind) \($0.id)" } ?? call.rawValue
    guard let failure else { return "\(whose) is answered" }
    return "\(whose): \(failure.status.map(String.init) ?? failure.code.rawValue)"
  }
}

/// The recorded answers to calls.
struct AnswerBoard: Sendable {
  private var calls: [SimulatedCall: SimulatedAnswer] = [:]
  private var entities: [EntityKey: SyncError] = [:]
  /// For entities that others have changed, true if the local change wins.
  var localWins: [EntityKey: Bool] = [:]

  mutating func set(_ answer: SimulatedAnswer) {
    guard let entity = answer.entity else { return calls[answer.call] = answer }
    entities[entity] = answer.failure
  }

  /// The answer to a type of call, if one was set.
  subscript(_ call: SimulatedCall) -> SimulatedAnswer? { calls[call] }

  /// The failure to answer the push of an entity with.
  subscript(_ entity: EntityKey) -> SyncError? { entities[entity] }
}

// MARK: - Scenario syntax

extension SimulatedAnswer {
  init(_ reader: inout ScenarioReader) throws(ScenarioError) {
    let name = try reader.text("to")
    guard let call = SimulatedCall(rawValue: name) else {
      let names = SimulatedCall.allCases.map(\.rawValue).joined(separator: ", ")
      throw reader.fault("to", "there is no call '\(name)'; there are \(names)")
    }
    let key = try reader.entity()
    if key != nil, call != .push { throw reader.fault("id", "only pushes are of one entity") }
    let more = try reader.optionalBool("more")
    if more != nil, call != .pull { throw reader.fault("more", "only pulls have pages") }
    self.init(
      call, entity: key, delay: try reader.seconds("after", in: Self.delays),
      failure: try SyncError.reading(&reader), isCarriedOut: try reader.bool("carriedOut", else: false),
      hasMore: more)
  }

  /// The members of the act in scenario syntax.
  var members: [String] {
    var members = ["to: \(JSON5Text.quoted(call.rawValue))"]
    if let entity {
      members += ["kind: \(JSON5Text.quoted(entity.kind))", "id: \(JSON5Text.quoted(entity.id))"]
    }
    if let delay { members.append("after: \(ScenarioText.seconds(delay))") }
    if let hasMore { members.append("more: \(hasMore)") }
    if let failure { members += failure.members }
    return isCarriedOut ? members + ["carriedOut: true"] : members
  }
}

extension SyncError {
  /// Valid waits of an answer, in seconds.
  static let waits = 0.0...86_400

  fileprivate static func reading(_ reader: inout ScenarioReader) throws(ScenarioError) -> SyncError? {
    let status = try reader.whole("status", in: 100...599).map { Int($0) }
    let detail = try reader.optionalText("text")
    let wait = try reader.seconds("retryAfter", in: waits)
    guard let name = try reader.optionalText("error") else {
      if status != nil || detail != nil || wait != nil {
        throw reader.fault("error", "is required with status, text or retryAfter")
      }
      return nil
    }
    guard let code = Code(rawValue: name) else {
      let names = Code.allCases.map(\.rawValue).joined(separator: ", ")
      throw reader.fault("error", "unknown error '\(name)'; expected one of \(names)")
    }
    return SyncError(code, status: status, detail: detail ?? "", retryAfter: wait)
  }

  fileprivate var members: [String] {
    var members = ["error: \(JSON5Text.quoted(code.rawValue))"]
    if let status { members.append("status: \(status)") }
    if !detail.isEmpty { members.append("text: \(JSON5Text.quoted(detail))") }
    if let retryAfter { members.append("retryAfter: \(ScenarioText.seconds(retryAfter))") }
    return members
  }
}

extension ScenarioReader {
  /// The entity named by `kind` and `id`; `nil` if both are absent.
  fileprivate mutating func entity() throws(ScenarioError) -> EntityKey? {
    guard let id = try optionalText("id") else {
      if value("kind") != nil { throw fault("id", "is required with kind") }
      return nil
    }
    return EntityKey(kind: try text("kind"), id: id)
  }
}
