import Aggregation
import Codecs
import Foundation
import MisterMetricsCore
import TelemetryCore

/// Checks of the reader of payloads.
package enum PayloadChecks {
  /// Whatever the bytes are, something is said about them, and what was read can be written and read again.
  ///
  /// Its text stays the same from then on. The first text may be less exact than what was read:
  /// Apple's form has whole numbers only.
  package static func payload(_ input: UnsafeRawBufferPointer) -> String? {
    var reader = PayloadReader()
    let reading = reader.read(Data(input))
    if reading.items.isEmpty, reading.errors.isEmpty, reading.notes.isEmpty { return "nothing was said" }
    for error in reading.errors where error.text.isEmpty || error.place.byte > input.count {
      return "an error without words or place"
    }
    for item in reading.items {
      if let fault = recording(item) ?? keeping(item) { return fault }
    }
    for payload in reading.payloads where !hasNothingKnown(payload) {
      let written = payload.jsonRepresentation()
      var again = PayloadReader()
      let second = again.read(written)
      guard second.errors.isEmpty, let same = second.payloads.first, second.items.count == 1 else {
        return "what was written cannot be read: \(second.errors)"
      }
      guard same.jsonRepresentation() == written else { return "what was written is not what was read" }
    }
    return nil
  }

  /// Whatever a diagnostic holds, its entry is short enough and is read as it was recorded, and its call stacks are a tree
  /// that loses no sample.
  private static func recording(_ item: PayloadReading.Item) -> String? {
    let source = RecordedSource(name: "fuzz.json", contentHash: item.contentHash)
    let entries = item.payload.entries(at: .distantPast, source: source, isLocalized: item.isLocalized)
    for entry in entries where entry.metric.valueTypeString == "PayloadDiagnostic" {
      guard entry.value.base64EncodedData().count < 1_000_000 else { return "a line of a megabyte" }
      guard let recorded = PayloadDiagnostic(json: Array(entry.value)),
        recorded == (try? entry.decode(PayloadDiagnostic.self))
      else { return "a diagnostic is not read as it was recorded" }
      let outline = CallStackOutline([recorded.callStacks])
      let roots = outline.rows(unfolded: []).reduce(0) { $0.addingSaturated($1.total) }
      guard roots == outline.total else { return "samples of call stacks are lost" }
    }
    return nil
  }

  /// The kept JSON of a payload is read as the same payload.
  private static func keeping(_ item: PayloadReading.Item) -> String? {
    var reader = PayloadReader()
    let again = reader.read(Data(item.origin.json.compactText.utf8))
    guard again.errors.isEmpty, again.items.count == 1, let same = again.items.first else {
      return "the kept JSON of a payload is not read as one: \(again.errors)"
    }
    // A whole number may be written as 1.5e9.
    let isSame = same.origin.json.compactText == item.origin.json.compactText
    return isSame ? nil : "the kept JSON of a payload has changed"
  }

  /// True if nothing that was known of it tells that it is a payload, such as a flag that is not set or an origin beside
  /// unknown members: Apple writes sections, or an origin alone.
  private static func hasNothingKnown(_ payload: Payload) -> Bool {
    guard case .metric(let payload) = payload,
      let written = try? JSONValue(Array(payload.jsonRepresentation()))
    else { return false }
    let own = (written.fields ?? [:]).keys.filter { payload.otherFields[$0] == nil }
    return own.isEmpty || !payload.otherFields.isEmpty && !own.contains { $0.hasSuffix("Metrics") }
  }
}
