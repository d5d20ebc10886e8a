import Codecs
import Platform

/// Reads JSON lines written by other programs; the result for a line depends only on the line and the mapping.
///
/// A log line becomes one sample of kind ``SampleKind/object``, whose payload holds all members except the time: the
/// rules for structs then turn its numbers into series and its strings into dimensions.
struct ForeignReader: Sendable {
  /// The user's mapping for these lines; `nil` to recognize them automatically.
  var mapping: LineMapping? {
    didSet {
      guard mapping?.zone != oldValue?.zone else { return }
      moment.zone = mapping?.zone
      nested.zone = mapping?.zone
    }
  }

  var lines = LineMembers()
  var moment = MomentText()
  private var names = MetricNames()
  private var telemetry = OTLPReader()
  private var nested = NestedReader()

  /// The time of what surrounds the line, for a line without one.
  var outerTime: Double?
  /// The format of lines that were made of texts; `nil` to recognize it.
  var format: ForeignFormat?
  /// True if the last line is a JSON object of another program.
  private(set) var isObject = false

  /// Forgets the cached metric numbers.
  mutating func forgetMetrics() {
    names = MetricNames()
    telemetry.forgetMetrics()
    nested.forgetMetrics()
  }

  /// Forgets earlier lines, because reading continues elsewhere.
  mutating func restart() { nested.restart() }

  /// Reads a line; `false` if it is for another reader.
  ///
  /// - Throws: `LineFault` if it is a foreign line that yields no sample.
  mutating func read(
    _ line: UnsafeRawBufferPointer, at offset: UInt64, _ catalogue: inout MetricCatalogue,
    into batch: inout SampleBatch
  ) throws(LineFault) -> Bool {
    isObject = lines.read(line)
    guard isObject else { return false }
    if let rest = lines.withoutRepeated(line) {
      let isRead = try read(rewritten: rest, line, at: offset, &catalogue, into: &batch)
      // The surroundings of another line are looked up in the line itself.
      if !isRead { isObject = lines.read(line) }
      return isRead
    }
    if let mapping, mapping.time != nil {
      return try readMappedOrInner(line, mapping, offset, &catalogue, &batch)
    }
    if let decisive = lines.members.first(where: { $0.role.isDecisive }) {
      if decisive.role == .resources { return try telemetry.read(line, at: offset, &catalogue, into: &batch) }
      if decisive.kind == .object {
        return try nested.read(.emf, line, at: offset, outerTime: outerTime, &catalogue, into: &batch)
      }
    }
    guard let log = LogLine(lines.members, in: line, hasTime: outerTime != nil, format: format) else {
      return try readOther(line, offset, &catalogue, &batch)
    }
    if log.format == .log, let message = log.message, WrappedObject.holdsObject(lines.members[message], line)
    {
      return false
    }
    try append(log, line, offset, &catalogue, &batch)
    return true
  }

  /// Reads a line that is not a usual log; `false` if it surrounds another line, or is for another reader.
  private mutating func readOther(
    _ line: UnsafeRawBufferPointer, _ offset: UInt64, _ catalogue: inout MetricCatalogue,
    _ batch: inout SampleBatch
  ) throws(LineFault) -> Bool {
    guard WrappedObject(lines.members, in: line) == nil else { return false }
    if let format = NestedFormat(lines.members, in: line) {
      return try nested.read(format, line, at: offset, outerTime: outerTime, &catalogue, into: &batch)
    }
    let time = lines.members.indices.first {
      lines.members[$0].role.isTime && plausibleTime(lines.members[$0], line) != nil
    }
    guard time != nil || outerTime != nil else {
      if lines.members.contains(where: { $0.role.isTime && WrittenMoment.isAmbiguous($0.value(in: line)) }) {
        throw LineFault(.ambiguousDate)
      }
      return false
    }
    guard let log = LogLine(numbers: lines.members, in: line, time: time, format: format) else {
      return false
    }
    try append(log, line, offset, &catalogue, &batch)
    return true
  }

  private mutating func append(
    _ log: LogLine, _ line: UnsafeRawBufferPointer, _ offset: UInt64, _ catalogue: inout MetricCatalogue,
    _ batch: inout SampleBatch
  ) throws(LineFault) {
    var (log, own) = (log, log.time.flatMap { time(lines.members[$0], in: line, .automatic) })
    let isSure = own.map(MomentText.plausible.contains) ?? false
    if !isSure || log.time.map({ lines.members[$0].role == .date }) ?? false,
      let other = otherTime(than: log.time, line)
    {
      (log.time, own) = other
    }
    guard let time = own ?? outerTime else {
      throw fault(log.time.map { lines.members[$0] }, line, or: .unreadableTime)
    }
    let name = log.name.map { lines.members[$0] }
    let metric = try names.number(
      name?.value(in: line), hasEscapes: name?.hasEscapes ?? false, bucket: nil, log.format.metricName,
      log.format.typeName,
      &catalogue)
    let start = batch.payload.count
    if start <= 1 << 31 {
      LogPayload.write(log, lines.members, line, keepsTexts: mapping?.keepsTexts ?? false, to: &batch.payload)
    }
    batch.samples.append(
      Sample(
        time: Timestamp(time), value: 0, offset: offset, payloadStart: UInt32(clamping: start),
        payloadCount: UInt32(clamping: batch.payload.count - start), metric: metric, kind: .object))
  }

