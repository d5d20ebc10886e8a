import Foundation
import Platform
import Testing

@testable import Commands

@Suite("Help, manual and completions")
struct ManualTests {
  private static let commands = [CommandList.standard] + CommandList.named
  private static let environment = ProcessEnvironment(
    variables: [:], now: Timestamp(0), exists: { _ in false })

  private func help(_ command: any Command.Type, columns: Int = CommandHelp.columns) -> String {
    command.name.isEmpty
      ? CommandHelp.overview(of: CommandList.named, columns: columns)
      : CommandHelp.text(of: command, columns: columns)
  }

  @Test func `Every option stands in the help, the manual and the completions`() throws {
    let completer = WordCompleter(environment: Self.environment, readNames: { _ in [] })
    let pages = Manual(date: "2026-11-30").pages
    for command in Self.commands {
      let page = try #require(pages.first { $0.fileName == command.manualName + ".1" })
      let offered = completer.answer(to: (command.name.isEmpty ? [] : [command.name]) + ["--"]).candidates
      #expect(offered.count == command.allOptions.count)
      for option in command.allOptions {
        #expect(help(command).contains("  \(option.title)"), "\(command) \(option.name)")
        #expect(page.source.contains(ManualPage.escaped(option.flag)), "\(command) \(option.name)")
        let text = option.flag + (option.value == nil ? "" : "=")
        #expect(offered.contains { $0.text == text && $0.help == option.help }, "\(command) \(option.name)")
      }
    }
  }

  @Test func `Every command stands in the help, the manual and the completions`() throws {
    let completer = WordCompleter(environment: Self.environment, readNames: { _ in [] })
    let page = try #require(Manual(date: "").pages.first { $0.fileName == "mistertop.1" })
    for command in CommandList.named {
      #expect(help(CommandList.standard).contains("\n  \(command.name) "))
      #expect(page.source.contains("\n.TP\n\\fB\(command.name)\\fR\n"), "\(command)")
      #expect(page.source.contains("mistertop\\-\(command.name)(1)"), "\(command)")
      #expect(completer.answer(to: [command.name]).candidates.contains { $0.text == command.name })
    }
  }

  @Test func `A completed value is accepted, and a wrong one is answered with all of them`() throws {
    for command in Self.commands {
      for option in command.options where !option.words.isEmpty {
        let scanned = ScannedOptions(options: [.init(name: option.name, value: "no such word")])
        let arguments = Arguments(scanned, environment: Self.environment)
        let error = #expect(throws: UsageError.self) { try arguments.choice(option) }
        #expect(error?.message.contains(Arguments.list(option.words)) ?? false, "\(option.name)")
        for word in option.words where ![0x2E, 0x2F].contains(word.utf8.first) {
          #expect(throws: Never.self, "\(command) \(option.name)=\(word)") {
            let given = ScannedOptions(options: [.init(name: option.name, value: word)])
            _ = try Arguments(given, environment: Self.environment).choice(option)
          }
        }
      }
    }
  }

  @Test("help wraps at the width of the output", arguments: [40, 80, 132])
  func width(columns: Int) {
    for command in Self.commands {
      let lines = help(command, columns: columns).split(separator: "\n")
      // Names, addresses and command lines are not cut.
      let long = lines.filter { $0.count > columns && $0.split(separator: " ").count > 1 }
        .filter { !$0.hasPrefix("  mistertop ") && !$0.hasPrefix("Manual: ") && !$0.hasPrefix("usage: ") }
      #expect(columns == 40 || long.isEmpty, "\(command): \(long)")
    }
  }

  @Test func `Help ends with two examples, the exit codes and the manual`() {
    for command in Self.commands {
      #expect(command.examples.count == 2, "\(command)")
      let end = help(command).components(separatedBy: "\nExamples:\n").last ?? ""
      for example in command.examples {
        #expect(end.contains("  \(example.line)\n"))
        #expect(example.line.contains("mistertop"), "\(command)")
      }
      #expect(end.contains("\nExit codes: 0 success, 1 the work failed, 2 wrong usage"))
      #expect(
        end.contains("\nManual: \(command.manualName)(1), or: mistertop manual \(command.manualName) |"))
    }
    #expect(help(CheckCommand.self).contains("3 no answer"))
  }

  @Test func `The examples can be parsed`() throws {
    let environment = ProcessEnvironment(
      variables: ["HOME": "/h", "MISTERTOP_WRITE_KEY": "k"], now: Timestamp(0), exists: { _ in true })
    for example in Self.commands.flatMap({ $0.examples }) {
      let words = Self.words(of: example.line)
      #expect(throws: Never.self, "\(example.line)") {
        _ = try CommandLineParser(environment: environment).parse(words)
      }
    }
  }

  /// The arguments of the program in a line, which may stand behind and before a pipe.
  private static func words(of line: String) -> [String] {
    let plain = line.replacing(#/^.*?mistertop/#, with: "mistertop").replacing(
      #/ (\| man|> [~m]).*$/#, with: ""
    )
    .replacing(")\"", with: "")
    return Array(BashLine(plain, breaks: "").words.dropFirst())
  }

  @Test func `A page of the manual has the text of the command`() throws {
    let page = try #require(Manual(date: "2026-11-30").pages.first { $0.name == "mistertop-record" })
    #expect(
      page.source.hasPrefix(
        """
        .TH MISTERTOP\\-RECORD 1 2026-11-30 "mistertop \(ProgramVersion.number)" "User Commands"
        .SH NAME
        mistertop\\-record \\-
        records one value; use \\- as BUCKET for a metric without
        one
        .SH SYNOPSIS
        \\fBmistertop\\fR \\fBrecord\\fR \\fI[OPTION]\\[u2026]\\fR \\fIBUCKET\\fR \\fINAME\\fR \\fIVALUE\\fR
        .SH DESCRIPTION
        Records one value; use \\- as BUCKET for a metric without
        one.
        .SH OPTIONS
        .TP
        \\fB\\-\\-type\\fR=\\fITYPE\\fR
        double, int, bool or string (default: the first that VALUE
        can be)

        """), "\(page.source.prefix(800))")
  }

  @Test func `Text of a page has no meaning for the formatter`() {
    #expect(ManualPage.escaped(#".a\b'c`d^e~f"g-…"#) == #"\&.a\eb\(aqc\(gad\(hae\(tif\(dqg\-\[u2026]"#)
  }
}
