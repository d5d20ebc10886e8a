import Codecs
package import JSONLines
import Scenarios
import TerminalUI

/// Finds the words that can stand at the end of a command line.
package struct WordCompleter {
  package struct Candidate: Equatable {
    package let text: String
    package var help = ""
  }

  package struct Answer: Equatable {
    package var candidates: [Candidate] = []
    /// True if files fit, too.
    package var offersFiles = false
  }

  private let parser: CommandLineParser
  private let environment: ProcessEnvironment
  private let readNames: ([String]) -> Set<MetricIdentity>

  /// - Parameter readNames: Reads the metrics of files.
  package init(environment: ProcessEnvironment, readNames: @escaping ([String]) -> Set<MetricIdentity>) {
    parser = CommandLineParser(environment: environment)
    (self.environment, self.readNames) = (environment, readNames)
  }

  /// The words that fit in place of the last one.
  ///
  /// - Parameter words: The words behind the program's name; the last one is unfinished.
  package func answer(to words: [String]) -> Answer {
    guard let word = words.last else { return Answer() }
    let before = Array(words.dropLast())
    if before == ["help"] { return Answer(candidates: commands(word)) }
    if let command = parser.command(of: before) {
      return answer(word, after: Array(before.dropFirst()), of: command)
    }
    var answer = answer(word, after: before, of: CommandList.standard)
    if before.isEmpty { answer.candidates = commands(word) + answer.candidates }
    return answer
  }

  private func commands(_ word: String) -> [Candidate] {
    CommandList.named.filter { $0.name.hasPrefix(word) }.map { Candidate(text: $0.name, help: $0.summary) }
  }

  private func answer(_ word: String, after before: [String], of command: any Command.Type) -> Answer {
    var (operands, stores, option) = ([String](), [String](), CommandOption?.none)
    var isOpen = true
    for word in before {
      if let taking = option {
        if taking == .store { stores.append(word) }
        option = nil
      } else if isOpen, word == "--" {
        isOpen = false
      } else if isOpen, word.hasPrefix("-"), word.count > 1 {
        option = word.contains("=") ? nil : command.allOptions.first { $0.flag == word && $0.value != nil }
        if word.hasPrefix("--store=") { stores.append(String(word.dropFirst(8))) }
      } else {
        operands.append(word)
      }
    }
    // Without a file on the line, the default store is read.
    let isRecord = command.completion(ofOperand: 0) != .files
    let named = (isRecord ? [] : operands) + stores
    let files = named.isEmpty ? [environment.defaultStore] : named.map(expanded)
    if let option { return values(option.completion, word, in: files) }
    if isOpen, word.hasPrefix("-"), let sign = word.firstIndex(of: "=") {
      let option = command.allOptions.first { $0.flag == word[..<sign] && $0.value != nil }
      var answer = values(
        option?.completion ?? .nothing, String(word[word.index(after: sign)...]), in: files)
      answer.candidates = answer.candidates.map { Candidate(text: word[...sign] + $0.text, help: $0.help) }
      return answer
    }
    if isOpen, word.hasPrefix("-") {
      let options = command.allOptions.map {
        Candidate(text: $0.flag + ($0.value == nil ? "" : "="), help: $0.help)
      }
      return Answer(candidates: options.filter { $0.text.hasPrefix(word) })
    }
    return values(command.completion(ofOperand: operands.count), word, in: files, bucket: operands.first)
  }

  private func values(
    _ kind: Completion, _ word: String, in files: [String], bucket: String? = nil
  ) -> Answer {
    var words: [String] = []
    switch kind {
    case .nothing: break
    case .files: return Answer(offersFiles: true)
    case .words(let known): words = known
    case .scenarios: words = (Scenarios.stories + Scenarios.deliveryStories).map(\.name)
    case .zones: words = ZoneName.known
    case .buckets: words = readNames(files).compactMap(\.bucket)
    case .names:
      words = readNames(files).filter { ($0.bucket ?? "-") == bucket ?? "-" }.map(\.name)
    case .metrics:
      let metrics = readNames(files)
      words = metrics.map(\.fullName)
      if !words.contains(where: { $0.hasPrefix(word) }) { words = metrics.map(\.name) }
    }
    let isRead = [.buckets, .names, .metrics].contains(kind)
    var fitting = words.filter { $0.hasPrefix(word) && $0 == SafeText.sanitized($0) }
    if isRead { fitting = Set(fitting).sorted() }
    return Answer(candidates: fitting.map { Candidate(text: $0) }, offersFiles: kind == .scenarios)
  }

  /// A path with the home folder in place of its tilde, which the shell has not replaced yet.
  private func expanded(_ path: String) -> String {
    guard path.hasPrefix("~/"), let home = environment.variables["HOME"] else { return path }
    return home + path.dropFirst()
  }
}
