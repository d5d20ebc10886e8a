import Foundation

/// The events sent to an ``EndpointFile``, by all the processes that it has outlived.
package struct EndpointRecord {
  /// The fate of a batch.
  package enum Mark: String {
    /// Taken and answered.
    case taken = "+"
    /// Taken; the answer got lost.
    case unanswered = "?"
    /// Refused for good: the client drops it.
    case refused = "!"
    /// Not taken: it has to come again.
    case untaken = "-"

    /// True if the batch need not be sent again.
    var isFinal: Bool { self == .taken || self == .refused }
  }

  private struct Batch {
    let mark: Mark
    let events: [(number: Int, id: Substring)]
    /// True if the answer has reached the client.
    var isAnswered = false

    /// True if the client knows that it need not send the batch again.
    var isSettled: Bool { mark.isFinal && isAnswered }
  }

  /// The faults of the bytes that were sent.
  package struct Verdict: Equatable {
    /// Events that came twice although the client knew of the first time, and had time to note it.
    package var repeated = 0
    /// Events that came before an older one, or under two ids.
    package var disordered = 0
    /// Events that came once more after a death, each of them of the last batch that the dead client knew to be
    /// delivered; all others are ``repeated``, so that a death repeats one batch at most (the next client may send it in
    /// parts, as after a 413).
    package var repeatedByDeath = 0
  }

  private var lives: [[Batch]] = []

  package init(path: String) {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if line == "life" { lives.append([]) }
      if line == "=", let last = lives.last?.indices.last { lives[lives.count - 1][last].isAnswered = true }
      // A line without its full stop is of a batch that was on its way when the process died.
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

  /// The events that were taken, or refused for good.
  package var settled: Set<Int> {
    Set(lives.joined().filter(\.mark.isFinal).flatMap { $0.events.map(\.number) })
  }

  /// Looks at the order and at what came more than once.
  package var verdict: Verdict {
    var verdict = Verdict()
    var newest = -1
    var ids: [Int: Substring] = [:]
    // Where an event was settled: the life, and whether another batch followed in it.
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
