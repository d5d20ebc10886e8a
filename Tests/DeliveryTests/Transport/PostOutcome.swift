import Foundation
import Testing

@testable import DeliveryCore

/// An answer, as far as most tests compare it, or the kind of failure.
enum PostOutcome: Hashable {
  case status(Int)
  case failed(TransportFailure.Code)
}

extension DeliveryRequest {
  /// A post to this machine.
  static func local(
    _ port: UInt16, path: String = "/v1/batch", body: String = #"{"batch":[]}"#, headers: [Header] = [],
    timeout: Duration = .seconds(30)
  ) throws -> DeliveryRequest {
    let url = try #require(URL(string: "http://127.0.0.1:\(port)\(path)"))
    return DeliveryRequest(url: url, headers: headers, body: Data(body.utf8), timeout: timeout)
  }
}

extension DeliveryTransport {
  /// Posts, and gives what came of it as a value.
  func outcome(of request: DeliveryRequest) async -> (outcome: PostOutcome, answer: DeliveryAnswer?) {
    do throws(TransportFailure) {
      let answer = try await post(request)
      return (.status(answer.status), answer)
    } catch {
      return (.failed(error.code), nil)
    }
  }
}
