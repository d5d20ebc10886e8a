/// Topics of payload figures, in the order of the overview.
package enum FigureSection: String, CaseIterable, Hashable, Sendable {
  case diagnostics, launches, hangs, hitches, memory, processor, disk, network, foregroundExits
  case backgroundExits, signposts, use, location, signal, display, diskSpace, other

  package var title: String {
    switch self {
    case .launches: "Launches"
    case .hangs: "Hangs"
    case .hitches: "Hitches"
    case .memory: "Memory"
    case .processor: "Processor"
    case .disk: "Disk"
    case .network: "Network"
    case .foregroundExits: "Foreground exits"
    case .backgroundExits: "Background exits"
    case .signposts: "Signposts"
    case .use: "Use"
    case .location: "Location"
    case .signal: "Signal"
    case .display: "Display"
    case .diskSpace: "Disk space"
    case .diagnostics: "Crashes and hangs"
    case .other: "Other figures"
    }
  }
}
