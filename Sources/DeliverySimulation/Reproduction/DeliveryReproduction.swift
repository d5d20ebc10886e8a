import DeliveryCore
package import SimulationKit

/// A part of a delivery client's record as a scenario that leads to the same decisions.
///
/// Events get made-up content, and recorded answers become faults that are set before each batch.
package typealias DeliveryReproduction = RecordReproduction<DeliveryWorld>

extension RecordReproduction<DeliveryWorld> {
  /// Deviations allowed for exchange durations in seconds, tried in order.
  private static var tolerances: [Double] { [0.05, 0.005, 0.0005] }
  /// Seeds to try if the record has none; they determine the breaker's cooldowns.
  private static var seeds: ClosedRange<UInt64> { 1...8 }

  /// Reproduces the part of a record in a window.
  ///
  /// It starts at the last start of the client before the window that found no events on disk.
  ///
  /// - Parameters:
  ///   - entries: The entries of one client's record, in order.
  ///   - end: End of the window, in seconds since 2001.
  ///   - window: Length of the window in seconds.
  ///   - name: The name of the scenario.
  /// - Throws: ``Failure``.
  package init(
    of entries: [RecordedDelivery], until end: Double, window: Double, name: String
  ) throws(Failure) {
    let end = min(end, entries.last?.time ?? end)
    let part = entries.prefix { $0.time <= end }
    guard !part.isEmpty else { throw .nothing }
    let starts = part.indices.filter { part[$0].isStart && Self.isDiskEmpty(in: part[$0...]) }
    guard let first = starts.last(where: { part[$0].time <= end - window }) ?? starts.first else {
      throw .noBeginning
    }
    var (options, seed) = (DeliveryConstants?.none, Int?.none)
    for entry in part[..<first] {
      switch entry.value {
      case .configuration(let new): options = new
      case .seed(let new): seed = new
      default: break
      }
    }
    let course = ReproducedDelivery(part[first...], options: options)
    var reader = DeliveryDecisionReader()
    let recorded = part[first...].compactMap { entry in
      reader.decision(entry).map { (entry.time, $0) }
    }
    let seeds = seed.map { [UInt64(bitPattern: Int64($0))] } ?? Array(Self.seeds)
    let scenarios = seeds.lazy.flatMap { seed in
      Self.tolerances.lazy.map { tolerance in
        var scenario = course.scenario(name: name, seed: seed, until: end, tolerance: tolerance)
        scenario.expectedFrom = course.moment(end - window)
        return scenario
      }
    }
    try self.init(of: recorded, assumptions: course.assumptions, trying: scenarios) {
      var reader = DeliveryDecisionReader()
      return { entry in RecordedDelivery(entry).flatMap { reader.decision($0) } }
    }
  }

  /// True if a starting client finds no events on disk.
  private static func isDiskEmpty(in entries: ArraySlice<RecordedDelivery>) -> Bool {
    for entry in entries {
      if case .queue(let queue) = entry.value { return queue.disk == 0 }
    }
    return true
  }
}
