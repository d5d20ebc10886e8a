/// Faults injected into chosen system calls of a program with `strace`.
package enum Strace {
  package enum Fault: Sendable {
    /// SIGKILL at the `number`-th call.
    case kill(call: String, number: Int)
    /// An error; `when` counts the calls of each thread, as in `1+2` (every other one) or `3`.
    case error(call: String, name: String, when: String)

    fileprivate var call: String {
      switch self {
      case .kill(let call, _), .error(let call, _, _): call
      }
    }

    fileprivate var expression: String {
      switch self {
      case .kill(let call, let number): "inject=\(call):signal=KILL:when=\(number)"
      case .error(let call, let name, let when): "inject=\(call):error=\(name):when=\(when)"
      }
    }
  }

  /// The command prefix that starts a program with a fault in the calls that concern the files.
  ///
  /// - Parameter log: The file that receives the calls; those with the fault are marked `(INJECTED)`.
  package static func wrapper(_ fault: Fault, at paths: [String], log: String = "/dev/null") -> [String] {
    ["strace", "-f", "-qqq", "-o", log, "-e", "trace=\(fault.call)", "-e", fault.expression]
      + paths.flatMap { ["-P", $0] }
  }

  /// True if this machine allows processes to trace others.
  package static var isAvailable: Bool {
    guard ChildProcess.isInstalled("strace") else { return false }
    let probe = try? ChildProcess("strace", ["-qqq", "-o", "/dev/null", "true"])
    return probe?.wait() == .exited(0)
  }
}
