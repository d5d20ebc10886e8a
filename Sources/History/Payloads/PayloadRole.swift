import JSONLines

/// The role that the lines of a metric have for payloads.
enum PayloadRole: UInt8, Sendable {
  case unknown, other, histogram, scalar, document, diagnostic, original

  static let diagnosticType = "PayloadDiagnostic"

  init(_ metric: MetricIdentity) {
    guard metric.bucket == PayloadArchive.bucket else {
      self = .other
      return
    }
    switch metric.typeName {
    case "PayloadHistogram": self = .histogram
    case "PayloadScalar": self = .scalar
    case "PayloadDocument": self = .document
    case Self.diagnosticType: self = .diagnostic
    case "PayloadOriginal": self = .original
    default: self = .other
    }
  }
}

/// The roles of one scanner's metrics, each determined once.
struct PayloadRoles: Sendable {
  private var roles: [PayloadRole] = []

  @inline(__always)
  mutating func role(of metric: MetricID, in catalogue: MetricCatalogue) -> PayloadRole {
    let index = Int(metric.rawValue)
    return index < roles.count ? roles[index] : add(index, catalogue)
  }

  @inline(never)
  private mutating func add(_ index: Int, _ catalogue: MetricCatalogue) -> PayloadRole {
    while roles.count <= index {
      roles.append(PayloadRole(catalogue[MetricID(rawValue: Int32(truncatingIfNeeded: roles.count))]))
    }
    return roles[index]
  }
}
