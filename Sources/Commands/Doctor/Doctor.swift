import Foundation
import JSONLines
import Platform
import TerminalUI

/// `mistertop doctor FILE…`: examines files and says what is wrong with them, line by line.
///
/// Metrics files are examined line by line; files of payloads, which are told by their keys, payload by payload. `-` is
/// standard input, read to its end before anything is told of it.
package struct Doctor: Sendable {
  /// So many rejected lines are shown of each file.
  static let rejectionLimit = 20

  private let console: Console

  package init(console: Console) {
    self.console = console
  }

  /// Examines the files.
  ///
  /// - Parameters:
  ///   - paths: The files; `-` is standard input.
  ///   - input: What `-` stands for.
  /// - Returns: `failed` if a line was rejected or a file could not be read.
  package func run(paths: [String], input: Int32 = STDIN_FILENO) -> ExitCode {
    var result = ExitCode.fine
    for path in paths {
      do {
        if !(try path == "-" ? tell(input: input) : tell(path)) { result = .failed }
      } catch {
        console.complain("mistertop doctor: \(SafeText.sanitized(path)): \(FileWords.problem(error))")
        result = .failed
      }
    }
    return result
  }

  /// - Returns: Whether nothing is wrong with the file.
  private func tell(_ path: String) throws -> Bool {
    if let payloads = try payloads(path) { return tell(payloads, of: path) }
    return tell(try examine(path), of: path, rotated: rotated(path))
  }

  private func tell(input: Int32) throws -> Bool {
    let found = try PayloadBytes(path: "-", input: input)
    if let problem = found.problem, found.bytes.isEmpty { throw problem }
    if PayloadRecognition.isOfPayloads(found.bytes.prefix(MetricLines.headSize)) {
      return tell(PayloadFindings(found), of: "-")
    }
    var findings = DoctorFindings()
    found.bytes.withUnsafeBytes { findings.take($0) }
    findings.finish()
    let isSound = tell(findings, of: "-", rotated: [])
    if let problem = found.problem { throw problem }
    return isSound
  }

  private func tell(_ payloads: PayloadFindings, of path: String) -> Bool {
    console.write(payloads.text(of: path))
    return payloads.isSound
  }

  private func tell(_ findings: DoctorFindings, of path: String, rotated: [String]) -> Bool {
    console.write(findings.text(of: path, rotated: rotated))
    return findings.rejections.total == 0
  }

  /// What a file of payloads holds, packed or not; nil for any other file.
  private func payloads(_ path: String) throws -> PayloadFindings? {
    let head = try MetricLines.head(of: path)
    let isPacked = head.starts(with: Gunzip.magic)
    guard isPacked || PayloadRecognition.isOfPayloads(head) else { return nil }
    let found = try PayloadBytes(path: path)
    if let problem = found.problem, found.bytes.isEmpty { throw problem }
    guard !isPacked || PayloadRecognition.isOfPayloads(found.bytes.prefix(MetricLines.headSize)) else {
      return nil
    }
    return PayloadFindings(found)
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
