import Aggregation
import Codecs
import DashboardCore
import TelemetryCore

/// One side's value of a figure.
struct OverviewValue: Sendable, Equatable {
  /// The number of samples or days behind a value.
  enum Count: Sendable, Equatable {
    case samples(Int)
    case days(Int)
  }

  /// The average or its equivalent, in the unit of the row.
  let value: Double
  /// The margin of error due to the width of bins.
  var doubt = 0.0
  /// The number of samples or days.
  let count: Count
  /// The total, if a sum makes sense.
  var total: Double?
  /// The amount per hour of use, if a sum makes sense and that time is known.
  var perHour: Double?
  /// Percentiles 50 and 95 of the samples, or of the device-days.
  var percentiles: [TimePercentile] = []
}

// The verdict in the columns of the overview.
extension ComparisonVerdict {
  /// The verdict in one short word.
  var sign: String {
    switch finding {
    case .noDifference: "~"
    case .tooFew: "few"
    case .middle, .tail, .secondHump: "real"
    }
  }

  /// The verdict in one character.
  var shortSign: String {
    switch finding {
    case .noDifference: "~"
    case .tooFew: "?"
    case .middle, .tail, .secondHump: "!"
    }
  }

  /// The meaning of the verdict, where the sign alone does not show it.
  ///
  /// - Parameter isTimes: True if a larger value is slower.
  func words(isTimes: Bool) -> String {
    let words = ChangeWords(isTimes ? .milliseconds : .plain)
    let change = isRising ? words.rise : words.fall
    return switch finding {
    case .middle: change
    case .tail: "tail \(change)"
    case .secondHump: "second hump"
    case .noDifference, .tooFew: ""
    }
  }
}
