import Essentials
import HTTPClient

extension HTTPRequest {
  /// A batch as a request; of the answer only the beginning is of interest.
  init(_ request: DeliveryRequest) {
    self.init(
      url: request.url.absoluteString,
      headers: request.headers.map { ($0.name, $0.value) },
      body: request.body, timeout: request.timeout, limits: DeliveryAnswer.limits,
      fields: ["retry-after"])
  }
}

extension DeliveryAnswer {
  /// Maximum length of ``detail(of:)``, in bytes.
  static let detailLimit = 2 << 10
  /// The part of an answer that is received.
  static let limits = AnswerReader.Limits(body: 64 << 10, kept: detailLimit)

  init(_ answer: HTTPAnswer) {
    self.init(
      status: answer.status, retryAfter: answer.fields["retry-after"], detail: Self.detail(of: answer.body))
  }

  /// The beginning of a body as text; `nil` for an empty one.
  static func detail(of body: some Collection<UInt8>) -> String? {
    guard !body.isEmpty else { return nil }
    var text = String(decoding: body.prefix(detailLimit), as: UTF8.self)
    // Invalid UTF-8 was replaced by U+FFFD (three bytes); the last one may be half a character.
    while text.utf8.count > detailLimit { text.unicodeScalars.removeLast() }
    return text
  }
}

extension TransportFailure {
  init(_ failure: HTTPFailure) {
    self.init(Code(rawValue: failure.code.rawValue) ?? .unreachable, failure.message)
  }
}
