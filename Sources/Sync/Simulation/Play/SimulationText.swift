import Foundation

/// The record of a simulation as text for people and tests.
public enum SimulationText {
  /// One transition as a line: when, from where to where, on what event, and why where there is a reason.
  public static func line(_ transition: SyncTransition) -> String {
    let states =
      transition.from == transition.to ? transition.from : "\(transition.from) -> \(transition.to)"
    var event = transition.event
    if let synced = transition.synced, let total = transition.total, transition.to == "syncing" {
      event += " \(synced)/\(total)"
    }
    var line = padded(seconds(transition.engineTime), to: 11, atEnd: false) + "  "
    line += padded(states, to: 24) + padded(event, to: 24)
    if transition.refused { line += "refused: " }
    line += transition.reason ?? ""
    while line.last == " " { line.removeLast() }
    return line
  }

  /// Seconds with three decimals.
  static func seconds(_ seconds: Double) -> String {
    let milliseconds = Int64((min(max(seconds, -1e12), 1e12) * 1000).rounded())
    let (whole, rest) = abs(milliseconds).quotientAndRemainder(dividingBy: 1000)
    let decimals = String(1000 + rest).dropFirst()
    return (milliseconds < 0 ? "-" : "") + "\(whole).\(decimals)"
  }

  /// A number without decimals where it has none.
  static func number(_ number: Double) -> String {
    Int64(exactly: number).map(String.init) ?? String(number)
  }

  private static func padded(_ text: String, to length: Int, atEnd: Bool = true) -> String {
    let space = String(repeating: " ", count: max(0, length - text.count))
    return atEnd ? text + space : space + text
  }
}