  /// A plausible time that is not in the preferred member alone: a date and the time of its day, or another member.
  private mutating func otherTime(than first: Int?, _ line: UnsafeRawBufferPointer) -> (Int?, Double?)? {
    let times = lines.members.indices.filter { lines.members[$0].role.isTime }
    func text(_ place: Int) -> UnsafeRawBufferPointer { lines.members[place].value(in: line) }
    if let date = times.first(where: { lines.members[$0].role == .date }),
      let clock = times.first(where: { text($0).count <= 18 && text($0).contains(UInt8(ascii: ":")) })
    {
      let whole = Array(text(date)) + [0x20] + text(clock)
      return whole.withUnsafeBytes { moment.seconds($0) }.map { (date, $0) }
    }
    for place in times where place != first {
      if let time = plausibleTime(lines.members[place], line) { return (place, time) }
    }
    return nil
  }

  /// The reason for a time that cannot be read.
  private func fault(
    _ time: LineMember?, _ line: UnsafeRawBufferPointer, or usual: RejectionReason
  ) -> LineFault {
    let isAmbiguous = time.map { WrittenMoment.isAmbiguous($0.value(in: line)) } ?? false
    return LineFault(isAmbiguous ? .ambiguousDate : usual)
  }

  /// Reads a line by a mapping; `false` if the mapping is for what the line surrounds.
  private mutating func readMappedOrInner(
    _ line: UnsafeRawBufferPointer, _ mapping: LineMapping, _ offset: UInt64,
    _ catalogue: inout MetricCatalogue, _ batch: inout SampleBatch
  ) throws(LineFault) -> Bool {
    let wrapped = WrappedObject(lines.members, in: line)
    if let wrapped, wrapped.isCertain { return false }
    do throws(LineFault) {
      try readMapped(line, mapping, offset, &catalogue, &batch)
    } catch {
      guard wrapped != nil else { throw error }
      return false
    }
    return true
  }

  /// Reads a line in place of the one in the file.
  ///
  /// - Parameter original: The line in the file, which determines the offsets of the samples.
  mutating func read(
    rewritten: [UInt8], _ original: UnsafeRawBufferPointer, at offset: UInt64,
    _ catalogue: inout MetricCatalogue, into batch: inout SampleBatch
  ) throws(LineFault) -> Bool {
    let first = batch.samples.count
    let result = rewritten.withUnsafeBytes { line in
      Result { () throws(LineFault) in try read(line, at: offset, &catalogue, into: &batch) }
    }
    for place in first..<batch.samples.count where batch.samples[place].offset > offset {
      // Samples inside a line have offsets of their own, which must stay in the line.
      let inner = Double(batch.samples[place].offset - offset) / Double(max(1, rewritten.count))
      batch.samples[place].offset = offset &+ UInt64(inner * Double(original.count))
    }
    return try result.get()
  }

  /// The time held by a member, in seconds since 2001.
  mutating func time(
    _ member: LineMember, in line: UnsafeRawBufferPointer, _ form: LineMapping.TimeForm
  ) -> Double? {
    let text = member.value(in: line)
    switch member.kind {
    case .number where form != .text: return moment.seconds(digits: text, form)
    case .text where !member.hasEscapes: return moment.seconds(text: text, form)
    case .text:
      // Some encoders escape the slash and the plus sign.
      let written = MetricNames.text(text, hasEscapes: true)
      guard written.utf8.count <= 80 else { return nil }
      return Array(written.utf8).withUnsafeBytes { moment.seconds(text: $0, form) }
    default: return nil
    }
  }

  private mutating func readMapped(
    _ line: UnsafeRawBufferPointer, _ mapping: LineMapping, _ offset: UInt64,
    _ catalogue: inout MetricCatalogue, _ batch: inout SampleBatch
  ) throws(LineFault) {
    let mapped = MappedLine(mapping, lines.members, line)
    guard let member = mapped.time, let time = time(member, in: line, mapping.timeForm) else {
      throw fault(mapped.time, line, or: .noMappedTime)
    }
    if mapping.name != nil, mapped.name == nil { throw LineFault(.noMappedName) }
    if mapping.value != nil, mapped.value == nil { throw LineFault(.noMappedValue) }
    let metric = try names.number(
      mapped.name?.value(in: line), hasEscapes: mapped.name?.hasEscapes ?? false, bucket: nil,
      LineMapping.unnamed,
      LineMapping.unnamed, &catalogue)
    let start = batch.payload.count
    let (kind, value) = try mapped.write(lines.members, line, to: &batch.payload)
    batch.samples.append(
      Sample(
        time: Timestamp(time), value: value, offset: offset, payloadStart: UInt32(clamping: start),
        payloadCount: UInt32(clamping: batch.payload.count - start), metric: metric, kind: kind))
  }
}

extension Decimals {
  /// An integer of any length that fits `Int`; `nil` for any other text.
  static func wholeNumber(_ text: UnsafeRawBufferPointer) -> Int? {
    if let usual = integer(text) { return usual }
    guard text.count <= 20 else { return nil }
    var (value, isWhole) = (0, !text.isEmpty)
    for byte in text {
      let digit = Int(byte &- UInt8(ascii: "0"))
      let (tenfold, tooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflow) = tenfold.addingReportingOverflow(digit)
      guard digit < 10, !tooLarge, !overflow else {
        isWhole = false
        break
      }
      value = sum
    }
    return isWhole ? value : nil
  }
}
