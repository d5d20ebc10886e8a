/// The reason why the system terminated a program, parsed from a text such as `Namespace SPRINGBOARD, Code 0x8badf00d`.
///
/// Also parses `SIGNAL 11 Segmentation fault: 11`, as in crash reports, and the `code:` of a `<RBSTerminateContext|
/// domain:10 code:0x8BADF00D …>`.
public struct TerminationReason: Hashable, Sendable {
  /// The part of the system: `SIGNAL`, `JETSAM`, `SPRINGBOARD`; `nil` if missing.
  public let namespace: String?
  /// The code, whose meaning depends on that part.
  public let code: UInt64

  /// A reason from its parts.
  public init(namespace: String?, code: UInt64) {
    self.namespace = namespace
    self.code = code
  }

  /// Parses a text; `nil` without a code in it.
  public init?(_ text: String) {
    let words = text.prefix(1000).split { !$0.isLetter && !$0.isNumber && $0 != "_" }.prefix(64)
    var namespace: Substring?
    var code: UInt64?
    for (word, next) in zip(words, words.dropFirst()) {
      switch word.lowercased() {
      case "namespace": namespace = namespace ?? next
      case "code": code = code ?? Self.number(next)
      default: break
      }
    }
    if namespace == nil, let first = words.first, Self.isNamespace(first),
      let number = words.dropFirst().first.flatMap(Self.number)
    {
      (namespace, code) = (first, number)
    }
    guard let code else { return nil }
    self.init(namespace: namespace.map(String.init), code: code)
  }

  private static func isNamespace(_ word: Substring) -> Bool {
    word.count > 1 && word.unicodeScalars.allSatisfy { ("A"..."Z").contains($0) }
  }

  private static func number(_ word: Substring) -> UInt64? {
    word.lowercased().hasPrefix("0x") ? UInt64(word.dropFirst(2), radix: 16) : UInt64(word)
  }
}

extension TerminationReason {
  /// The exit counter for the reason; `nil` if unknown.
  ///
  /// According to third parties; Apple does not document it.
  public var exitReason: ExitReason? {
    switch namespace {
    case "SIGNAL": Self.exitReason(ofSignal: Int(clamping: code))
    case "JETSAM": Self.exitReason(ofJetsam: code)
    default: Self.exitReasons[code]
    }
  }

  /// The exit counter for a signal, in Darwin's numbering.
  static func exitReason(ofSignal signal: Int) -> ExitReason? {
    switch signal {
    case 4: .illegalInstruction
    case 6: .abnormal
    case 10, 11: .badAccess
    default: nil
    }
  }

  private static func exitReason(ofJetsam code: UInt64) -> ExitReason? {
    switch code {
    case 2, 7: .memoryResourceLimit
    case 3...6, 8...12, 17: .memoryPressure
    case 100: .cpuResourceLimit
    default: nil
    }
  }

  private static let exitReasons: [UInt64: ExitReason] = [
    0x8BAD_F00D: .watchdog, 0xDEAD_FA11: .normal, 0xFBFB_FBFB: .normal, 0xDEAD_10CC: .suspendedWithLockedFile,
    0x2182_BAD2: .backgroundTaskAssertionTimeout, 0x2182_BAD3: .backgroundURLSessionCompletionTimeout,
    0x2182_BAD4: .backgroundFetchCompletionTimeout,
  ]
}
