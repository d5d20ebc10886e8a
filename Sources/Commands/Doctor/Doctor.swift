import Foundation
import JSONLines
import TerminalUI

/// `mistertop doctor FILE…`: examines files and says what is wrong with them, line by line.
package struct Doctor: Sendable {
  /// So many rejected lines are shown of each file.
  static let rejectionLimit = 20

  private let console: Console

  package init(console: Console) {
    self.console = console
  }

  /// Examines the files.
  ///
  /// - Returns: `failed` if a line was rejected or a file could not be read.
  package func run(paths: [String]) -> ExitCode {
    var result = ExitCode.fine
    for path in paths {
      do {
        let findings = try examine(path)
        console.write(findings.text(of: path, rotated: rotated(path)))
        if findings.rejections.total > 0 { result = .failed }
      } catch {
        console.complain("mistertop doctor: \(SafeText.sanitized(path)): \(FileWords.problem(error))")
        result = .failed
      }
    }
    return result
  }

  private func examine(_ path: String) throws -> DoctorFindings {
    let file = try ReadableFile(path: path)
    defer { file.close() }
    guard file.canSeek else { throw POSIXError(.ESPIPE) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 64)
    defer { buffer.deallocate() }
    var findings = DoctorFindings()
    // What is appended meanwhile is not waited for: a busy file would never end.
    let size = try file.size
    while findings.bytes < size {
      let count = Int(min(UInt64(buffer.count), size - findings.bytes))
      let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
      let read = try file.read(into: part, at: findings.bytes)
      if read == 0 { break }
      findings.take(UnsafeRawBufferPointer(rebasing: buffer[..<read]))
    }
    findings.finish()
    return findings
  }

  private func rotated(_ path: String) -> [String] {
    let url = URL(fileURLWithPath: path)
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)) ?? []
    return names.filter { RotatedName.isRotated($0, of: url.lastPathComponent) }.sorted()
  }
}
