package import Codecs

extension PayloadDiagnostic {
  /// Reads a recorded value, many times as fast as Foundation's decoder; `nil` if the bytes are not such a value.
  ///
  /// Missing values become empty, and invalid ones, such as a frame of an unlisted program, unknown.
  package init?(json: [UInt8]) {
    guard case .object(let fields)? = try? JSONValue(json),
      let stacks = fields["callStacks"]?.fields
    else { return nil }
    func text(_ key: String) -> String { fields[key]?.text ?? "" }
    (appVersion, begin, end) = (text("appVersion"), text("begin"), text("end"))
    (os, device, source) = (text("os"), text("device"), text("source"))
    (reason, termination, exception) = (text("reason"), text("termination"), text("exception"))
    simulated = fields["simulated"] == .bool(true)
    value = fields["value"]?.double
    unit = text("unit")
    callStacks = RecordedCallStacks(stacks)
  }
}

extension RecordedCallStacks {
  fileprivate init(_ fields: [String: JSONValue]) {
    let binaries = (fields["binaries"]?.elements ?? []).map { json in
      Binary(name: json.fields?["name"]?.text ?? "", uuid: json.fields?["uuid"]?.text ?? "")
    }
    self.binaries = binaries
    frames = (fields["frames"]?.elements ?? []).compactMap { json in
      json.fields.map { Frame($0, binaries: binaries.indices) }
    }
    framesLeftOut = max(0, fields["framesLeftOut"]?.int ?? 0)
    perThread = fields["perThread"] == .bool(true)
    stacksLeftOut = max(0, fields["stacksLeftOut"]?.int ?? 0)
  }
}

extension RecordedCallStacks.Frame {
  fileprivate init(_ fields: [String: JSONValue], binaries: Range<Int>) {
    address = fields["address"]?.address
    binary = fields["binary"]?.int.flatMap { binaries.contains($0) ? $0 : nil }
    depth = max(0, fields["depth"]?.int ?? 0)
    offset = fields["offset"]?.address
    samples = fields["samples"]?.int
    symbols = fields["symbols"]?.elements?.map { RecordedCallStacks.Symbol($0.fields ?? [:]) }
  }
}

extension RecordedCallStacks.Symbol {
  package init(_ fields: [String: JSONValue]) {
    (function, file) = (fields["function"]?.text ?? "", fields["file"]?.text ?? "")
    line = fields["line"]?.int.flatMap { $0 > 0 ? $0 : nil }
  }

  package var json: JSONValue {
    var fields: [String: JSONValue] = ["function": .string(function), "file": .string(file)]
    fields["line"] = line.map { .integer(Int64($0)) }
    return .object(fields)
  }
}

extension JSONValue {
  fileprivate var int: Int? {
    if case .integer(let value) = self { Int(exactly: value) } else { nil }
  }

  fileprivate var address: UInt64? {
    switch self {
    case .integer(let value): UInt64(exactly: value)
    case .unsigned(let value): value
    case .null, .bool, .wide, .number, .string, .array, .object: nil
    }
  }
}
