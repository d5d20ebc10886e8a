package import Aggregation
import Codecs
package import Platform
import TerminalUI

// Sources whose clocks differ from this machine's.
//
// Windows follow what arrives. The times on the screen are the stamps of the source that is nearest to this machine's
// clock; series of the others are shifted to it. With `alignsToArrival` the times are this machine's.
extension Session {
  /// The present in the times of the screen: the wall clock, or that of the sources.
  package var clock: Timestamp { now - clockSkew }

  /// True if the newest sample lies in the window that ends now.
  package var hasRecentSamples: Bool { newest.map { clock - $0 <= window } ?? false }

  /// Adopts the clocks of the shown data; while the screen is frozen they stay.
  mutating func refreshClock() {
    if !isFrozen { clockSkew = commonSkew }
    // The series of a history's answer have other numbers.
    guard case .feed = storeSource else { return shown.store.shifts = [:] }
    let common = clockSkew
    shown.store.shifts = shown.skews.compactMapValues { skew in
      let difference = ClockSkew.difference(skew - common)
      return difference == 0 ? nil : difference
    }
  }

  /// The difference of the source that is nearest to the wall clock, or of one a little ahead of it, whose newest samples
  /// would lie beyond the window; 0 if a source is on time.
  private var commonSkew: Double {
    guard !alignsToArrival, !shown.status.hasPunctualSource else { return 0 }
    let skews = shown.status.skews.map(\.seconds)
    guard let nearest = skews.min(by: { $0.magnitude < $1.magnitude }) else { return 0 }
    return skews.filter { ClockSkew.difference($0 - nearest) == 0 }.min() ?? nearest
  }

  /// The stamp of a sample, whose time on the screen may be shifted.
  package func stamp(of time: Timestamp, in identity: SeriesIdentity) -> Timestamp {
    store.id(of: identity).map { time - store.shift(of: $0) } ?? time
  }

  /// The source whose clock differs most; `nil` if all agree.
  var greatestSkew: SourceSkew? { shown.status.skews.max { $0.seconds.magnitude < $1.seconds.magnitude } }

  /// The words for it, with the zone that would fit: `clock 1m30s ahead`; `nil` if all agree.
  package var skewText: String? {
    guard let skew = greatestSkew else { return nil }
    let others = shown.status.skews.count - 1
    let subject = others > 0 ? fileNames.short(skew.source) : skew.fittingZone == nil ? "clock" : "stamps"
    let more = others > 0 ? " +\(others)" : ""
    let order = alignsToArrival ? ", by arrival" : ""
    let advice = skew.fittingZone.map { ": --zone \($0) fits" } ?? ""
    return "\(subject) \(skew.words)\(more)\(order)\(advice)"
  }

  package mutating func toggleAlignment() {
    alignsToArrival.toggle()
    showToast(alignsToArrival ? "Drawn by arrival" : "Drawn by the stamps of the lines")
  }

  /// The command-line option that draws by arrival.
  package var alignmentWords: [String] { alignsToArrival ? ["--align", "arrival"] : [] }
}

extension SourceSkew {
  /// `90s ahead`, `2m behind`.
  package var words: String {
    "\(DurationFormat.text(seconds.magnitude.rounded())) \(seconds < 0 ? "ahead" : "behind")"
  }

  /// `+90s`, `-2m`: of a clock that is ahead or behind.
  var brief: String { (seconds < 0 ? "+" : "-") + DurationFormat.text(seconds.magnitude.rounded()) }
}
