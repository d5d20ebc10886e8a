/// A failure as the user understands it.
public enum SyncErrorCategory: String, Hashable, Sendable, CaseIterable {
  case noConnection, sessionExpired, accessDenied, serverError, timeout, other

  /// The category in words.
  package var label: String {
    switch self {
    case .noConnection: "no connection"
    case .sessionExpired: "session expired"
    case .accessDenied: "access denied"
    case .serverError: "server error"
    case .timeout: "no answer in time"
    case .other: "unexpected failure"
    }
  }

  /// True if signing in again may help.
  package var needsSignIn: Bool { self == .sessionExpired || self == .accessDenied }
}

extension SyncError {
  /// The failure as the user understands it: by its code, and for other HTTP answers by their status.
  public var category: SyncErrorCategory {
    if let category = Self.categories[code] { return category }
    guard let status else { return .other }
    switch status {
    case 401: return .sessionExpired
    case 403: return .accessDenied
    case 408: return .timeout
    case 500..<600: return .serverError
    default: return .other
    }
  }

  private static let categories: [Code: SyncErrorCategory] = [
    .noConnection: .noConnection, .unauthorized: .sessionExpired, .forbidden: .accessDenied,
    .server: .serverError, .timeout: .timeout,
  ]
}
