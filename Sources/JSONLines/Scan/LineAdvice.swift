import Codecs

/// A description of lines that yield no sample: their members, and a mapping that reads them.
package struct LineAdvice: Sendable, Equatable {
  /// The outcome of applying a mapping to rejected lines.
  package struct Trial: Sendable, Equatable {
    /// Lines that the mapping reads.
    package let read: Int
    /// Lines tried.
    package let total: Int
  }

  /// Paths of the members visible in the first whole line, in order; empty if it is not a JSON object.
  package let members: [String]
  /// A mapping that finds a time in the lines; `nil` if there is none.
  package let mapping: LineMapping?
  /// A program that makes readable lines of them; `nil` if the mapping reads them, or nothing does.
  package let filter: LineFilter?
  /// The outcome of the mapping; `nil` if no whole line is known.
  package let trial: Trial?

  /// The layout of a MisterMetrics line.
  package static let expected =
    #"{"metric":{"name":"launch","valueTypeString":"Int"},"timestamp":816918481.5,"value":"MA=="}"#

  /// - Parameter excerpt: The start of the line; members that are cut off are ignored.
  package init(excerpt: [UInt8]) { self.init(excerpts: [excerpt]) }

  /// - Parameter excerpts: The starts of lines; only whole ones are tried.
  package init(excerpts: some Sequence<[UInt8]>) {
    let lines = excerpts.prefix(RejectionLog.firstLimit).map(AdvisedLine.init)
    let whole = lines.filter(\.isWhole)
    members = (whole.first ?? lines.first)?.leaves.map(\.path) ?? []
    mapping = MappingChoice(whole.isEmpty ? Array(lines.prefix(1).filter(\.isCut)) : whole).best()
    filter = LineFilter(lines, areMapped: mapping != nil)
    trial = mapping.flatMap { mapping in
      whole.isEmpty ? nil : Trial(read: whole.count { $0.isRead(by: mapping) }, total: whole.count)
    }
  }
}

/// A rejected line, without what surrounds it.
struct AdvisedLine {
  /// A member that is neither an object nor an array.
  struct Leaf {
    let path: String
    let kind: LineMember.Kind
    let role: MemberRole
    let text: [UInt8]
    /// Seconds since 2001, if the value may be a time.
    let time: Double?
    /// True if the path can be written in a mapping.
    let isUsable: Bool
  }

  /// Maximum depth of inner objects that are searched, and maximum members.
  private static let (depthLimit, leafLimit) = (4, 200)

  let excerpt: [UInt8]
  private(set) var leaves: [Leaf] = []
  private(set) var isWhole = false
  /// True if the rest of the line may be missing here.
  var isCut: Bool { RejectionLog.excerptLimits.contains(excerpt.count) }

  init(excerpt: [UInt8]) {
    self.excerpt = excerpt
    var reader = ForeignReader()
    let inner = excerpt.withUnsafeBytes { Self.inner(of: $0.withoutByteOrderMark) }
    let repaired = inner.withUnsafeBytes { RecordRepair($0)?.bytes }
    (repaired ?? inner).withUnsafeBytes { line in
      var lines = LineMembers()
      // The excerpt may end mid-line; the members read before its end are enough.
      isWhole = lines.read(line)
      collect(lines.members, line, "", depth: 0, &reader)
    }
  }

  /// The line without its wrappers.
  private static func inner(of line: UnsafeRawBufferPointer) -> [UInt8] {
    var wrappers = WrappedLines()
    var inner = Array(line)
    for _ in 0..<4 {
      let next = inner.withUnsafeBytes { line -> [UInt8]? in
        let isObject = wrappers.reader.lines.read(line)
        let members = wrappers.reader.lines.members
        switch isObject ? wrappers.peel(members, line) : line.first == 0x7B ? nil : wrappers.peel(line) {
        case .copy(let bytes)?: return bytes
        case .part(let range)?: return Array(line[range])
        case .nothing?, nil: return nil
        }
      }
      guard let next else { break }
      inner = next
    }
    return inner
  }

  /// Characters that end a name in a mapping's text, or need an escape in JSON.
  private static let separators = Set(",=:\"\\\u{FFFD}".unicodeScalars)

  private mutating func collect(
    _ members: [LineMember], _ line: UnsafeRawBufferPointer, _ prefix: String, depth: Int,
    _ reader: inout ForeignReader
  ) {
    for member in members where leaves.count < Self.leafLimit {
      let key = member.key(in: line)
      let name = String(decoding: key, as: UTF8.self)
      if member.kind == .object, depth < Self.depthLimit, !name.contains(".") {
        let inner = member.members(in: line) ?? []
        collect(inner, line, prefix + name + ".", depth: depth + 1, &reader)
        continue
      }
      // Scalars, because a comma with a combining mark is a different `Character`. A name that is not valid UTF-8
      // cannot be typed.
      let isUsable =
        !name.isEmpty && name.unicodeScalars.allSatisfy { !Self.separators.contains($0) }
        && name.utf8.elementsEqual(key) && (prefix.isEmpty || !name.contains("."))
      leaves.append(
        Leaf(
          path: prefix + name, kind: member.kind, role: member.role, text: Array(member.value(in: line)),
          time: reader.plausibleTime(member, line), isUsable: isUsable))
    }
  }

  /// True if the line becomes a sample, with a mapping or without.
  func isRead(by mapping: LineMapping?) -> Bool {
    var scanner = SampleScanner(mapping: mapping)
    var batch = SampleBatch()
    excerpt.withUnsafeBytes { scanner.scan($0, into: &batch) }
    scanner.finish(into: &batch)
    return !batch.samples.isEmpty
  }
}

extension ForeignReader {
  /// The time that a member holds, if it looks like one.
  mutating func plausibleTime(_ member: LineMember, _ line: UnsafeRawBufferPointer) -> Double? {
    time(member, in: line, .automatic).flatMap { MomentText.plausible.contains($0) ? $0 : nil }
  }
}
