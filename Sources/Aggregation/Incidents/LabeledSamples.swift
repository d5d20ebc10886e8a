import Essentials

/// The newest numbers of a struct's field with its texts and bools, in constant memory.
///
/// They tell which value of a text or bool carries a change: half of them are from before it, the others since.
struct LabeledSamples: Sendable {
  /// Number of samples kept, fields, and distinct values of a field; a field with more is ignored.
  private static let capacity = 512
  private static let fieldLimit = 8
  private static let valueLimit = 32
  private static let longest = 64

  private struct Field: Sendable {
    let name: String
    var values: [String] = []
    var isIgnored = false
  }

  private struct Row: Sendable {
    var time: Double
    var number: Double
    /// The place of the value of each field plus 1, a byte each; 0 without one.
    var values: UInt64
  }

  private var fields: [Field] = []
  /// A ring; `next` is the place of the oldest one once it is full.
  private var rows: [Row] = []
  private var next = 0
  /// The finding about the change that is half of the samples old.
  private var known: (start: Double, carrier: Incident.Carrier?)?

  /// Records a number and the labels beside it.
  ///
  /// - Parameter change: the ongoing change of the numbers.
  mutating func record(_ number: Double, _ labels: [SampleLabel], at time: Double, during change: Incident?) {
    guard number.isFinite else { return }
    let row = Row(time: time, number: number, values: labels.reduce(0) { $0 | code(of: $1) })
    if rows.count < Self.capacity {
      rows.append(row)
    } else {
      rows[next] = row
      next = (next + 1) % Self.capacity
    }
    guard let change, known?.start != change.start, rows.count == Self.capacity,
      rows[(next + Self.capacity / 2) % Self.capacity].time >= change.start
    else { return }
    known = (change.start, search(change))
  }

  private mutating func code(of label: SampleLabel) -> UInt64 {
    var place = fields.firstIndex { $0.name == label.field }
    if place == nil, fields.count < Self.fieldLimit {
      place = fields.count
      fields.append(Field(name: label.field))
    }
    guard let place, !fields[place].isIgnored else { return 0 }
    if let value = fields[place].values.firstIndex(of: label.value) {
      return UInt64(value + 1) << (8 * place)
    }
    guard fields[place].values.count < Self.valueLimit, label.value.utf8.count <= Self.longest else {
      fields[place].isIgnored = true
      return 0
    }
    fields[place].values.append(label.value)
    return UInt64(fields[place].values.count) << (8 * place)
  }

  /// The value that alone carries a change; `nil` if several do, or if that is unknown.
  func carrier(of change: Incident) -> Incident.Carrier? {
    if let known, known.start == change.start { return known.carrier }
    return search(change)
  }

  private func search(_ change: Incident) -> Incident.Carrier? {
    let end = change.end.time ?? .infinity
    let found = fields.indices.compactMap { place -> (carrier: Incident.Carrier, part: Double)? in
      guard !fields[place].isIgnored, let change = decomposition(by: place, change.start, until: end),
        let sole = change.soleCarrier
      else { return nil }
      let carrier = Incident.Carrier(
        field: fields[place].name, value: fields[place].values[sole.group.value], count: sole.count)
      return (carrier, sole.group.within / change.change)
    }
    return found.max { $0.part < $1.part }?.carrier
  }

  private func decomposition(
    by place: Int, _ start: Double, until end: Double
  ) -> ChangeDecomposition<Int>? {
    var sums = [(before: Moments, after: Moments)](
      repeating: (Moments(), Moments()), count: fields[place].values.count)
    for row in rows where row.time <= end {
      let value = Int(row.values >> (8 * UInt64(place)) & 0xff) - 1
      guard sums.indices.contains(value) else { continue }
      if row.time < start {
        sums[value].before.record(row.number)
      } else {
        sums[value].after.record(row.number)
      }
    }
    return ChangeDecomposition(sums.enumerated().map { ($0, .init($1.after), .init($1.before)) })
  }
}

/// A text or bool beside the numbers of a struct.
package struct SampleLabel: Sendable, Hashable {
  package let field: String
  package let value: String

  package init(field: String, value: String) { (self.field, self.value) = (field, value) }
}
