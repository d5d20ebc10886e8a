import Codecs
import Essentials
import History
package import PayloadsScreen
import TerminalUI

/// `mistertop check FILE… --fail-if CONDITION…`: a gate for build servers.
package struct CheckCommand: Command {
  package static let name = "check"
  package static let operands = "FILE…"
  package static let summary =
    "Fails if a condition on MetricKit payloads holds, such as 'launch p95 slower than 2.4.0'."
  package static let options = [failIf, version, format, allowFew]

  private static let failIf = CommandOption(
    "fail-if", "CONDITION",
    help: "a condition, such as 'launch p95 slower', 'memory > 300MB' or 'new crash signature' (repeatable)")
  private static let version = CommandOption(
    "version-of-app", "VERSION", help: "the version that is judged (default: the newest)")
  private static let format = CommandOption(
    "format", "FORMAT", help: "text (default), json, junit, github or markdown")
  private static let allowFew = CommandOption(
    "allow-few", help: "succeed where there are too few payloads for an answer")

  package struct Request: Sendable, Equatable {
    package var paths: [String]
    package var conditions: [PayloadCondition]
    package var version: String?
    var format = CheckReport.Format.text
    package var allowsFew = false
  }

  package static func request(from arguments: Arguments) throws(UsageError) -> Request {
    guard !arguments.operands.isEmpty else { throw .missingOperand("FILE, with payloads or imported ones") }
    var conditions: [PayloadCondition] = []
    for text in arguments.values(failIf) {
      do throws(PayloadCondition.Problem) { conditions.append(try PayloadCondition(text)) } catch {
        throw .invalidValue(text, for: failIf.flag, expected: "at character \(error.place): \(error.text)")
      }
    }
    guard !conditions.isEmpty else { throw .missingOption(failIf.flag) }
    var request = Request(
      paths: arguments.operands, conditions: conditions, version: arguments.value(version))
    request.format = try arguments.choice(format) ?? request.format
    request.allowsFew = arguments.has(allowFew)
    return request
  }

  package static func run(_ request: Request, in context: CommandContext) async -> ExitCode {
    let operands = PayloadOperands(request.paths)
    guard !operands.payloads.isEmpty else {
      return answer(request, paths: request.paths, [], context.console)
    }
    return await PayloadSession(operands: operands, context: context).open { paths, outcome in
      answer(request, paths: paths, outcome.problems, context.console)
    }
  }

  /// Answers from metrics files.
  ///
  /// - Parameter unread: Payload files that could not be read.
  private static func answer(
    _ request: Request, paths: [String], _ unread: [String], _ console: Console
  ) -> ExitCode {
    for problem in unread { console.writeError("\(title): \(problem)") }
    let maintainer = IndexMaintainer(paths: paths, cache: nil)
    _ = maintainer.refresh()
    let archive: PayloadArchive
    do { archive = try maintainer.history.payloads() } catch {
      console.writeError("\(title): \(FileErrorFormatter.problem(error))")
      return .unanswered
    }
    for problem in maintainer.problems { console.writeError("\(title): \(SafeText.sanitized(problem))") }
    guard !archive.payloads.isEmpty || !archive.diagnostics.isEmpty else {
      console.writeError(
        "\(title): no payloads in \(SafeText.sanitized(request.paths.joined(separator: ", ")))")
      return .unanswered
    }
    let check = PayloadCheck(archive, version: request.version)
    let report = CheckReport(
      answers: check.answers(to: request.conditions), version: check.judged, allowsFew: request.allowsFew)
    console.write(report.text(request.format))
    let isUnread = !unread.isEmpty || !maintainer.problems.isEmpty
    return report.code == .success && isUnread ? .unanswered : report.code
  }
}
