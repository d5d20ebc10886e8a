import Codecs

extension FieldCodec<CallStackTree> {
  /// Call stacks, also as JSON within a string; frames without a name take that of their program.
  static let callStackTree = FieldCodec { json, context in
    guard var tree = FieldCodec.section.read(json, &context) else { return nil }
    let names = Dictionary(
      (tree.binaries ?? []).compactMap { binary in binary.uuid.map { ($0, binary.name) } },
      uniquingKeysWith: { first, _ in first }
    ).compactMapValues(\.self)
    if !names.isEmpty {
      for index in tree.callStacks.indices {
        for frame in tree.callStacks[index].callStackRootFrames.indices {
          tree.callStacks[index].callStackRootFrames[frame].name(by: names)
        }
      }
    }
    return tree
  } write: {
    .object($0.json)
  } digest: {
    $0.digest
  }
}

extension FieldCodec<CallStackFrame> {
  /// A frame with its subframes.
  ///
  /// Written by hand instead of with a table, because a diagnostic can have a hundred thousand of them. They nest at
  /// most half as deep as `JSONTokenizer.nestingLimit`.
  static let frame = FieldCodec {
    CallStackFrame($0, &$1)
  } write: {
    $0.json
  } digest: {
    $0.digest
  }
}

extension CallStackFrame {
  fileprivate mutating func name(by names: [String: String]) {
    if binaryName == nil { binaryName = binaryUUID.flatMap { names[$0] } }
    for index in subFrames.indices { subFrames[index].name(by: names) }
  }

  fileprivate init?(_ json: JSONValue, _ context: inout ReadingContext) {
    guard let fields = json.fields else {
      context.note("\(json.kind) where a frame was expected, left out")
      return nil
    }
    self.init()
    for (key, value) in fields where value != .null {
      if !read(value, under: key, &context) { otherFields[key] = value }
    }
  }

  /// Sets a property; false if the raw value should be kept instead.
  private mutating func read(_ value: JSONValue, under key: String, _ context: inout ReadingContext) -> Bool {
    switch key {
    case "binaryName": read(value, \.binaryName, .text, key, &context)
    case "binaryUUID": read(value, \.binaryUUID, .text, key, &context)
    case "address": read(value, \.address, .address, key, &context)
    case "offsetIntoBinaryTextSegment":
      read(value, \.offsetIntoBinaryTextSegment, .address, key, &context)
    case "sampleCount": read(value, \.sampleCount, .count, key, &context)
    case "subFrames": readSubFrames(value, &context)
    default: context.keep(key)
    }
  }

  private mutating func read<Value>(
    _ json: JSONValue, _ property: WritableKeyPath<Self, Value?>, _ codec: FieldCodec<Value>, _ key: String,
    _ context: inout ReadingContext
  ) -> Bool {
    let value = context.at(key) { codec.read(json, &$0) }
    self[keyPath: property] = value
    return value != nil
  }

  private mutating func readSubFrames(_ json: JSONValue, _ context: inout ReadingContext) -> Bool {
    let frames = context.at("subFrames") { FieldCodec.list(.frame).read(json, &$0) }
    subFrames = frames ?? []
    return frames != nil
  }

  /// The content of the hash: equal for frames with equal JSON.
  fileprivate var digest: ContentDigest {
    guard otherFields.isEmpty else { return ContentDigest(json) }
    var members = ContentDigest.Members()
    let keys = FrameKeys.digests
    if let binaryName { members.add(keys.binaryName, ContentDigest(binaryName)) }
    if let binaryUUID { members.add(keys.binaryUUID, ContentDigest(binaryUUID)) }
    if let address { members.add(keys.address, ContentDigest(JSONValue(address))) }
    if let offsetIntoBinaryTextSegment {
      members.add(keys.offset, ContentDigest(JSONValue(offsetIntoBinaryTextSegment)))
    }
    if let sampleCount { members.add(keys.sampleCount, ContentDigest(Int64(sampleCount))) }
    if !subFrames.isEmpty {
      members.add(keys.subFrames, ContentDigest(elements: subFrames.lazy.map(\.digest)))
    }
    return ContentDigest(members)
  }

  fileprivate var json: JSONValue {
    var json = otherFields
    if let binaryName { json["binaryName"] = .string(binaryName) }
    if let binaryUUID { json["binaryUUID"] = .string(binaryUUID) }
    if let address { json["address"] = JSONValue(address) }
    if let offsetIntoBinaryTextSegment {
      json["offsetIntoBinaryTextSegment"] = JSONValue(offsetIntoBinaryTextSegment)
    }
    if let sampleCount { json["sampleCount"] = .integer(Int64(sampleCount)) }
    if !subFrames.isEmpty { json["subFrames"] = .array(subFrames.map(\.json)) }
    return .object(json)
  }
}

extension ReadingContext {
  /// Notes that a key is kept; always false, because the value was not read.
  fileprivate mutating func keep(_ key: String) -> Bool {
    note("an unknown key, kept as it is", at: key)
    return false
  }
}

/// The keys of a frame in a hash.
private struct FrameKeys {
  static let digests = FrameKeys()

  let binaryName = ContentDigest("binaryName")
  let binaryUUID = ContentDigest("binaryUUID")
  let address = ContentDigest("address")
  let offset = ContentDigest("offsetIntoBinaryTextSegment")
  let sampleCount = ContentDigest("sampleCount")
  let subFrames = ContentDigest("subFrames")
}
