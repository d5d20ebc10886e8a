import Foundation

/// The events sent to an ``EndpointFile`` by all of the processes that used it.
package struct EndpointRecord {
  /// The fate of a batch.
  package enum Mark: String {
    /// Accepted and answered.
    case taken = "+"
    /// Accepted, but the answer was lost.
    case unanswered = "?"
    /// Rejected permanently: the client drops it.
    case refused = "!"
    /// Not accepted: the client has to send it again.
    case untaken = "-"

    /// True if the batch need not be sent again.
    var isFinal: Bool { self == .taken || self == .refused }
  }

  private struct Batch {
    let mark: Mark
    let events: [(number: Int, id: Substring)]
    /// True if the client has received the answer.
    var isAnswered = false

    /// True if the client knows that it need not send the batch again.
    var isSettled: Bool { mark.isFinal && isAnswered }
  }

  /// The delivery faults found in the record.
  package struct Verdict: Equatable {
    /// Events delivered twice although the client knew about the first delivery and had time to record it.
    package var repeated = 0
    /// Events delivered before an older one, or under two ids.
    package var disordered = 0
    /// Events delivered again after a death, all of them from the last batch that the dead client knew to be delivered.
    ///
    /// All others count as ``repeated``, so a death repeats at most one batch (the next client may send it in parts, as
    /// after a 413).
    package var repeatedByDeath = 0
  }

  private var lives: [[Batch]] = []

  package init(path: String) {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if line == "life" { lives.append([]) }
      if line == "=", let last = lives.last?.indices.last { lives[lives.count - 1][last].isAnswered = true }
      // Without its period, a line belongs to a batch that was in flight when the process died.
      guard let mark = words.first.flatMap({ Mark(rawValue: String($0)) }), words.last == "." else {
        continue
      }
      let events = words.dropFirst().dropLast().map { word in
        let parts = word.split(separator: ":")
        return (number: parts.first.flatMap { Int($0) } ?? -1, id: parts.last ?? "")
      }
      lives[lives.count - 1].append(Batch(mark: mark, events: events))
    }
  }

  /// The events that were accepted or permanently rejected.
  package var settled: Set<Int> {
    Set(lives.joined().filter(\.mark.isFinal).flatMap { $0.events.map(\.number) })
  }

  /// Checks the order and counts repetitions.
  package var verdict: Verdict {
    var verdict = Verdict()
    var newest = -1
    var ids: [Int: Substring] = [:]
    // The life in which an event was settled, and whether that was its last batch.
    var settled: [Int: (life: Int, isLast: Bool)] = [:]
    for (life, batches) in lives.enumerated() {
      for (index, batch) in batches.enumerated() {
        var before = Int.min
        for (number, id) in batch.events {
          if number <= before || ids[number, default: id] != id { verdict.disordered += 1 }
          if ids[number] == nil, number < newest { verdict.disordered += 1 }
          if let first = settled[number] {
            let isByDeath = first.isLast && first.life < life
            if isByDeath { verdict.repeatedByDeath += 1 } else { verdict.repeated += 1 }
          }
          ids[number] = id
          (before, newest) = (number, max(newest, number))
          if batch.isSettled { settled[number] = (life, index == batches.count - 1) }
        }
      }
    }
    return verdict
  }
}
