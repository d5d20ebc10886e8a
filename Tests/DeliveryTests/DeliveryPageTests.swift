import Foundation
import HTTPClient
import Resilience
import Scenarios
import SimulationKit
import TestSupport
import Testing

@testable import DeliveryCore
@testable import DeliverySimulation

/// The parts of docs/delivery.md that stand between markers, as the code has them.
///
/// `RECORD_SNAPSHOTS=1` writes them again, and fails on purpose.
@Suite("The page of the delivery client")
struct DeliveryPageTests {
  private static let page = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("docs/delivery.md")

  private static func table(_ head: [String], _ rows: [[String]]) -> String {
    ([head, head.map { _ in "---" }] + rows).map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
      .replacingOccurrences(of: "| --- | ", with: "|---|").replacingOccurrences(of: "--- | ", with: "---|")
      .replacingOccurrences(of: "--- |", with: "---|")
  }

  @Test(arguments: ["answers", "causes", "waits", "scenarios", "acts", "faults"])
  func `A table of the page is that of the code`(name: String) throws {
    let wanted: String
    switch name {
    case "answers": wanted = try Self.answers()
    case "causes":
      wanted = Self.table(["cause", "why"], DropCause.allCases.map { ["`\($0.rawValue)`", $0.sentence] })
    case "waits":
      wanted = Self.table(
        ["wait", "until"], NextAttempt.Cause.allCases.map { ["`\($0.rawValue)`", $0.words] })
    case "scenarios":
      wanted = Self.table(
        ["scenario", "what happens"],
        try Scenarios.deliveryStories.map { file in
          let scenario = try DeliveryScenario(json5: Data(file.bytes))
          return ["`\(scenario.name)`", scenario.title]
        })
    case "acts": wanted = try Self.acts()
    default: wanted = Self.table(["fault", "what it does", "amount", "usual"], try Self.faults())
    }
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let head = try #require(text.range(of: "<!-- \(name) -->\n"))
    let tail = try #require(text.range(of: "<!-- end of \(name) -->"))
    let found = String(text[head.upperBound..<tail.lowerBound])
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
      let new = text[..<head.upperBound] + wanted + text[tail.lowerBound...]
      try Data(new.utf8).write(to: Self.page)
      Issue.record("recorded \(name)")
    } else {
      #expect(found == wanted)
    }
  }

  /// The acts, as the reader lists them to who names another.
  private static func acts() throws -> String {
    let text = """
      { name: "n", title: "t", start: "2026-11-21T08:00:00Z", duration: 1, acts: [{ at: 0, do: "?" }] }
      """
    let error = #expect(throws: ScenarioError.self) { try DeliveryScenario(json5: Data(text.utf8)) }
    let list = try #require(error?.text.components(separatedBy: "; choose one of ").last)
    return list.components(separatedBy: ", ").map { "`\($0)`" }.joined(separator: ", ") + ".\n"
  }

  /// The faults with their comments in the sources.
  private static func faults() throws -> [[String]] {
    let source = page.deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/DeliverySimulation/Endpoint/EndpointFault.swift")
    let code = try String(contentsOf: source, encoding: .utf8)
    let comments = Dictionary(
      code.matches(of: /\/\/\/ (.+)\n  case (\w+)\n/).map { (String($0.2), String($0.1)) },
      uniquingKeysWith: { $1 })
    return try EndpointFault.allCases.map { fault in
      let measure = fault.measure
      func number(_ number: Double) -> String { Int64(exactly: number).map(String.init) ?? String(number) }
      let head = ["`\(fault.rawValue)`", try #require(comments[fault.rawValue])]
      guard !measure.unit.isEmpty else { return head + ["", ""] }
      let range = "\(number(measure.range.lowerBound)) to \(number(measure.range.upperBound))"
      return head + [measure.unit == "status" ? range : "\(range) \(measure.unit)", number(measure.usual)]
    }
  }

  // MARK: - The table of answers

  /// The verdict of `AnswerRule` on every status, for a batch of several events and for one event.
  private static func answers() throws -> String {
    var statuses: [[AnswerRule]: [Int]] = [:]
    for status in 100...999 {
      statuses[[2, 1].map { AnswerRule(status: status, size: $0) }, default: []].append(status)
    }
    let rows = statuses.sorted { $0.value[0] < $1.value[0] }.flatMap { rules, statuses in
      let name = Self.name(of: statuses)
      guard rules[0] != rules[1] else { return [[name] + Self.words(rules[0], statuses)] }
      return [
        [name + " to several events"] + Self.words(rules[0], statuses),
        [name + " to one event"] + Self.words(rules[1], statuses),
      ]
    }
    return table(
      ["answer", "events", "breaker", "next attempt"], rows + [["none"] + words(.unanswered, [])])
  }

  /// Statuses in the words of HTTP: whole classes, single ones, and what is left of a class.
  private static func name(of statuses: [Int]) -> String {
    let classes = Dictionary(grouping: statuses) { $0 / 100 }.sorted { $0.key < $1.key }
    return classes.map { number, members in
      switch members.count {
      case 100: "\(number)xx"
      case 50...: "other \(number)xx"
      default: members.map(String.init).joined(separator: ", ")
      }
    }.joined(separator: ", ").replacingOccurrences(of: "6xx, 7xx, 8xx, 9xx", with: "unknown")
  }

  private static func words(_ rule: AnswerRule, _ statuses: [Int]) -> [String] {
    let size = DeliveryConfiguration().batchSize
    let wait = rule.leastWait > .zero ? ", \(rule.leastWait / .milliseconds(1)) ms" : ""
    let later =
      "after the longest of floor, Retry-After, breaker" + wait.replacingOccurrences(of: ".0 ms", with: " ms")
    switch rule {
    case .delivered: return ["removed; the batch size doubles, up to \(size)", "success", "at once"]
    case .retry, .rateLimited: return ["kept, in front", "failure", later]
    case .halve: return ["kept, in front; the batch size is halved", "another answer", "at once"]
    case .drop:
      return [statuses.contains(413) ? "set aside (413: dropped)" : "set aside", "another answer", "at once"]
    case .disable: return ["all dropped, on disk too", "new", "none: disabled until a reset"]
    case .unanswered: return ["kept, in front", "failure", "after the longer of floor, breaker"]
    }
  }

  // MARK: - Numbers

  @Test func `The numbers of the page are those of the client`() throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8).replacingOccurrences(of: "\n", with: " ")
      .replacingOccurrences(of: "   ", with: "").replacingOccurrences(of: "  ", with: " ")
    let standard = DeliveryConfiguration()
    for number in [
      "| in memory | \(standard.maxQueueEvents) events, \(standard.maxQueueBytes >> 20) MiB |",
      "| on disk | \(standard.maxDiskEvents) events, for \(Int(EventAge.maximum / 86_400)) days |",
      "| moved from memory to disk | at \(standard.diskFlushEvents) events or \(standard.diskFlushBytes >> 20) MiB |",
      "every \(standard.flushInterval.components.seconds) s, at \(standard.autoFlushEvents) new events",
      "batches of at most \(standard.batchSize) events",
      "no more than \(DeliveryAnswer.limits.body >> 10) KiB of an answer",
    ] { #expect(text.contains(number), "\(number)") }
    #expect(standard.longestRetryAfter == .seconds(3600) && text.contains("counts for an hour at most"))
    #expect(
      standard.breaker.backoff.maximum == .seconds(120) && standard.breaker.backoff.base == .seconds(10))
    var random = SeededGenerator(seed: 1)
    let floors = (1...5).map { failures in
      let backoff = standard.retryFloor
      return backoff.wait(multiplier: backoff.multiplier(ofWait: failures), using: &random).components.seconds
    }
    #expect(text.contains("failure in a row: \(floors.map(String.init).joined(separator: ", ")) s."))
  }
}
