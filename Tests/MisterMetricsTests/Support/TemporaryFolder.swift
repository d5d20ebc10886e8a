import Foundation

/// A folder of its own for one test, removed with it.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("mistermetrics-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// A file in the folder.
  func file(_ name: String = "metrics.jsonl") -> URL { url.appendingPathComponent(name) }
}

/// The lines of a file, without their newlines; a file that does not exist has none.
func lines(of file: URL) -> [String] {
  guard let data = try? Data(contentsOf: file) else { return [] }
  var lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    .map { String(decoding: $0, as: UTF8.self) }
  if lines.last == "" { lines.removeLast() }
  return lines
}

/// Asks again until `condition` holds; false when it does not within a time that no working system needs.
func eventually(
  isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async rethrows -> Bool {
  let deadline = ContinuousClock.now + .seconds(120)
  while ContinuousClock.now < deadline {
    if try await condition() { return true }
    try? await Task.sleep(for: .milliseconds(2))
  }
  return false
}
