import Codecs
import Essentials
import TelemetryCore
import TerminalUI

/// One payload in a few lines: its kind, time and device, and anything special about it.
struct PayloadReport {
  private let item: PayloadReading.Item
  private let facts: PayloadFacts

  init(_ item: PayloadReading.Item) {
    self.item = item
    facts = PayloadFacts(item.payload, time: item.payload.recordingTime(in: .gmt))
  }

  /// The lines, safe to print on a terminal.
  var text: String {
    let rows: [(String, String?)] = [
      ("version", facts.versions.isEmpty ? "none" : facts.versions.joined(separator: ", ")),
      ("window", window), ("zone", zone), ("device", device), ("values", values), ("flags", flags),
      ("kB", kilobytes), ("content", item.contentHash.description),
    ]
    return rows.reduce("  \(kind), at \(Self.safe(item.place.description, 60))\n") { text, row in
      guard let value = row.1 else { return text }
      return text + "    " + row.0 + String(repeating: " ", count: 9 - row.0.count) + Self.safe(value, 160)
        + "\n"
    }
  }

  /// Text without control sequences, cut to a number of columns.
  static func safe(_ text: String, _ width: Int) -> String {
    SafeText.truncated(SafeText.sanitized(text), to: width)
  }

  private var kind: String {
    guard let diagnostics = facts.diagnostics else { return "metrics" }
    let counts = diagnostics.map { Plural.count($0.count, $0.kind) }.joined(separator: ", ")
    return "diagnostics" + (counts.isEmpty ? "" : ": \(counts)")
  }

  private var window: String {
    let (begin, end) = (item.payload.timeStampBegin, item.payload.timeStampEnd)
    guard let first = begin ?? end else { return "none; recorded under the time of its file" }
    guard let begin, let end, begin != end else { return "\(first), a single moment" }
    let interval: DateInterval?
    switch item.payload {
    case .metric(let payload): interval = payload.interval(in: .gmt)
    case .diagnostic(let payload): interval = payload.interval(in: .gmt)
    }
    return "\(begin) to \(end)"
      + (interval.map { ", \(Self.length($0.duration))" } ?? ", which ends before it begins")
  }

  private var zone: String? {
    guard item.payload.timeStampBegin ?? item.payload.timeStampEnd != nil else { return nil }
    return facts.isZoneUnknown
      ? "missing; times are local to the device (see import --zone)" : "given"
  }

  private static func length(_ seconds: Double) -> String {
    let minutes = Int(min(seconds / 60, 1e9))
    return "\(minutes / 60) h" + (minutes % 60 > 0 ? " \(minutes % 60) min" : "")
  }

  private var device: String? {
    guard let data = metaData else { return nil }
    let parts = [
      ("", data.deviceType), ("", data.osVersion), ("region ", data.regionFormat),
      ("build ", data.applicationBuildVersion), ("", data.bundleIdentifier),
    ]
    let known = parts.compactMap { word, text in
      text.flatMap { $0.isEmpty ? nil : word + $0 }
    }
    let text = known.joined(separator: ", ")
    return text.isEmpty ? nil : text
  }

  private var metaData: PayloadMetaData? {
    switch item.payload {
    case .metric(let payload): payload.metaData
    case .diagnostic(let payload):
      payload.crashDiagnostics?.first?.metaData ?? payload.hangDiagnostics?.first?.metaData
        ?? payload.cpuExceptionDiagnostics?.first?.metaData
        ?? payload.diskWriteExceptionDiagnostics?.first?.metaData
        ?? payload.appLaunchDiagnostics?.first?.metaData
    }
  }

  private var values: String {
    let figures = item.payload.figures
    let bins = figures.compactMap { figure in
      if case .bins(let bins) = figure.value { bins } else { nil }
    }
    let numbers = figures.count - bins.count
    let histograms =
      bins.isEmpty
      ? ""
      : " and \(Plural.count(bins.count, "histogram")) of \(Plural.count(bins.joined().count, "bin"))"
    return Plural.count(numbers, "number") + histograms
  }

  private var flags: String? {
    let flags = [
      facts.isSimulated ? "simulated by Xcode" : nil,
      facts.isMixed ? "values of several versions" : nil,
      isPoint ? "a single moment, so there are no rates" : nil,
    ].compactMap { $0 }
    return flags.isEmpty ? nil : flags.joined(separator: "; ")
  }

  private var isPoint: Bool {
    if case .metric(let payload) = item.payload { payload.isPointWindow } else { false }
  }

  /// The size of the payload's kilobytes in bytes, with its first amount as an example.
  private var kilobytes: String? {
    let amounts = item.payload.figures.compactMap { figure -> (PayloadFigure, Double, Double)? in
      guard case .number(let value) = figure.value, value > 0,
        let stored = ByteReading.stored.bytesPerUnit(of: figure),
        let labelled = ByteReading.labelled.bytesPerUnit(of: figure), stored != labelled
      else { return nil }
      return (figure, value, stored)
    }
    guard let (figure, value, factor) = amounts.first else { return nil }
    return
      "is \(Int(factor)) bytes, not 1000, so an MB of iOS 27 is 1024000 (except for disk space): \(figure.name) of "
      + String.printed("%.0f kB is %.1f MB", value, value * factor / 1e6)
  }
}
