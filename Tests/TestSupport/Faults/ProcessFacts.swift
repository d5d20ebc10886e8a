package import Foundation

/// The kernel's data about a running process (Linux); empty values for one that is gone.
package struct ProcessFacts: Sendable {
  private let folder: String

  package init(_ process: pid_t) { folder = "/proc/\(process)" }

  /// `R`, `S`, `T` for stopped, `Z` for a zombie.
  package var state: String? { fields.first }

  /// The number of open descriptors.
  package var descriptors: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: folder + "/fd").count) ?? 0
  }

  /// Resident memory in bytes.
  package var memory: Int {
    let pages = text("statm").split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }

  /// Processor time in seconds so far, without children.
  package var seconds: Double {
    let fields = fields
    guard fields.count > 12 else { return 0 }
    return fields[11...12].reduce(0) { $0 + (Double($1) ?? 0) } / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// The fields of `stat` after the name, which may contain anything.
  private var fields: [String] {
    let text = text("stat")
    guard let end = text.lastIndex(of: ")") else { return [] }
    return text[text.index(after: end)...].split(separator: " ").map(String.init)
  }

  private func text(_ name: String) -> String {
    (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
  }
}
