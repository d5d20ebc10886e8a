import Codecs

/// The surroundings of a line: its time, and dimensions such as container, stream and host.
struct LineSurroundings: Sendable {
  /// Maximum dimensions kept.
  private static let limit = 64

  /// Seconds since 2001.
  var time: Double?
  /// Members of a JSON object, each with the range of its name.
  private var bytes: [UInt8] = []
  private var names: [Range<Int>] = []
  private var ends: [Int] = []

  var isEmpty: Bool { names.isEmpty }

  mutating func removeAll() {
    time = nil
    bytes.removeAll(keepingCapacity: true)
    names.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }

  /// Adds a member of a JSON object under a name that is written as JSON.
  mutating func add(_ name: UnsafeRawBufferPointer, _ member: LineMember, _ line: UnsafeRawBufferPointer) {
    add(name) { bytes in
      let isText = member.kind == .text
      if isText { bytes.append(UInt8(ascii: "\"")) }
      bytes.append(contentsOf: member.value(in: line))
      if isText { bytes.append(UInt8(ascii: "\"")) }
    }
  }

  /// Adds a part of a line of text.
  mutating func add(_ name: StaticString, text: UnsafeRawBufferPointer) {
    guard !text.isEmpty else { return }
    add(UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)) { bytes in
      JSONWriter.append(text: String(decoding: text, as: UTF8.self), to: &bytes)
    }
  }

  private mutating func add(_ name: UnsafeRawBufferPointer, _ value: (inout [UInt8]) -> Void) {
    guard names.count < Self.limit, !names.contains(where: { bytes[$0].elementsEqual(name) }) else { return }
    bytes.append(UInt8(ascii: "\""))
    names.append(bytes.count..<bytes.count + name.count)
    bytes.append(contentsOf: name)
    JSONWriter.append("\":", to: &bytes)
    value(&bytes)
    ends.append(bytes.count)
  }

  /// Adds the dimensions to the structs of a batch's last samples, except names that the line itself has.
  ///
  /// - Parameters:
  ///   - first: The index of the first such sample.
  ///   - members: The members of the line.
  func add(
    to batch: inout SampleBatch, from first: Int, _ members: [LineMember], _ line: UnsafeRawBufferPointer
  ) {
    let added = names.indices.filter { place in
      !members.contains { bytes[names[place]].elementsEqual($0.key(in: line)) }
    }
    guard !added.isEmpty, first < batch.samples.count else { return }
    let start = Int(batch.samples[first].payloadStart)
    guard start <= batch.payload.count, batch.payload.count <= 1 << 31 else { return }
    let old = Array(batch.payload[start...])
    batch.payload.removeLast(old.count)
    for index in first..<batch.samples.count {
      let sample = batch.samples[index]
      let from = min(max(0, Int(sample.payloadStart) - start), old.count)
      let payload = old[from..<min(from + Int(sample.payloadCount), old.count)]
      let place = batch.payload.count
      if sample.kind == .object, payload.count >= 2 {
        batch.payload.append(UInt8(ascii: "{"))
        for (number, name) in added.enumerated() {
          if number > 0 { batch.payload.append(UInt8(ascii: ",")) }
          batch.payload.append(contentsOf: bytes[names[name].lowerBound - 1..<ends[name]])
        }
        let rest = payload.dropFirst()
        if rest.first(where: { $0 > 0x20 }) != UInt8(ascii: "}") { batch.payload.append(UInt8(ascii: ",")) }
        batch.payload.append(contentsOf: rest)
      } else {
        batch.payload.append(contentsOf: payload)
      }
      batch.samples[index].payloadStart = UInt32(clamping: place)
      batch.samples[index].payloadCount = UInt32(clamping: batch.payload.count - place)
    }
  }
}
