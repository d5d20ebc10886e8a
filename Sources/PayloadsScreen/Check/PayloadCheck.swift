import Aggregation
import Codecs
import DashboardCore
package import History

/// Conditions checked against the payloads of one version, with the version before or another side.
package struct PayloadCheck {
  /// The answer to one condition.
  package struct Answer: Sendable, Equatable {
    package enum Kind: String, Sendable {
      case holds, clear
      /// Neither can be said.
      case unknown
    }

    package let condition: String
    package let kind: Kind
    /// The comparison with its figures.
    package let sentence: String
    /// True if more payloads could answer it.
    package var isTooFew = false
    /// True if the condition names a figure that the payloads do not have.
    package var isWrong = false
  }

  /// The reason why there is no other side.
  private struct NoSide: Error {
    let sentence: String
  }

  private let archive: PayloadArchive
  private let against: (archive: PayloadArchive, name: String)?
  private let versions: [String]
  private let query: String?
  private let version: String?

  /// - Parameters:
  ///   - version: The version that is judged; `nil` for the newest.
  ///   - against: The payloads of another file, which conditions are compared with, and its name.
  ///   - isChosen: The payloads of both sides that count; `nil` for all.
  ///   - query: The query that chooses them, for messages.
  package init(
    _ archive: PayloadArchive, version: String? = nil,
    against: (archive: PayloadArchive, name: String)? = nil,
    where isChosen: ((PayloadArchive.Payload) -> Bool)? = nil, query: String? = nil
  ) {
    self.query = query
    self.archive = isChosen.map { archive.chosen(where: $0) } ?? archive
    self.against = against.map { other in
      (isChosen.map { other.archive.chosen(where: $0) } ?? other.archive, other.name)
    }
    versions = self.archive.versions
    self.version = version ?? versions.first
  }

  /// The reason why no condition can be answered; `nil` if there is none.
  private var lack: String? {
    if archive.payloads.isEmpty, archive.diagnostics.isEmpty { return "no payload\(chosen)" }
    guard let version, !versions.contains(version) else { return nil }
    return
      "no payload\(chosen.isEmpty ? "" : chosen + " and") is of version \(version); \(Self.list(versions))"
  }

  /// The query that chooses payloads as part of a sentence.
  private var chosen: String { query.map { " matches \($0)" } ?? "" }

  /// The version that is judged; `nil` if the payloads name none.
  package var judged: String? { version }

  /// No answer to any condition, for the same reason.
  package static func unanswered(_ conditions: [PayloadCondition], because reason: String) -> [Answer] {
    conditions.map { Answer(condition: $0.text, kind: .unknown, sentence: reason) }
  }

  /// Answers conditions, which share one rate of false alarms.
  package func answers(to conditions: [PayloadCondition]) -> [Answer] {
    if let lack { return Self.unanswered(conditions, because: lack) }
    var summaries: [CheckSides.Other: CheckFindings] = [:]
    let findings = conditions.map { condition -> [CheckFinding] in
      let other: CheckSides.Other
      do throws(NoSide) { other = try side(for: condition) } catch {
        return [CheckFinding(sentence: error.sentence, answer: .unknown)]
      }
      let known =
        summaries[other]
        ?? CheckFindings(
          CheckSides(archive, version: version, other: other, against: against).summary)
      summaries[other] = known
      return known.findings(for: condition)
    }
    let tested = findings.joined().compactMap { $0.verdict?.probability }
    let threshold = FalseDiscoveries.threshold(tested, of: tested.count)
    return zip(conditions, findings).map { condition, findings in
      let answers = findings.map { finding -> Answer in
        let verdict = finding.verdict?.believed(upTo: threshold)
        let kind = finding.answer ?? (verdict.map(finding.isMet) == true ? .holds : .clear)
        let isChance = kind == .clear && verdict?.finding == .noDifference
        return Answer(
          condition: condition.text, kind: kind,
          sentence: finding.sentence + (isChance ? "; within chance" : ""),
          isTooFew: finding.isTooFew, isWrong: finding.isWrong)
      }
      // Of several families the first that holds; the most frequent one comes first.
      return answers.first { $0.kind == .holds } ?? answers.first
        ?? Answer(condition: condition.text, kind: .clear, sentence: "none in \(version ?? "all")")
    }
  }

  /// The version before the judged one.
  private var before: String? {
    guard let version, let place = versions.firstIndex(of: version), place + 1 < versions.count else {
      return nil
    }
    return versions[place + 1]
  }

  /// The side that a condition is compared with.
  private func side(for condition: PayloadCondition) throws(NoSide) -> CheckSides.Other {
    guard case .change = condition.test else { return before.map { .version($0) } ?? .none }
    if let against {
      let known = against.archive.versions
      guard !against.archive.payloads.isEmpty || !against.archive.diagnostics.isEmpty else {
        throw NoSide(
          sentence: chosen.isEmpty
            ? "\(against.name) has no payloads" : "no payload of \(against.name)\(chosen)")
      }
      guard let wanted = condition.than else { return .against(version: known.first) }
      guard known.contains(wanted) else {
        throw NoSide(sentence: "no payload of \(against.name) is of version \(wanted); \(Self.list(known))")
      }
      return .against(version: wanted)
    }
    guard let wanted = condition.than else {
      guard let before else {
        throw NoSide(sentence: "there is no version before \(version ?? "it")")
      }
      return .version(before)
    }
    if versions.contains(wanted) { return .version(wanted) }
    let name = wanted.split(separator: "/").last.map(String.init) ?? wanted
    if archive.values(in: PayloadArchive.fileDimension).contains(name) { return .file(name) }
    let states = archive.stateLabels
    if let state = states.first(where: { $0.lowercased() == wanted.lowercased() }) { return .state(state) }
    let others = states.isEmpty ? "" : "; states are \(states.prefix(6).joined(separator: ", "))"
    throw NoSide(
      sentence:
        "no payload is of version \(wanted), nor of such a file or state; \(Self.list(versions))\(others)")
  }

  private static func list(_ versions: [String]) -> String {
    guard !versions.isEmpty else { return "none names its version" }
    let more = versions.count - 6
    return "there are " + versions.prefix(6).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }
}
