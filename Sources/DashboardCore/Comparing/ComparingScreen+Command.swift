import Aggregation
import History
import Platform

// The comparison as it is given on a command line.
extension ComparingScreen {
  /// The options that choose sides and filter.
  package var sideOptions: [String] {
    var words: [String] = []
    if let candidates {
      let named = sides(of: candidates)
      words += ["--a", text(of: named.a.choice), "--b", text(of: named.b.choice)]
    }
    for (field, value) in sides.only.sorted(by: { $0.key < $1.key }) {
      words += ["--only", text(field, value)]
    }
    return words
  }

  /// The options that choose the range.
  package var rangeOptions: [String] {
    switch sides.range {
    case .all: session.isFrozen ? ["--at", "\(session.present)"] : []
    case .last(let length): ["--at", "\(session.present)", "--window", "\(length)s"]
    case .fixed(let window):
      ["--at", "\(window.upperBound)", "--window", "\(window.upperBound - window.lowerBound)s"]
    }
  }

  /// A choice as it is given on a command line: `version=2.4.1`, `all`, `none`, `FROM..TO`.
  private func text(of choice: HistogramChoice) -> String {
    switch choice {
    case .everything: "all"
    case .nothing: "none"
    case .label(let dimension, let value): text(dimension, value)
    case .window(let window): "\(window.lowerBound)..\(window.upperBound)"
    }
  }

  /// `version=2.4.1`; nothing behind the sign for samples without a value.
  private func text(_ field: String, _ value: SampleCube.LabelValue) -> String {
    if case .value(let text) = value { "\(field)=\(text)" } else { "\(field)=" }
  }
}
