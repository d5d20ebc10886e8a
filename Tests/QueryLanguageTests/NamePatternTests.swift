import Testing

@testable import QueryLanguage

@Suite("Patterns of names")
struct NamePatternTests {
  @Test(
    "Regular expressions find parts of names",
    arguments: [
      ("", "anything", true), ("", "", true), ("^$", "", true), ("^$", "a", false), ("a|b", "xbx", true),
      ("a|", "zzz", true), ("^(ab|cd)+$", "abcdab", true), ("^(ab|cd)+$", "abca", false),
      ("^a{2,3}$", "aaaa", false),
      ("^a{2,}$", "aaaaa", true), ("^a{0}b$", "b", true), ("a.c", "xa\u{6F22}c", true),
      ("^.$", "\u{1F680}", true),
      ("[[:digit:]]+ms", "x42ms", true), ("[]x]", "a]b", true), ("[^]x]", "]x", false), ("[a-]", "-", true),
      ("[\\d.]+$", "v1.2", true), ("\\w\\W\\w", "a.b", true), ("\\s", "ab", false), ("\\S\\D", "1a", true),
      ("\\.", "a", false), ("\\/x", "a/x", true), ("É", "caf\u{E9}", true), ("[A-C]", "b", true),
      ("[^A-C]", "B", false),
      ("$a", "a", false), ("a^", "a", false), ("(^a|b$)", "cb", true), ("(?:ab)?c", "c", true),
      ("a$|^b", "ba", true),
      ("x*", "", true), ("(a*)*b", "aaab", true), ("(a|a)*$", "b", true),
    ])
  func expressions(pattern: String, name: String, isMatch: Bool) throws {
    #expect(try NamePattern(expression: pattern).matches(name) == isMatch)
  }

  @Test(
    "Globs fit whole names",
    arguments: [
      ("*", "", true), ("*", "a.b", true), ("a*", "a", true), ("a*c", "abdc", true), ("a*c", "abdcx", false),
      ("?", "", false), ("?", "\u{6F22}", true), ("a?c", "ac", false), ("*.B*", "a.bc", true),
      ("a.c*", "abc", false),
      ("*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false), ("[a]*", "[A]b", true),
    ])
  func globs(pattern: String, name: String, isMatch: Bool) throws {
    #expect(try NamePattern(glob: pattern).matches(name) == isMatch)
  }

  @Test(
    "Refuses what has no meaning, or takes too long",
    arguments: [
      ("(", PatternFault.Reason.unclosedGroup, 0..<1), ("a)", .unopenedGroup, 1..<2),
      ("[a", .unclosedBracket, 0..<1),
      ("[]", .unclosedBracket, 0..<1), ("*a", .nothingToRepeat, 0..<1), ("a**", .nothingToRepeat, 2..<3),
      ("(?i)a", .nothingToRepeat, 1..<2), ("^*", .nothingToRepeat, 1..<2), ("a{", .wrongRepetition, 1..<2),
      ("a{3,2}", .wrongRepetition, 1..<6), ("a{256}", .wrongRepetition, 1..<6),
      ("a{,2}", .wrongRepetition, 1..<5),
      ("a{99999999999999999999}", .wrongRepetition, 1..<23), ("{2}", .wrongRepetition, 0..<1),
      ("\\1", .backReference, 0..<2), ("\\b", .unknownEscape, 0..<2), ("a\\", .unknownEscape, 1..<2),
      ("[b-a]", .wrongRange, 1..<4), ("[a-\\d]", .wrongRange, 1..<5), ("[[:alhpa:]]", .unknownClass, 1..<10),
      ("[[.a.]]", .unknownClass, 1..<4), ("(a{40}){40}", .tooComplex, 0..<0),
      ("((){255}){255}", .tooComplex, 0..<0),
      ("(a|b)*a(a|b){12}", .tooComplex, 0..<0),
    ])
  func faults(pattern: String, reason: PatternFault.Reason, range: Range<Int>) throws {
    let fault = try #require(throws: PatternFault.self) { try NamePattern(expression: pattern) }
    #expect(fault.reason == reason)
    #expect(fault.range == range)
  }

  @Test("Refuses patterns of more than 200 bytes")
  func length() throws {
    #expect(try NamePattern(expression: String(repeating: "x", count: 200)).matches("x") == false)
    let fault = try #require(throws: PatternFault.self) {
      try NamePattern(glob: "*" + String(repeating: "é", count: 100))
    }
    #expect(fault.reason == .tooLong)
  }
}
