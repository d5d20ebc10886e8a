import Codecs
import Essentials
import History
package import PayloadsScreen
package import QueryLanguage
import Symbolication
import TerminalUI

/// `mistertop check FILE… --fail-if CONDITION…`: a gate for build servers.
package struct CheckCommand: Command {
  package static let name = "check"
  package static let operands = "FILE | FOLDER…"
  package static let summary =
    "Fails if a condition on MetricKit payloads holds, such as 'launch p95 slower than 2.4.0'."
  package static let examples = [
    CommandExample(
      "mistertop check payloads/ --fail-if 'launch p95 slower than 2.4.0'",
      "refuse a release that starts slower"),
    CommandExample(
      "mistertop check payloads/ --fail-if 'new crash signature' --format junit",
      "a report for CI"),
  ]
  package static let options =
    [failIf, version, against, chosen, format, allowFew, allowUnreadable] + SymbolOptions.options

  private static let failIf = CommandOption(
    "fail-if", "CONDITION",
    help: "a condition, such as 'launch p95 slower', 'memory > 300MB' or 'new crash signature' (repeatable)")
  private static let version = CommandOption(
    "version-of-app", "VERSION", help: "the version that is judged (default: the newest)")
  private static let against = CommandOption(
    "against", "FILE", help: "payloads to compare with, instead of the version before in the same files")
  private static let chosen = CommandOption(
    "where", "QUERY",
    help: "only payloads that a query chooses, such as 'device = iPhone12,1' (docs/query.md)")
  private static let format = CommandOption(
    "format", "FORMAT", completion: .cases(of: CheckReport.Format.self),
    help: "text (default), json, junit, github or markdown")
  private static let allowFew = CommandOption(
    "allow-few", help: "succeed where there are too few payloads for an answer")

  private static let allowUnreadable = CommandOption(
    "allow-unreadable", help: "answer from the payloads that can be read, although others cannot")

  package static let exitCodes: [ExitCode] = [.success, .failed, .wrongUsage, .unanswered]

  package struct Request: Sendable, Equatable {
    package var paths: [String]
    package var conditions: [PayloadCondition]
    package var version: String?
    /// The file that conditions are compared with.
    package var against: String?
    /// The payloads that count, such as those of one device.
    package var query: Query?
    var format = CheckReport.Format.text
    package var allowsFew = false
    /// True if files that could not be read are no failure.
    package var allowsUnreadable = false
    /// The debug symbols that name the functions in call stacks, by which crashes are told apart.
    package var symbols = SymbolOptions()
  }

  package static func request(from arguments: Arguments) throws(UsageError) -> Request {
    guard !arguments.operands.isEmpty else { throw .missingOperand("FILE, with payloads or imported ones") }
    var conditions: [PayloadCondition] = []
    for text in arguments.values(failIf) {
      do throws(PayloadCondition.Problem) { conditions.append(try PayloadCondition(text)) } catch {
        throw .invalidCondition(text, for: failIf.flag, place: error.place, reason: error.text)
      }
    }
    guard !conditions.isEmpty else { throw .missingOption(failIf.flag) }
    var request = Request(
      paths: arguments.namedFiles, conditions: conditions, version: arguments.value(version))
    request.against = arguments.value(against)
    request.query = try arguments.query(chosen, knowing: .fields)
    request.format = try arguments.choice(format) ?? request.format
    request.allowsFew = arguments.has(allowFew)
    request.allowsUnreadable = arguments.has(allowUnreadable)
    request.symbols = try .named(in: arguments)
    return request
  }

  package static func run(_ request: Request, in context: CommandContext) async -> ExitCode {
    let console = context.console
    let symbols = request.symbols.makeSymbolicator()
    let mine = await CheckPayloads.load(request.paths, symbols, in: context)
    var unread = mine.problems
    var other: (archive: PayloadArchive, name: String)?
    if let path = request.against {
      let found = await CheckPayloads.load([path], symbols, in: context)
      unread += found.problems
      other = (found.archive, path.split(separator: "/").last.map(String.init) ?? path)
    }
    if let symbols {
      symbols.keep()
      for problem in symbols.problems { console.writeError("\(title): \(SafeText.sanitized(problem))") }
      unread += symbols.problems
    }
    let query = request.query
    if let query, !mine.isEmpty, let problem = CheckPayloads.problem(query, in: mine.archive) {
      console.writeError("\(title): \(SafeText.sanitized(problem))")
      return .wrongUsage
    }
    let check = PayloadCheck(
      mine.archive, version: request.version, against: other,
      where: query.map { query in { query.matches(sample: PayloadSample(payload: $0)) } }, query: query?.text)
    let answers =
      mine.isEmpty
      ? PayloadCheck.unanswered(request.conditions, because: mine.lack(in: request.paths))
      : check.answers(to: request.conditions)
    let report = CheckReport(
      answers: answers, version: mine.isEmpty ? nil : check.judged, unread: unread,
      allowsFew: request.allowsFew,
      allowsUnreadable: request.allowsUnreadable)
    for answer in answers where answer.isWrong {
      console.writeError("\(title): \(SafeText.sanitized("\(answer.condition): \(answer.sentence)"))")
    }
    console.write(report.text(request.format))
    return report.code
  }
}
