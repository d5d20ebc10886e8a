package import Aggregation
package import Codecs
import DeliveryCore
import History
import MisterMetricsCore
import Sync
import TelemetryCore

extension SeriesIdentity {
  /// `sync.push_ms`: the name used by limits and in flat lists.
  package var fullName: String { bucket.map { "\($0).\(label)" } ?? label }

  /// The unit of the numbers, derived from the name alone.
  package var unit: ValueUnit {
    if bucket == PayloadArchive.bucket, field == "value", let known = ValueUnit(payloadFigure: name) {
      return known
    }
    return ValueUnit(name: field ?? name)
  }

  /// The unit, with the user's overrides by full name.
  package func unit(_ told: [String: ValueUnit]) -> ValueUnit { told.isEmpty ? unit : told[fullName] ?? unit }

  /// The last part of the name, for narrow lists.
  package var shortName: String { field ?? name }

  /// True for a field of the records of a sync engine or a delivery client, which come only when something happens.
  package var isEngineRecord: Bool {
    bucket == SyncSignposts.category
      || bucket == SyncMetric.bucket.id && typeName.hasPrefix("Sync")
      || bucket == DeliveryMetrics.bucket.id && typeName.hasPrefix("Delivery")
  }

  /// True for what is not a number of a payload: its origin, its texts and its bins, which come once for each of them.
  package var isPayloadText: Bool {
    PayloadArchive.holds(bucket: bucket, typeName: typeName) && field != "value"
  }

  /// The order of the tree: by name; metrics without a bucket come last.
  package func isListed(before other: SeriesIdentity) -> Bool {
    if bucket != other.bucket {
      guard let bucket, let otherBucket = other.bucket else { return bucket != nil }
      return bucket < otherBucket
    }
    if name != other.name { return name < other.name }
    if typeName != other.typeName { return typeName < other.typeName }
    return (field ?? "") < (other.field ?? "")
  }

  /// `sync.push`: the metric of the series, without its field.
  package var metricName: String { bucket.map { "\($0).\(name)" } ?? name }
}

extension Sequence {
  /// The elements that the name of a metric or of a field refers to: matches of the full name, or else matches without the
  /// bucket.
  package func named(_ name: String, _ identity: (Element) -> SeriesIdentity) -> [Element] {
    let whole = filter { identity($0).fullName == name || identity($0).metricName == name }
    return whole.isEmpty ? filter { identity($0).label == name || identity($0).name == name } : whole
  }
}
