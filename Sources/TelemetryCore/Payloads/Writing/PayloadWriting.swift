import Codecs
public import Essentials

extension MetricPayload {
  /// The payload as Apple writes it: Apple's keys, English units, whole numbers.
  public func jsonRepresentation() -> Data { Data(PrettyJSON(.object(json)).bytes) }
}

extension DiagnosticPayload {
  /// The payload as Apple writes it: Apple's keys, English units, whole numbers.
  public func jsonRepresentation() -> Data { Data(PrettyJSON(.object(json)).bytes) }
}

extension Payload {
  /// The payload as Apple writes it.
  public func jsonRepresentation() -> Data {
    switch self {
    case .metric(let payload): payload.jsonRepresentation()
    case .diagnostic(let payload): payload.jsonRepresentation()
    }
  }
}
