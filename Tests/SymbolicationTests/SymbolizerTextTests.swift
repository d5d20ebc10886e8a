import TelemetryCore
import TestSupport
import Testing

@testable import Symbolication

@Suite("The symbolizer's language")
struct SymbolizerTextTests {
  private func module(_ path: String, _ architecture: String? = nil) throws -> ModuleFile {
    let id = try #require(ModuleIdentifier(ObjectFixture.digits))
    return ModuleFile(
      path: path, object: ObjectFile(identifier: id, base: 0, architecture: architecture, hasLines: true))
  }

  @Test(
    "a question quotes the path; one that cannot be quoted is not asked",
    arguments: [
      ("/a/My App", nil, "\"/a/My App\" 0x10\n"), ("/a/b", "arm64e", "\"/a/b:arm64e\" 0x10\n"),
      ("/a/\"b\"", nil, "'/a/\"b\"' 0x10\n"), ("/a/\"b\"'c'", nil, nil), ("/a\nCODE", nil, nil),
      (String(repeating: "é", count: 500), nil, nil),
    ] as [(String, String?, String?)])
  func questions(path: String, architecture: String?, expected: String?) throws {
    let question = SymbolizerText.question(16, in: try module(path, architecture))
    #expect(question.map { String(decoding: $0, as: UTF8.self) } == expected)
  }

  @Test("an answer names the functions, inlined ones first, and Swift ones as in the source")
  func answers() throws {
    let answer =
      #"{"Address":"0x4060","ModuleName":"a","Symbol":["#
      + #"{"Column":7,"FileName":"/src/a.c","FunctionName":"twice","Line":4},"#
      + #"{"Column":8,"FileName":"/src/Cart.swift","FunctionName":"$s4Shop4CartV8checkoutyyF","Line":0},"#
      + #"{"FileName":"","FunctionName":"","Line":0},{"FileName":"??","FunctionName":"??","Line":-1}]}"#
    #expect(
      try SymbolizerText.symbols(in: Array(answer.utf8)) == [
        .init(function: "twice", file: "/src/a.c", line: 4),
        .init(function: "Shop.Cart.checkout() -> ()", file: "/src/Cart.swift"),
      ])
  }

  @Test(
    "an error of a file, and what is no answer, are told apart",
    arguments: [
      (#"{"Address":"0x1","Error":{"Message":"No such file"},"ModuleName":"a"}"#, .refused("No such file")),
      ("", .foreign), ("??:0:0", .foreign), ("[]", .foreign), (#"{"Symbol":3}"#, .foreign),
    ] as [(String, SymbolizerText.Failure)])
  func failures(answer: String, expected: SymbolizerText.Failure) {
    #expect(throws: expected) { try SymbolizerText.symbols(in: Array(answer.utf8)) }
  }

  @Test("random and cut answers never trap")
  func noise() {
    let answer = Array(
      #"{"Symbol":[{"FileName":"/a","FunctionName":"$s4Shop4CartV8checkoutyyF","Line":99}]}"#.utf8)
    for end in answer.indices { _ = try? SymbolizerText.symbols(in: Array(answer[..<end])) }
    var random = SeededGenerator(seed: 7)
    for _ in 0..<5_000 {
      var bytes = answer
      for _ in 0...3 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      _ = try? SymbolizerText.symbols(in: bytes)
    }
  }

  @Test(
    "only names of Swift are demangled",
    arguments: [
      ("$s4Shop4CartV8checkoutyyF", "Shop.Cart.checkout() -> ()"),
      ("_$s4Shop4CartV8checkoutyyF", "Shop.Cart.checkout() -> ()"), ("main", "main"), ("$sX", "$sX"),
      ("", ""),
      ("-[Cart checkout:]", "-[Cart checkout:]"), ("$s" + String(repeating: "A", count: 9_000), nil),
    ] as [(String, String?)])
  func demangling(symbol: String, name: String?) {
    #expect(SwiftDemangler.name(of: symbol) == name ?? symbol)
  }
}
