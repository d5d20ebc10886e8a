extension Model {
  /// Shows a histogram as it would be after some keys: for pictures without a person.
  ///
  /// - Parameters:
  ///   - look: what is chosen.
  ///   - moment: where the playhead stands, in seconds since 2001; `nil` for the live end.
  ///   - length: how much time before the moment it is of, in seconds; `nil` for all of it.
  /// - Returns: what is to be asked; the answers come as messages.
  package mutating func stand(onHistogram look: HistogramLook, at moment: Double?, length: Double?)
    -> [Effect]
  {
    show(.histogram)
    (histogram.look, histogram.wantedMetric) = (look, look.metric)
    if let moment { freeze(at: moment) }
    if let length, length.isFinite, length > 0 { histogram.range = .last(length) }
    return update(&self, [])
  }

  /// Shows all that payloads tell: what one sees first who opens files of payloads.
  package mutating func showPayloads() {
    show(.histogram)
    histogram.look.isOverview = true
  }

  /// The metric that a histogram was asked of and that the files do not have; `nil` where there is none such.
  package var unknownHistogramMetric: String? { histogram.unknownMetric }
}
