import Codecs

/// Writes the members of a JSON object; names and strings are already escaped.
struct ObjectWriter {
  private var isFirst = true

  init(_ json: inout [UInt8]) { json.append(UInt8(ascii: "{")) }

  mutating func add(_ name: StaticString, _ value: UnsafeRawBufferPointer, to json: inout [UInt8]) {
    key(name, to: &json)
    json.append(contentsOf: value)
  }

  mutating func add(_ name: StaticString, quoted text: UnsafeRawBufferPointer, to json: inout [UInt8]) {
    key(name, to: &json)
    quote(text, to: &json)
  }

  mutating func key(_ name: StaticString, to json: inout [UInt8]) {
    key(UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount), prefix: "", to: &json)
  }

  mutating func key(_ name: UnsafeRawBufferPointer, prefix: StaticString, to json: inout [UInt8]) {
    if !isFirst { json.append(UInt8(ascii: ",")) }
    isFirst = false
    json.append(UInt8(ascii: "\""))
    JSONWriter.append(prefix, to: &json)
    json.append(contentsOf: name)
    JSONWriter.append("\":", to: &json)
  }

  func quote(_ text: UnsafeRawBufferPointer, to json: inout [UInt8]) {
    json.append(UInt8(ascii: "\""))
    json.append(contentsOf: text)
    json.append(UInt8(ascii: "\""))
  }

  func close(_ json: inout [UInt8]) { json.append(UInt8(ascii: "}")) }
}
