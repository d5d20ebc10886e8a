package import TelemetryCore

/// The builds whose symbols are missing, and how much waits for them.
package struct MissingSymbols: Equatable, Sendable {
  /// One build.
  package struct Module: Equatable, Sendable {
    /// The program or library; empty if the payloads leave it out.
    package let name: String
    /// The UUID as the payloads write it.
    package let uuid: String
    package fileprivate(set) var crashes = 0
    /// Hangs and other diagnostics.
    package fileprivate(set) var others = 0
  }

  private var known: [RecordedCallStacks.Binary: Module] = [:]

  package init() {}

  /// Counts a diagnostic that waits for some of its builds.
  package mutating func add(_ binaries: Set<RecordedCallStacks.Binary>, isCrash: Bool) {
    for binary in binaries {
      var module = known[binary] ?? Module(name: binary.name, uuid: binary.uuid)
      if isCrash { module.crashes += 1 } else { module.others += 1 }
      known[binary] = module
    }
  }

  /// The builds, those with the most crashes first.
  package var modules: [Module] {
    known.values.sorted {
      ($1.crashes, $1.others, $0.name, $0.uuid) < ($0.crashes, $0.others, $1.name, $1.uuid)
    }
  }
}
