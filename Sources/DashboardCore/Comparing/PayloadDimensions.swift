package import Aggregation
package import History
import Platform

extension PayloadArchive.Payload {
  /// The name of the file that it was read from, without its folders; empty where it came from none.
  package var file: String {
    source.lastIndex(of: "#").map { String(source[..<$0]) } ?? source
  }

  /// The hash of its content, with the state of the app that it tells about; `nil` where the source has none.
  package var contentHash: String? {
    guard let sign = source.lastIndex(of: "#") else { return nil }
    let name = source[..<sign]
    return (name.lastIndex(of: "/").map { String(name[...$0]) } ?? "") + source[sign...]
  }

  /// True if its numbers or times were written in the words or digits of a language.
  package var isLocalized: Bool { facts["localized"] == "true" }

  /// Its value in a dimension; an empty text is none.
  package func value(in dimension: String) -> SampleCube.LabelValue {
    let text =
      switch dimension {
      case PayloadArchive.versionDimension: version
      case PayloadArchive.fileDimension: file
      case "simulated": String(isSimulated)
      case "mixed": String(isMixed)
      default: facts[dimension] ?? ""
      }
    return text.isEmpty ? .missing : .value(text)
  }

  /// True if it is one of those that are meant.
  package func matches(_ choice: SampleCube.Choice) -> Bool {
    (choice.window?.contains(time.seconds) ?? true) && choice.labels.allSatisfy { value(in: $0) == $1 }
  }
}

extension PayloadArchive: SideCandidates {
  /// The dimension that tells versions of the app apart.
  package static let versionDimension = "version"
  /// The dimension that tells apart what the payloads were read from.
  package static let fileDimension = "file"

  /// Dimensions that come first, in this order.
  private static let first = [versionDimension, fileDimension, "os", "device", "region"]
  /// Those of yes and no, which are told only where a payload has yes.
  private static let flags: Set<String> = ["simulated", "mixed", "localized", "testFlight", "lowPower"]
  /// Facts that stand under another name, or that would tell nothing.
  private static let hidden: Set<String> = ["multipleVersions", sideFact]

  /// Dimensions that tell payloads apart, with their values: versions and systems from the newest on, files in order
  /// of time.
  package var dimensions: [(name: String, values: [String])] {
    let facts = Set(payloads.flatMap(\.facts.keys)).subtracting(Self.hidden)
    let others = facts.union(Self.flags).subtracting(Self.first).sorted()
    return (Self.first + others).compactMap { name in
      let values = values(in: name)
      if Self.flags.contains(name), !values.contains("true") { return nil }
      return values.isEmpty ? nil : (name, values)
    }
  }

  package var versionDimension: String? {
    payloads.contains { !$0.version.isEmpty } ? Self.versionDimension : nil
  }

  package var versions: [String] { values(in: Self.versionDimension) }

  package func has(_ choice: SampleCube.Choice) -> Bool { !PayloadSelection(self, choice).payloads.isEmpty }

  /// The payloads' values in a dimension, in the order of ``dimensions``.
  package func values(in dimension: String) -> [String] {
    var seen: Set<String> = []
    var values: [String] = []
    for payload in payloads {
      if case .value(let text) = payload.value(in: dimension), seen.insert(text).inserted {
        values.append(text)
      }
    }
    switch dimension {
    case Self.fileDimension: return values
    case Self.versionDimension, "os": return VersionOrder.newestFirst(values)
    default: return VersionOrder.newestFirst(values).reversed()
    }
  }
}

extension SeriesIdentity {
  /// True for the numbers of a payload's figure.
  package var isPayloadNumber: Bool {
    bucket == PayloadArchive.bucket && typeName == "PayloadScalar" && field == "value"
  }
}
