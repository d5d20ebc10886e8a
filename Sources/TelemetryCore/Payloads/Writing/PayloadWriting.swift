import Codecs
public import Essentials

extension MetricPayload {
  /// The payload in Apple's format: Apple's keys, English units, whole numbers.
  public func jsonRepresentation() -> Data { Data(PrettyJSON(.object(json)).bytes) }
}

extension DiagnosticPayload {
  /// The payload in Apple's format: Apple's keys, English units, whole numbers.
  public func jsonRepresentation() -> Data { Data(PrettyJSON(.object(json)).bytes) }
}

extension Payload {
  /// The payload in Apple's format.
  public func jsonRepresentation() -> Data {
    switch self {
    case .metric(let payload): payload.jsonRepresentation()
    case .diagnostic(let payload): payload.jsonRepresentation()
    }
  }
}
