import Platform

/// The rows of payloads in formats that have one for each value, bin and frame.
struct PayloadRows {
  static let usualLabels = ["version", "build", "device", "os", "state"]

  enum Value {
    case number(Double)
    case text(String)
    case bin(lower: Double, upper: Double, count: Int)
    case frame(String, samples: Int?)
  }

  struct Row {
    let time: Timestamp
    let name: String
    let type: String
    var field: String
    let value: Value
    let unit: String
    /// In the order of the label names.
    let labels: [String]
    let payload: String
    let marks: [(name: String, isSet: Bool)]
  }

  let archive: PayloadArchive
  let labels: PayloadLabels
  let options: ExportOptions

  init(_ archive: PayloadArchive, _ options: ExportOptions) {
    (self.archive, self.options) = (archive, options)
    labels = PayloadLabels(options.labels ?? Self.usualLabels, archive)
  }

  /// Calls `body` with the rows of figures by time, then with those of diagnostics.
  func forEach(_ body: (Row) throws -> Void) rethrows {
    let names = archive.figures.map { labels.figure($0.name) }
    for payload in archive.payloads {
      for (figure, value) in payload.values where names.indices.contains(figure) {
        let (name, state) = names[figure]
        let (unit, values) = (archive.figures[figure].unit, labels.values(of: payload, state: state))
        func row(_ type: String, _ field: String, _ value: Value) -> Row {
          Row(
            time: payload.time, name: name, type: type, field: field, value: value, unit: unit,
            labels: values, payload: labels.shortName(of: payload), marks: payload.marks)
        }
        switch value {
        case .number(let number): try body(row("PayloadScalar", "value", .number(number)))
        case .bins(let bins):
          for bin in bins {
            let value = Value.bin(lower: bin.start, upper: bin.upper(unit: unit), count: bin.count)
            try body(row("PayloadHistogram", "bin", value))
          }
        }
      }
    }
    for diagnostic in archive.diagnostics { try forEach(of: diagnostic, body) }
  }

  private func forEach(of diagnostic: PayloadArchive.Diagnostic, _ body: (Row) throws -> Void) rethrows {
    var payload = labels.payload(of: diagnostic) ?? PayloadArchive.Payload()
    let (version, parts) = options.members(diagnostic)
    payload.version = version
    let values = labels.values(of: payload, state: "")
    func row(_ field: String, _ value: Value, unit: String = "") -> Row {
      Row(
        time: diagnostic.time, name: diagnostic.kind, type: "PayloadDiagnostic", field: field, value: value,
        unit: unit, labels: values, payload: labels.shortName(of: payload), marks: payload.marks)
    }
    for part in parts {
      switch part {
      case .text(let field, let text): try body(row(field, .text(text)))
      case .number(let field, let number, let unit): try body(row(field, .number(number), unit: unit))
      case .frame(let stack, let place, let text, let samples):
        try body(row("frame.\(stack).\(place)", .frame(text, samples: samples)))
      }
    }
  }
}
