public import Foundation

/// The file of a scenario, as updated when tests record it again.
public enum ScenarioFile {
  private struct NoList: Error {}

  /// Replaces the lines between the brackets of `expected` in the file.
  public static func record(_ lines: [String], in file: URL) throws {
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    guard let head = text.range(of: "  expected: [\n"),
      let tail = text.range(of: "  ],\n}", options: .backwards)
    else { throw NoList() }
    let rows = try lines.map { line in
      "    "
        + String(decoding: try JSONEncoder().encode(line), as: UTF8.self)
        .replacingOccurrences(of: "\\/", with: "/") + ",\n"
    }
    let new = text[..<head.upperBound] + rows.joined() + text[tail.lowerBound...]
    try Data(new.utf8).write(to: file)
  }
}
