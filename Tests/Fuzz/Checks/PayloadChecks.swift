import Foundation
import Telemetry

/// Checks of the reader of payloads.
package enum PayloadChecks {
  /// Whatever the bytes are, something is said about them, and what was read can be written and read again.
  ///
  /// What is written of it stays the same from then on. What is written first may be less exact than what was read:
  /// Apple's form has whole numbers only.
  package static func payload(_ input: UnsafeRawBufferPointer) -> String? {
    var reader = PayloadReader()
    let reading = reader.read(Data(input))
    if reading.items.isEmpty, reading.errors.isEmpty, reading.notes.isEmpty { return "nothing was said" }
    for error in reading.errors where error.text.isEmpty || error.place.byte > input.count {
      return "an error without words or place"
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

  /// Whether all that was known of it is what Apple does not write, such as a flag that is not set: what is written then
  /// does not tell that it is a payload.
  private static func hasNothingKnown(_ payload: Payload) -> Bool {
    guard case .metric(let payload) = payload else { return false }
    var bare = MetricPayload()
    bare.otherFields = payload.otherFields
    return bare == payload
  }
}
