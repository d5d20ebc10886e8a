#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileFailure {
  /// The reason in the system's words.
  package var text: String {
    let code =
      switch self {
      case .missing: ENOENT
      case .denied: EACCES
      case .exhausted: EMFILE
      case .other(let code): code
      }
    return String(cString: strerror(code))
  }
}
