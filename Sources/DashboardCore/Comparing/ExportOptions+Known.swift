package import History
import TelemetryCore

extension ExportOptions {
  /// The export with all that is known of Apple's payloads.
  package static var known: ExportOptions {
    var options = ExportOptions()
    options.unit = { unit(of: $0) }
    options.members = { members(of: $0) }
    return options
  }

  private static func unit(of figure: PayloadArchive.Figure) -> Unit {
    if let bytes = ByteReading.stored.bytes(perUnit: figure.unit, of: figure.name) {
      return Unit("bytes", factor: bytes)
    }
    switch figure.unit {
    case "sec": return Unit("seconds")
    case "ms": return Unit("seconds", factor: 1e-3)
    case "bars": return Unit("bars")
    case "ms per s": return Unit("ratio", factor: 1e-3)
    case "kiloinstructions": return Unit("instructions", factor: 1000)
    default: return Unit(nil)
    }
  }

  private static func members(of diagnostic: PayloadArchive.Diagnostic) -> (version: String, parts: [Member])
  {
    guard let read = PayloadDiagnostic(json: diagnostic.json) else { return ("", []) }
    let texts = [("reason", read.reason), ("termination", read.termination), ("exception", read.exception)]
    var parts = texts.filter { !$0.1.isEmpty }.map { Member.text(field: $0.0, $0.1) }
    if let value = read.value { parts.append(.number(field: "value", value, unit: read.unit)) }
    var (stack, place) = (-1, 0)
    for frame in read.callStacks.frames {
      if frame.depth == 0 { (stack, place) = (stack + 1, 0) }
      parts.append(
        .frame(
          stack: max(0, stack), place: place, text: text(of: frame, in: read.callStacks),
          samples: frame.samples))
      place += 1
    }
    return (read.appVersion, parts)
  }

  /// `App checkout() +12345 0B5D1E9A-…`, without the function where it is unknown, or the address where the program is.
  private static func text(of frame: RecordedCallStacks.Frame, in stacks: RecordedCallStacks) -> String {
    let binary = frame.binary.flatMap { stacks.binaries.indices.contains($0) ? stacks.binaries[$0] : nil }
    let words = [
      binary?.name ?? "", frame.function ?? "",
      frame.offset.map { "+\($0)" } ?? frame.address.map { "address \($0)" } ?? "",
      binary?.uuid ?? "",
    ]
    return words.filter { !$0.isEmpty }.joined(separator: " ")
  }
}
