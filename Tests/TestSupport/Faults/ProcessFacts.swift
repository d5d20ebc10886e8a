package import Foundation

/// The kernel's figures for a running process (Linux); nothing for one that is gone.
package struct ProcessFacts: Sendable {
  private let folder: String

  package init(_ process: pid_t) { folder = "/proc/\(process)" }

  /// `R`, `S`, `T` for stopped, `Z` for one that has ended and that no one has waited for.
  package var state: String? { fields.first }

  /// Descriptors that are open.
  package var descriptors: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: folder + "/fd").count) ?? 0
  }

  /// Resident memory in bytes.
  package var memory: Int {
    let pages = text("statm").split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }

  /// Processor time so far, without that of children, in seconds.
  package var seconds: Double {
    let fields = fields
    guard fields.count > 12 else { return 0 }
    return fields[11...12].reduce(0) { $0 + (Double($1) ?? 0) } / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// Of `stat`, behind the name, which may hold anything.
  private var fields: [String] {
    let text = text("stat")
    guard let end = text.lastIndex(of: ")") else { return [] }
    return text[text.index(after: end)...].split(separator: " ").map(String.init)
  }

  private func text(_ name: String) -> String {
    (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
  }
}
