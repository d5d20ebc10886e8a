import Codecs

/// Common code of the tests that keep a session, whichever simulation they play.
package enum SessionTestText {
  /// True if a name makes the name of a type and of files.
  package static func isName(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, name.unicodeScalars.count <= 60 else { return false }
    func isLetter(_ scalar: Unicode.Scalar) -> Bool { scalar.isASCII && scalar.properties.isAlphabetic }
    return isLetter(first)
      && name.unicodeScalars.allSatisfy { isLetter($0) || ("0"..."9").contains($0) || $0 == "_" }
  }

  /// The rule for names, in one line.
  package static let nameRule = "a name begins with a letter, and letters, digits and _ make it, at most 60"

  /// The text of `NAMETests.swift`.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - engine: The engine that plays the session.
  ///   - json5: The scenario, which stands in the test: a file beside it would be a resource that a package has to name.
  package static func swift(
    _ name: String, of engine: ScenarioEngine, json5: String
  ) -> String {
    let module = engine.module
    let signs = signs(for: json5)
    let text = json5.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : "    " + $0 }.joined(separator: "\n")
    return """
      import \(module < "Foundation" ? "\(module)\nimport Foundation" : "Foundation\nimport \(module)")
      import Testing

      /// The kept session goes as it went then; `mistertop simulate \(name).json5` plays the same scenario.
      @Suite("Session \(name)")
      struct \(name)Tests {
        @Test func `The \(engine.lines) are those that were written down`() throws {
          let session = try \(engine.scenario)(json5: Data(Self.json5.utf8))
          for difference in try session.differences() { Issue.record("\\(difference)") }
        }

        private static let json5 = \(signs)\"\"\"
      \(text)
          \"\"\"\(signs)
      }

      """
  }

  /// The signs around a text so that nothing in it is read as anything else.
  private static func signs(for text: String) -> String {
    var signs = "#"
    // Bytes: a sign that a mark stands on is another character, and for the compiler the same end.
    while ["\"\"\"", "\\"].contains(where: { text.utf8.contains(($0 + signs).utf8) }) { signs += "#" }
    return signs
  }
}
