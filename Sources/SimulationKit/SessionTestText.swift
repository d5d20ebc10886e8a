import Codecs

/// Code common to the tests of saved sessions, for all simulations.
package enum SessionTestText {
  /// True if a name is valid as the name of a type and of files.
  package static func isName(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, name.unicodeScalars.count <= 60 else { return false }
    func isLetter(_ scalar: Unicode.Scalar) -> Bool { scalar.isASCII && scalar.properties.isAlphabetic }
    return isLetter(first)
      && name.unicodeScalars.allSatisfy { isLetter($0) || ("0"..."9").contains($0) || $0 == "_" }
  }

  /// The rule for names in one line.
  package static let nameRule = "a name begins with a letter, and letters, digits and _ make it, at most 60"

  /// The text of `NAMETests.swift`.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - engine: The engine that plays the session.
  ///   - json5: The scenario, embedded in the test: a separate file would have to be declared as a package resource.
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

  /// The number signs that a raw string needs, so that its text contains neither its end nor an escape.
  private static func signs(for text: String) -> String {
    var signs = "#"
    // Compares bytes: a quotation mark with a combining mark is another character, yet the compiler still sees the end.
    while ["\"\"\"", "\\"].contains(where: { text.utf8.contains(($0 + signs).utf8) }) { signs += "#" }
    return signs
  }
}
