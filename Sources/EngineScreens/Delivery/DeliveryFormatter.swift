import Codecs
import DeliveryCore
import DeliverySimulation

/// The wording of the Delivery screen, independent of layout.
enum DeliveryFormatter {
  // MARK: Failures

  /// `a 503`, `three 503s`, `14 failed attempts, the last one 503`.
  static func failures(_ failures: ClientState.Failures) -> String {
    guard failures.count > 1 else {
      return isStatus(failures.last) ? "a \(failures.last)" : "a failed attempt (\(failures.last))"
    }
    let number = word(failures.count)
    guard let reason = failures.reason else {
      return "\(number) failed attempts, the last one \(failures.last)"
    }
    return isStatus(reason) && failures.count <= numbers.count
      ? "\(number) \(reason)s" : "\(number) failed attempts (\(reason))"
  }

  private static func isStatus(_ reason: String) -> Bool { Int(reason) != nil }

  private static let numbers = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
  ]

  private static func word(_ count: Int) -> String {
    (1...numbers.count).contains(count) ? numbers[count - 1] : NumberFormat.count(count)
  }

  /// The reason for a missing answer; an unknown code is shown unchanged.
  static func error(_ code: String?) -> String {
    switch code.flatMap(TransportFailure.Code.init) {
    case .unreachable: "unreachable"
    case .timedOut: "timed out"
    case .invalidAnswer: "no HTTP"
    case .cancelled: "cancelled"
    case .unavailable: "no transport"
    case nil:
      switch code {
      case "notEncodable": "not encodable"
      case "stale": "timed out"
      case "loginPage": "login page"
      default: code ?? "no answer"
      }
    }
  }

  /// The status of the answer, or the reason that there was none, in the transport's words if it has some.
  static func reason(_ batch: DeliveryBatch) -> String {
    if let status = batch.status { return String(status) }
    guard batch.error == TransportFailure.Code.unreachable.rawValue, let detail = batch.detail,
      !detail.isEmpty, detail.count <= longestDetail, !detail.contains(where: \.isNewline)
    else { return error(batch.error) }
    return detail
  }

  /// Maximum length of a transport's message that a sentence quotes.
  private static let longestDetail = 48

  /// A cause for a number of events as the end of a sentence.
  static func cause(_ name: String, of count: Int) -> String {
    guard name != ClientState.killed else {
      return "with the process, before \(count == 1 ? "it was" : "they were") on disk"
    }
    return DropCause(rawValue: name)?.sentence(count) ?? "(\(name))"
  }

  /// A cause in a few words: `disk full`.
  static func short(_ cause: DropCause) -> String {
    switch cause {
    case .memoryFull: "memory full"
    case .diskFull: "disk full"
    case .parkedFull: "disk refused writes"
    case .expired: "too old"
    case .damaged: "unreadable"
    case .refused: "refused"
    case .tooLarge: "too large"
    case .notEncodable: "not encodable"
    case .disabled: "client refused"
    case .reset: "reset"
    case .proxyFull: "too many calls"
    case .invalidOptions: "invalid options"
    case .invalidCall: "invalid call"
    case .vetoed: "vetoed"
    }
  }

  // MARK: Batches

  /// The outcome of a batch, as the predicate of a sentence.
  static func outcome(_ batch: DeliveryBatch) -> String {
    let answer = batch.status.map { "was answered \($0)" } ?? "had no answer (\(reason(batch)))"
    switch BatchResult(batch) {
    case .delivered: return "was accepted"
    case .repeated: return answer
    case .halved: return batch.status == 413 ? "was too large (413)" : "\(answer) and was halved"
    case .refused:
      let isKept = batch.status != 413
      return batch.status == nil
        ? "could not be encoded and was dropped" : "\(answer) and was \(isKept ? "set aside" : "dropped")"
    case .disabled: return "\(answer), which disabled the client"
    case .givenUp: return "was dropped by the reset"
    }
  }

  static func shortOutcome(_ batch: DeliveryBatch) -> String {
    batch.status.map(String.init) ?? error(batch.error)
  }

  /// The client's reaction to the outcome.
  static func consequence(_ batch: DeliveryBatch) -> String {
    switch BatchResult(batch) {
    case .delivered: return "taken"
    case .repeated:
      let asked = batch.retryAfter.map { ", asked for \(DurationFormat.text($0))" } ?? ""
      return "kept, tried again\(asked)"
    case .halved: return "kept, smaller batches"
    case .refused:
      // One event that is too large is not kept.
      return batch.status == nil ? "dropped, not encodable" : batch.status == 413 ? "dropped" : "set aside"
    case .disabled: return "all dropped, client disabled"
    case .givenUp: return "dropped by the reset"
    }
  }

  // MARK: Faults and acts

  /// `latency 300 ms on`, `offline off`.
  static func deed(_ record: DeliveryFault) -> String {
    guard let fault = EndpointFault(rawValue: record.fault) else {
      return "\(record.fault) \(record.on ? "on" : "off")"
    }
    guard record.on else { return "\(fault.words) off" }
    let amount = fault.text(fault.bounded(record.amount))
    let share =
      record.probability < 1
      ? " in \(NumberFormat.text(max(0, record.probability) * 100, decimals: 0)) %" : ""
    return "\(fault.words)\(amount.isEmpty ? "" : " \(amount)")\(share) on"
  }

  static func act(_ record: DeliveryAct) -> String {
    let name =
      switch record.act {
      case "enterBackground": "to the background"
      case "enterForeground": "to the foreground"
      case "clearFaults": "all faults off"
      case "generate": "events at random:"
      case "leap": "asleep"
      case "sendRefusedAgain": "set-aside events sent again:"
      default: record.act
      }
    let argument = record.argument.map { " \($0)" } ?? ""
    return name + argument + (record.refused.map { " refused: \($0)" } ?? "")
  }

  /// `you: `, `app: ` or empty.
  static func by(_ initiator: DeliveryInitiator) -> String {
    switch initiator {
    case .person: "you: "
    case .app: "app: "
    case .rule, .timer, .server: ""
    }
  }
}
