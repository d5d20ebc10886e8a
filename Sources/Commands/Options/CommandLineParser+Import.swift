import Foundation

// The command that takes payloads in.
extension CommandLineParser {
  func importPayloads(_ scanned: ScannedOptions) throws(UsageError) -> Invocation {
    guard !scanned.operands.isEmpty else { throw .missingOperand("the file or folder with payloads") }
    let store = scanned.value("store") ?? surroundings.defaultStore
    guard !store.isEmpty else {
      throw .badValue(option: "--store", value: store, expected: "the name of a file")
    }
    var request = ImportRequest(paths: scanned.operands, store: store, timeZone: .current)
    if let name = scanned.value("zone") {
      guard let zone = TimeZone(identifier: name) else {
        throw .badValue(
          option: "--zone", value: name, expected: "the name of a time zone, such as Europe/Berlin or UTC")
      }
      request.timeZone = zone
    }
    request.isRehearsal = scanned.has("dry-run")
    return .importPayloads(request)
  }
}
