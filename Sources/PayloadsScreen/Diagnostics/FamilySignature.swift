import TelemetryCore

/// A family of diagnostics: the same kind, exception, signal and termination code, and the same first five frames.
///
/// Offsets are left out, because they move with each build; ``place`` of ``DiagnosticFacts`` has them.
struct FamilySignature: Hashable, Sendable {
  /// The number of frames that tell families apart.
  static let frameCount = 5

  /// The name of the metric.
  let kind: String
  /// Exception, signal and termination code; empty if the system gave none.
  let reason: String
  /// The first frames by function, or by program where no symbol is known; the innermost first.
  let frames: [String]
  /// True if a frame is told by its function.
  let isByFunction: Bool

  init(_ diagnostic: PayloadDiagnostic, of kind: String) {
    self.kind = kind
    let path = Self.path(diagnostic.callStacks, isCrash: DiagnosticKindWords.isCrash(kind))
    frames = path.map { Self.name($0, in: diagnostic.callStacks) }
    isByFunction = path.contains { $0.function != nil }
    let exception = diagnostic.exception.split(separator: ":", maxSplits: 1).first.map(String.init)
    reason = [diagnostic.reason, exception ?? "", Self.code(diagnostic.termination)]
      .filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// The termination code; a signal is part of the reason already.
  private static func code(_ termination: String) -> String {
    guard let found = TerminationReason(termination), found.namespace != "SIGNAL" else { return "" }
    let code = found.code > 0xFFFF ? "0x" + String(found.code, radix: 16) : String(found.code)
    return [found.namespace, code].compactMap(\.self).joined(separator: " ")
  }

  // MARK: Frames

  /// The first frames, the innermost first: those of a crash, or the end of the heaviest path of samples.
  static func path(_ stacks: RecordedCallStacks, isCrash: Bool) -> [RecordedCallStacks.Frame] {
    guard isCrash else { return heaviestPath(stacks.frames).suffix(frameCount).reversed() }
    // A crash is one chain from the innermost frame to its callers.
    var path: [RecordedCallStacks.Frame] = []
    for frame in stacks.frames.prefix(frameCount) {
      guard path.isEmpty || frame.depth == path.count else { break }
      path.append(frame)
    }
    return path
  }

  /// From the heaviest first frame on the heaviest one below, as far as most samples go on from there.
  private static func heaviestPath(_ frames: [RecordedCallStacks.Frame]) -> [RecordedCallStacks.Frame] {
    var path: [RecordedCallStacks.Frame] = []
    var range = frames.indices
    while let next = heaviest(frames, in: range, depth: path.count) {
      let weight = path.last?.samples ?? 0
      // Beyond this frame the samples scatter.
      if weight > 0, max(0, frames[next].samples ?? 1) < weight - weight / 2 { break }
      path.append(frames[next])
      let below = frames[(next + 1)..<range.upperBound].firstIndex { $0.depth < path.count }
      range = (next + 1)..<(below ?? range.upperBound)
    }
    return path
  }

  private static func heaviest(
    _ frames: [RecordedCallStacks.Frame], in range: Range<Int>, depth: Int
  ) -> Int? {
    var found: (index: Int, samples: Int)?
    for index in range where frames[index].depth == depth {
      let samples = frames[index].samples ?? 1
      if samples > found?.samples ?? Int.min { found = (index, samples) }
    }
    return found?.index
  }

  private static func name(_ frame: RecordedCallStacks.Frame, in stacks: RecordedCallStacks) -> String {
    if let function = frame.function { return function }
    let binary = frame.binary.flatMap { stacks.binaries.indices.contains($0) ? stacks.binaries[$0] : nil }
    return binary.flatMap { $0.name.isEmpty ? nil : $0.name } ?? "?"
  }

  /// The build and the offset of the innermost frame, which tell diagnostics of one build apart: `Cart +0x1f4c`.
  static func exact(_ stacks: RecordedCallStacks, isCrash: Bool) -> ExactSignature? {
    guard let frame = path(stacks, isCrash: isCrash).first else { return nil }
    let binary = frame.binary.flatMap { stacks.binaries.indices.contains($0) ? stacks.binaries[$0] : nil }
    return ExactSignature(
      uuid: binary?.uuid ?? "", name: binary?.name ?? "", offset: frame.offset ?? frame.address,
      function: frame.function)
  }

  // MARK: Words

  /// The family in one line: `SIGSEGV in Cart < UIKitCore x3`.
  var words: String {
    let reason = shortReason
    let path = pathWords
    if path.isEmpty { return reason.isEmpty ? "no reason, no call stack" : reason }
    return reason.isEmpty ? path : "\(reason) in \(path)"
  }

  /// The reason without the exception that its signal implies: `SIGSEGV, SPRINGBOARD 0x8badf00d`.
  private var shortReason: String {
    let parts = reason.split(separator: ",").map { $0.drop { $0 == " " } }
    guard parts.contains(where: { $0.hasPrefix("SIG") }) else { return reason }
    return parts.filter { !$0.hasPrefix("EXC_") }.joined(separator: ", ")
  }

  /// The frames, each repeated one once: `Cart < UIKitCore x3`.
  private var pathWords: String {
    var runs: [(name: String, count: Int)] = []
    for name in frames {
      if runs.last?.name == name { runs[runs.count - 1].count += 1 } else { runs.append((name, 1)) }
    }
    return runs.map { $0.count > 1 ? "\($0.name) x\($0.count)" : $0.name }.joined(separator: " < ")
  }

  /// True if a frame or the reason has this text in it, whatever its case.
  func mentions(_ text: String) -> Bool {
    words.lowercased().contains(text.lowercased())
  }
}

extension FamilySignature: Comparable {
  static func < (left: Self, right: Self) -> Bool {
    if left.kind != right.kind { return left.kind < right.kind }
    if left.reason != right.reason { return left.reason < right.reason }
    return left.frames.lexicographicallyPrecedes(right.frames)
  }
}

/// The place of a diagnostic within one build: the module's UUID and the offset of the innermost frame.
struct ExactSignature: Hashable, Sendable {
  let uuid: String
  let name: String
  let offset: UInt64?
  let function: String?

  /// `Cart +0x1f4c`, or the function.
  var words: String {
    let module = name.isEmpty ? "?" : name
    let offset = offset.map { " +0x" + String($0, radix: 16) } ?? ""
    return function.map { "\($0) (\(module)\(offset))" } ?? module + offset
  }
}
