import Telemetry
import Testing

@Suite("The words of crashes")
struct CrashWordTests {
  @Test(
    "Mach exceptions have the names of the headers",
    arguments: [
      (1, "EXC_BAD_ACCESS"), (2, "EXC_BAD_INSTRUCTION"), (3, "EXC_ARITHMETIC"), (4, "EXC_EMULATION"),
      (5, "EXC_SOFTWARE"), (6, "EXC_BREAKPOINT"), (7, "EXC_SYSCALL"), (8, "EXC_MACH_SYSCALL"),
      (9, "EXC_RPC_ALERT"), (10, "EXC_CRASH"), (11, "EXC_RESOURCE"), (12, "EXC_GUARD"),
      (13, "EXC_CORPSE_NOTIFY"), (0, nil), (14, nil), (-1, nil), (.max, nil), (nil, nil),
    ] as [(Int?, String?)])
  func exceptions(type: Int?, name: String?) {
    var crash = CrashDiagnostic(CrashDetails())
    crash.exceptionType = type
    #expect(crash.exceptionName == name)
  }

  @Test(
    "signals have Darwin's names, and three of them a counter of exits",
    arguments: [
      (4, "SIGILL", .illegalInstruction), (5, "SIGTRAP", nil), (6, "SIGABRT", .abnormal), (7, "SIGEMT", nil),
      (8, "SIGFPE", nil), (9, "SIGKILL", nil), (10, "SIGBUS", .badAccess), (11, "SIGSEGV", .badAccess),
      (12, "SIGSYS", nil), (13, "SIGPIPE", nil), (15, "SIGTERM", nil), (0, nil, nil), (.min, nil, nil),
      (nil, nil, nil),
    ] as [(Int?, String?, ExitReason?)])
  func signals(signal: Int?, name: String?, reason: ExitReason?) {
    var crash = CrashDiagnostic(CrashDetails())
    crash.signal = signal
    #expect(crash.signalName == name && crash.exitReason == reason && crash.termination == nil)
  }

  @Test(
    "a termination reason is taken apart",
    arguments: [
      ("Namespace SIGNAL, Code 0xb", "SIGNAL", 11, .badAccess),
      ("Namespace SIGNAL, Code 6 Abort trap: 6", "SIGNAL", 6, .abnormal),
      ("SIGNAL 4 Illegal instruction: 4", "SIGNAL", 4, .illegalInstruction),
      ("Namespace SIGNAL, Code 5", "SIGNAL", 5, nil),
      ("Namespace SPRINGBOARD, Code 0x8badf00d", "SPRINGBOARD", 0x8BAD_F00D, .watchdog),
      ("Namespace SPRINGBOARD, Code 2343432205", "SPRINGBOARD", 0x8BAD_F00D, .watchdog),
      (
        "FRONTBOARD 2343432205 <RBSTerminateContext| domain:10 code:0x8BADF00D explanation:scene-update>",
        "FRONTBOARD", 0x8BAD_F00D, .watchdog
      ),
      (
        "<RBSTerminateContext| domain:10 code:0xDEAD10CC explanation:x>", nil, 0xDEAD_10CC,
        .suspendedWithLockedFile
      ),
      ("Namespace RUNNINGBOARD, Code 0xdeadfa11", "RUNNINGBOARD", 0xDEAD_FA11, .normal),
      ("Namespace SPRINGBOARD, Code 0xfbfbfbfb", "SPRINGBOARD", 0xFBFB_FBFB, .normal),
      ("Namespace A_B, Code 0x2182BAD2", "A_B", 0x2182_BAD2, .backgroundTaskAssertionTimeout),
      ("Namespace A, Code 0x2182bad3", "A", 0x2182_BAD3, .backgroundURLSessionCompletionTimeout),
      ("Namespace A, Code 0x2182bad4", "A", 0x2182_BAD4, .backgroundFetchCompletionTimeout),
      ("Namespace JETSAM, Code 0x7", "JETSAM", 7, .memoryResourceLimit),
      ("Namespace DYLD, Code 1 Library missing", "DYLD", 1, nil),
      ("Namespace X, Code 0xffffffffffffffff", "X", UInt64.max, nil),
    ] as [(String, String?, UInt64, ExitReason?)])
  func terminations(text: String, namespace: String?, code: UInt64, reason: ExitReason?) {
    var crash = CrashDetails()
    crash.terminationReason = text
    #expect(crash.termination == TerminationReason(namespace: namespace, code: code))
    #expect(crash.exitReason == reason)
  }

  @Test(
    "a text without a code is no reason",
    arguments: [
      "", "Namespace SIGNAL", "Namespace SIGNAL, Code", "Code xyz", "Namespace X, Code 0x1ffffffffffffffff",
      "abort() called", "Signal 6", "\u{1B}[2J\0", String(repeating: "Code ", count: 100_000),
    ])
  func nonsense(text: String) {
    #expect(TerminationReason(text) == nil)
  }

  @Test("jetsam's codes tell a limit of memory from a want of it")
  func jetsam() {
    let reasons = (0...101).map { TerminationReason(namespace: "JETSAM", code: $0).exitReason }
    for (code, reason) in reasons.enumerated() {
      let expected: ExitReason? =
        switch code {
        case 2, 7: .memoryResourceLimit
        case 3, 4, 5, 6, 8, 9, 10, 11, 12, 17: .memoryPressure
        case 100: .cpuResourceLimit
        default: nil
        }
      #expect(reason == expected, "\(code)")
    }
  }

  @Test("what the system did goes before the signal, and the signal before nothing")
  func order() {
    var crash = CrashDetails()
    (crash.signal, crash.terminationReason) = (11, "Namespace SPRINGBOARD, Code 0x8badf00d")
    #expect(crash.exitReason == .watchdog)
    crash.terminationReason = "Namespace DYLD, Code 1"
    #expect(crash.exitReason == .badAccess)
  }
}
