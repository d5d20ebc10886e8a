import Aggregation
import History

@testable import ClickHouse

/// Checks of the readers of a server's rows.
enum ServerRowChecks {
  /// The first byte chooses the kind of rows; each reader takes the rest.
  static func rows(_ input: UnsafeRawBufferPointer) -> String? {
    let bytes = Array(input.dropFirst())
    let choice = input.first ?? 0
    let series = choice & 1 == 0 ? SeriesIdentity(bucket: nil, name: "n", typeName: "") : nil
    var rows = SeriesRows(of: series, coarseness: choice >> 1 & 3, isByHost: choice & 8 != 0)
    try? rows.addNumbers(bytes, haveBins: true)
    try? rows.addBins(bytes)
    if let listed = try? rows.addWords(bytes) { try? rows.addRest(bytes, beside: listed) }
    var complaint: String?
    rows.forEach { _, cell, texts in
      let quantiles = cell.quantiles([50, 99]).map(\.value)
      if cell.count < 0 || texts.count > TextTable.limit + 1 { complaint = "a sum of \(cell.count) values" }
      if quantiles.contains(where: \.isNaN) { complaint = "a percentile that is no number" }
    }
    var reader = RowBinaryReader(bytes)
    let read = try? reader.rows { row throws(RowBinaryReader.Damage) in try StoredSample(&row) }
    let samples = StoredSamples(read ?? [])
    samples.forEach { _, _, line in
      if line.contains(0x0A) { complaint = "a sample that is no line" }
    }
    return complaint
  }
}
