import Aggregation
import Platform

// The compact form of a cell: absent parts take no space.
extension IndexCell {
  private struct Parts: OptionSet {
    let rawValue: UInt64
    static let numbers = Parts(rawValue: 1)
    static let nulls = Parts(rawValue: 2)
    static let bools = Parts(rawValue: 4)
    static let texts = Parts(rawValue: 8)
    /// The sum needs more than its first part.
    static let wideSum = Parts(rawValue: 16)
    /// All samples have the same time.
    static let oneTime = Parts(rawValue: 32)
    /// All numbers are equal, or there is only one.
    static let oneValue = Parts(rawValue: 64)
  }

  private var parts: Parts {
    var parts: Parts = []
    if numbers > 0 { parts.insert(.numbers) }
    if numbers > 0, minimum == maximum { parts.insert(.oneValue) }
    if sum.parts[2] != 0 || sum.parts[3] != 0 { parts.insert(.wideSum) }
    if nulls > 0 { parts.insert(.nulls) }
    if trues > 0 || falses > 0 { parts.insert(.bools) }
    if !texts.isEmpty { parts.insert(.texts) }
    if firstTime == lastTime { parts.insert(.oneTime) }
    return parts
  }

  func write(to out: inout PackedWriter) {
    let parts = parts
    out.write(parts.rawValue)
    out.write(firstTime)
    if !parts.contains(.oneTime) { out.write(lastTime) }
    if parts.contains(.nulls) { out.write(count: nulls) }
    if parts.contains(.bools) {
      out.write(count: trues)
      out.write(count: falses)
    }
    if parts.contains(.texts) {
      out.write(count: texts.count)
      var last = 0
      for text in texts {
        out.write(count: text.number - last)
        out.write(count: text.count)
        last = text.number
      }
    }
    guard parts.contains(.numbers) else { return }
    writeNumbers(parts, to: &out)
  }

  private func writeNumbers(_ parts: Parts, to out: inout PackedWriter) {
    out.write(count: numbers)
    for part in sum.parts.prefix(parts.contains(.wideSum) ? 4 : 2) { out.write(part) }
    out.write(minimum)
    if !parts.contains(.oneValue) { out.write(maximum) }
    out.write(UInt64(sketch.coarseness))
    out.write(count: sketch.bins.count)
    var last: Int64 = 0
    for bin in sketch.bins {
      out.write(signed: Int64(bin.key) - last)
      out.write(UInt64(bin.count))
      last = Int64(bin.key)
    }
  }

  /// - Parameter withHistogram: true if the histogram is needed; without it, reading is several times faster.
  init(_ reader: inout PackedReader, withHistogram: Bool = true) throws(IndexFault) {
    let parts = Parts(rawValue: try reader.unsigned())
    firstTime = try reader.moment()
    lastTime = parts.contains(.oneTime) ? firstTime : try reader.moment()
    guard firstTime <= lastTime else { throw .damaged }
    if parts.contains(.nulls) { nulls = try reader.count(atMost: Self.countLimit) }
    if parts.contains(.bools) {
      trues = try reader.count(atMost: Self.countLimit)
      falses = try reader.count(atMost: Self.countLimit)
    }
    if parts.contains(.texts) { try readTexts(&reader) }
    if parts.contains(.numbers) { try readNumbers(parts, &reader, withHistogram) }
  }

  /// More samples than any file has; sums of counts up to this do not overflow.
  private static let countLimit = 1 << 48

  private mutating func readTexts(_ reader: inout PackedReader) throws(IndexFault) {
    var number = 0
    for _ in 0..<(try reader.count(atMost: TextTable.limit + 1)) {
      number += try reader.count(atMost: TextTable.limit)
      texts.append(TextCount(number: number, count: try reader.count(atMost: Self.countLimit)))
    }
    guard zip(texts, texts.dropFirst()).allSatisfy({ $0.number < $1.number }) else { throw .damaged }
  }

  private mutating func readNumbers(
    _ parts: Parts, _ reader: inout PackedReader, _ withHistogram: Bool
  ) throws(IndexFault) {
    numbers = try reader.count(atMost: Self.countLimit)
    var sums = [try reader.double(), try reader.double(), 0, 0]
    if parts.contains(.wideSum) { (sums[2], sums[3]) = (try reader.double(), try reader.double()) }
    guard let sum = CompensatedSum(parts: sums) else { throw .damaged }
    self.sum = sum
    minimum = try reader.double()
    maximum = parts.contains(.oneValue) ? minimum : try reader.double()
    guard withHistogram else { return }
    let coarseness = UInt8(try reader.count(atMost: 255))
    var bins: [SketchHistogram.Bin] = []
    var key: Int64 = 0
    for _ in 0..<(try reader.count(atMost: 4 * Self.bins)) {
      key &+= try reader.signed()
      let count = try reader.count(atMost: Int(UInt32.max))
      bins.append(SketchHistogram.Bin(key: Int32(truncatingIfNeeded: key), count: UInt32(count)))
    }
    guard let sketch = SketchHistogram(coarseness: coarseness, bins: bins) else { throw .damaged }
    self.sketch = sketch
  }
}
