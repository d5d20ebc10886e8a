extension CrashDetails {
  /// The name of the Mach exception, `EXC_BAD_ACCESS`; `nil` for an unknown number.
  ///
  /// From the Mach headers, not checked against payloads.
  public var exceptionName: String? { exceptionType.flatMap { Self.exceptionNames[$0] } }

  /// The name of the signal in Darwin's numbering, `SIGSEGV`; `nil` for an unknown number.
  public var signalName: String? { signal.flatMap { Self.signalNames[$0] } }

  /// The parsed ``terminationReason``; `nil` if it is absent or has another form.
  public var termination: TerminationReason? { terminationReason.flatMap(TerminationReason.init) }

  /// The exit counter of the crash: by the termination reason, or else by the signal.
  ///
  /// According to third parties; Apple does not document it.
  public var exitReason: ExitReason? {
    termination?.exitReason ?? signal.flatMap { TerminationReason.exitReason(ofSignal: $0) }
  }

  private static let exceptionNames = [
    1: "EXC_BAD_ACCESS", 2: "EXC_BAD_INSTRUCTION", 3: "EXC_ARITHMETIC", 4: "EXC_EMULATION",
    5: "EXC_SOFTWARE", 6: "EXC_BREAKPOINT", 7: "EXC_SYSCALL", 8: "EXC_MACH_SYSCALL", 9: "EXC_RPC_ALERT",
    10: "EXC_CRASH", 11: "EXC_RESOURCE", 12: "EXC_GUARD", 13: "EXC_CORPSE_NOTIFY",
  ]

  /// Some differ from Linux, where 7 is `SIGBUS` and 10 is `SIGUSR1`.
  private static let signalNames = [
    4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGEMT", 8: "SIGFPE", 9: "SIGKILL", 10: "SIGBUS",
    11: "SIGSEGV", 12: "SIGSYS", 13: "SIGPIPE", 15: "SIGTERM",
  ]
}
