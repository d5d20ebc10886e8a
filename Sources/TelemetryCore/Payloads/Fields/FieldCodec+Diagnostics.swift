import Codecs

extension FieldCodec {
  /// A diagnostic of one kind.
  static func diagnostic<Details: DiagnosticDetails>() -> FieldCodec where Value == Diagnostic<Details> {
    FieldCodec { json, context in
      guard let fields = json.fields else { return context.refuse(json, "a diagnostic") }
      return Diagnostic(fields, &context)
    } write: {
      .object($0.json)
    } digest: {
      $0.digest
    }
  }
}

extension Diagnostic where Details: DiagnosticDetails {
  init(_ fields: [String: JSONValue], _ context: inout ReadingContext) {
    self.init(Details())
    var rest = fields
    details.read(Details.elementFields, from: &rest, &context)
    let unread = details.otherFields
    details.otherFields = [:]
    if let data = rest["diagnosticMetaData"]?.fields {
      rest["diagnosticMetaData"] = nil
      context.at("diagnosticMetaData") { readMetaData(data, &$0) }
    }
    // Some tools write members of the metadata beside it.
    details.read(Details.fields, from: &rest, &context)
    metaData.read(PayloadMetaData.fields, from: &rest, &context)
    var beside = DiagnosticFields()
    beside.read(DiagnosticFields.elementFields + DiagnosticFields.fields, from: &rest, &context)
    beside.keep(rest, &context)
    (version, callStackTree) = (beside.version, beside.callStackTree)
    (timeStampBegin, timeStampEnd) = (beside.timeStampBegin, beside.timeStampEnd)
    applicationVersion = applicationVersion ?? beside.applicationVersion
    signpostData = signpostData ?? beside.signpostData
    states = states ?? beside.states
    otherFields = beside.otherFields.merging(unread) { kept, _ in kept }
  }

  private mutating func readMetaData(_ fields: [String: JSONValue], _ context: inout ReadingContext) {
    var rest = fields
    details.read(Details.fields, from: &rest, &context)
    metaData.read(PayloadMetaData.fields, from: &rest, &context)
    var inside = DiagnosticFields()
    inside.read(DiagnosticFields.fields, from: &rest, &context)
    (applicationVersion, signpostData) = (inside.applicationVersion, inside.signpostData)
    states = inside.states
    metaData.keep(rest, &context)
    metaData.otherFields.merge(inside.otherFields) { kept, _ in kept }
  }

  /// The content of the hash; call stacks are large, so it is computed without writing them as JSON.
  var digest: ContentDigest {
    var rest = self
    rest.callStackTree = nil
    let tree = callStackTree.map { [$0.digest] } ?? []
    return ContentDigest(elements: [ContentDigest(.object(rest.json))] + tree)
  }

  var json: [String: JSONValue] {
    var fields = DiagnosticFields()
    (fields.version, fields.callStackTree) = (version, callStackTree)
    (fields.timeStampBegin, fields.timeStampEnd) = (timeStampBegin, timeStampEnd)
    (fields.applicationVersion, fields.signpostData) = (applicationVersion, signpostData)
    fields.states = states
    var data = metaData.json
    write(Details.fields, of: details, to: &data)
    data.merge(details.otherFields) { written, _ in written }
    write(DiagnosticFields.fields, of: fields, to: &data)
    var json = otherFields
    write(Details.elementFields, of: details, to: &json)
    write(DiagnosticFields.elementFields, of: fields, to: &json)
    // A former value that was not an object is kept.
    if !data.isEmpty || json["diagnosticMetaData"] == nil { json["diagnosticMetaData"] = .object(data) }
    return json
  }

  private func write<Section>(
    _ table: [SectionField<Section>], of section: Section, to json: inout [String: JSONValue]
  ) {
    for field in table {
      if let value = field.write(section) { json[field.key] = value }
    }
  }
}

/// The fields common to all diagnostics.
private struct DiagnosticFields: PayloadSection {
  var version: String?
  var timeStampBegin: PayloadTime?
  var timeStampEnd: PayloadTime?
  var callStackTree: CallStackTree?
  var applicationVersion: String?
  var signpostData: [DiagnosticSignpost]?
  var states: [ReportedState]?
  var otherFields: [String: JSONValue] = [:]

  /// Fields in the metadata.
  static let fields: [SectionField<Self>] = [
    SectionField("appVersion", \.applicationVersion, .text, aliases: ["applicationVersion"]),
    SectionField("signpostData", \.signpostData, .list(.section)),
    SectionField("states", \.states, .list(.section)),
  ]

  /// Fields beside the call stacks.
  static let elementFields: [SectionField<Self>] = [
    SectionField("version", \.version, .text),
    SectionField("timeStampBegin", \.timeStampBegin, .time, aliases: ["timeStamp", "timestamp"]),
    SectionField("timeStampEnd", \.timeStampEnd, .time),
    SectionField("callStackTree", \.callStackTree, .callStackTree),
  ]
}
