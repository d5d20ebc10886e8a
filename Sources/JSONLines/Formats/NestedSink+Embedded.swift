import Codecs

/// CloudWatch's embedded metric format.
extension NestedSink {
  /// Each metric that `_aws` names is a sample for each of its values, with the other texts as dimensions.
  mutating func readEMF(_ payload: inout [UInt8]) -> Bool {
    guard let header = view.member("_aws") else { return false }
    let stamp = time(view.member("Timestamp", of: header), .milliseconds)
    let view = view
    for directive in view.elements(view.member("CloudWatchMetrics", of: header)) {
      let bucket = view.text(view.member("Namespace", of: directive))
      for metric in view.elements(view.member("Metrics", of: directive)) {
        guard let name = view.text(view.member("Name", of: metric)), let target = target(name) else {
          continue
        }
        let field = Self.field(unit: view.text(view.member("Unit", of: metric)))
        let values = view.kind(target) == .array ? view.elements(target) : [target]
        for value in values where view.kind(value) == .number {
          add(.emf, time: stamp, bucket: bucket, name: .written(name), at: value, &payload) {
            writer, payload in
            writer.add(field, value, of: view, to: &payload)
            writer.addTags(
              of: 0, view, prefix: "member.",
              taken: { view.tape.equals($0, field, in: view.line) }, onlyTexts: true, to: &payload)
          }
        }
      }
    }
    return true
  }

  /// The index of the member that holds a metric's values.
  private func target(_ name: UnsafeRawBufferPointer) -> Int? {
    var found: Int?
    view.tape.forEachMember(of: 0) { key, value in
      if view.tape.bytes(key, in: view.line).elementsEqual(name) { found = value }
    }
    return found
  }

  /// A field whose name tells the unit.
  private static func field(unit: UnsafeRawBufferPointer?) -> StaticString {
    switch unit.map({ String(decoding: $0, as: UTF8.self) }) {
    case "Seconds": "s"
    case "Milliseconds": "ms"
    case "Microseconds": "us"
    case "Bytes": "bytes"
    case "Kilobytes": "kb"
    case "Megabytes": "mb"
    case "Gigabytes": "gb"
    case "Percent": "percent"
    case "Count/Second": "per_s"
    default: "value"
    }
  }
}
