import Foundation

extension PlantedIncidents {
  /// The samples as lines of a metrics file.
  ///
  /// - Parameter start: The start time, in seconds since 2001.
  package func lines(from start: Double) -> [String] {
    samples.lines(from: start)
  }
}

extension [PlantedIncidents.Sample] {
  /// The samples as lines of a file.
  ///
  /// - Parameter start: the time of the beginning, in seconds since 2001.
  package func lines(from start: Double) -> [String] {
    map { sample in
      let (type, json) =
        switch sample.value {
        case .number(let number): ("Double", "\(number)")
        case .text(let text): ("String", "\"\(text)\"")
        }
      let metric = #"{"bucket":"app","name":"metric\#(sample.metric)","valueTypeString":"\#(type)"}"#
      let value = Data(json.utf8).base64EncodedString()
      return #"{"metric":\#(metric),"timestamp":\#(start + sample.time),"value":"\#(value)"}"# + "\n"
    }
  }
}
