import History
import TerminalUI

// The commands that put out what the files hold: a frame, or samples.
extension CommandLineParser {
  func export(_ scanned: ScannedOptions) throws(UsageError) -> Invocation {
    var request = ExportRequest(paths: files(scanned))
    request.since = try time("since", scanned) ?? -.infinity
    request.until = try time("until", scanned) ?? .infinity
    request.bucket = scanned.value("bucket")
    request.metric = scanned.value("metric")
    request.indexFolder = indexFolder(scanned)
    request.replaces = scanned.has("force")
    if let text = scanned.value("format") {
      guard let format = ExportFormat(rawValue: text) else {
        let known = ExportFormat.allCases.map(\.rawValue)
        throw .badValue(
          option: "--format", value: text,
          expected: known.dropLast().joined(separator: ", ") + " or \(known.last ?? "")")
      }
      request.format = format
    }
    if let output = scanned.value("output") {
      guard !output.isEmpty else {
        throw .badValue(option: "--output", value: output, expected: "the name of a file")
      }
      request.output = output == "-" ? nil : output
    }
    return .export(request)
  }

  func snapshot(_ scanned: ScannedOptions) throws(UsageError) -> Invocation {
    let form: SnapshotRequest.Form = scanned.has("svg") ? .svg : scanned.has("ansi") ? .ansi : .text
    var request = SnapshotRequest(
      paths: files(scanned), size: try size(scanned), form: form, looks: try looks(scanned))
    request.histogram = try histogramLook(scanned)
    let chosen = Self.histogramOptions.first(where: scanned.has)
    if chosen != nil { request.screen = .histogram }
    if let text = scanned.value("screen") {
      guard let screen = SnapshotRequest.Screen(rawValue: text) else {
        throw .badValue(option: "--screen", value: text, expected: "live, history, histogram or sync")
      }
      if let chosen, screen != .histogram { throw .contradiction("--\(chosen)", "--screen \(text)") }
      request.screen = screen
    }
    request.isScreenChosen = chosen != nil || scanned.has("screen")
    request.moment = try time("at", scanned)
    request.metric = scanned.value("metric")
    if let text = scanned.value("window") {
      guard let window = TimeArgument.age(text), window > 0 else {
        throw .badValue(
          option: "--window", value: text, expected: "a length of time such as 90s, 20m, 2h or 30d")
      }
      request.window = window
    }
    return .snapshot(request)
  }

  private func size(_ scanned: ScannedOptions) throws(UsageError) -> Size {
    guard let text = scanned.value("size") else { return Size(width: 120, height: 36) }
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let width = parts[0], let height = parts[1], (1...1000).contains(width),
      (1...1000).contains(height)
    else {
      throw .badValue(
        option: "--size", value: text, expected: "columns x rows, each from 1 to 1000, such as 80x24")
    }
    return Size(width: width, height: height)
  }
}
