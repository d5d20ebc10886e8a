package import DeliveryCore
package import Foundation
import Platform
import TestSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An endpoint inside the process that records to a file, which survives the process: one line per batch.
///
/// A line is written before the batch is answered: a mark (see ``EndpointRecord/Mark``), the events as `number:id`, and
/// a period that shows that the line is complete. A line `=` follows when the client has received the answer. Each
/// process starts with a line `life`.
package final class EndpointFile: DeliveryTransport {
  private let descriptor: Int32
  /// Chooses the faults; `nil` for none.
  private let random: Locked<SeededGenerator>?

  package init(path: String, seed: UInt64?) {
    descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    random = seed.map { Locked(SeededGenerator(seed: $0 ^ 0x5EED)) }
    // The previous process was killed, perhaps in the middle of a line.
    write("\nlife\n")
  }

  deinit { close(descriptor) }

  package func post(_ request: DeliveryRequest) async throws(TransportFailure) -> DeliveryAnswer {
    if let pause = random?.withLock({ UInt64.random(in: 0...1_500_000, using: &$0) }) {
      try? await Task.sleep(nanoseconds: pause)
    }
    // The client has abandoned the request.
    guard !Task.isCancelled else { throw TransportFailure(.cancelled, "given up") }
    return try take(request.body).get()
  }

  /// Records that the client has received the answer to the last batch.
  package func wasAnswered() { write("=\n") }

  /// Accepts or rejects a batch.
  package func take(_ body: Data) -> Result<DeliveryAnswer, TransportFailure> {
    let events = events(in: body)
    let (mark, result) = decide(events.count)
    write(([mark.rawValue] + events + [".\n"]).joined(separator: " "))
    return result
  }

  private func decide(
    _ count: Int
  ) -> (EndpointRecord.Mark, Result<DeliveryAnswer, TransportFailure>) {
    switch random?.withLock({ Int.random(in: 0..<20, using: &$0) }) {
    case 0: (.untaken, .failure(TransportFailure(.unreachable, "refused")))
    case 1: (.unanswered, .failure(TransportFailure(.timedOut, "no answer came")))
    case 2: (.untaken, .success(DeliveryAnswer(status: 503)))
    case 3: (.untaken, .success(DeliveryAnswer(status: 429, retryAfter: "2")))
    case 4 where count > 1: (.untaken, .success(DeliveryAnswer(status: 413)))
    case 5 where 2...3 ~= count: (.untaken, .success(DeliveryAnswer(status: 400)))
    case 5 where count == 1: (.refused, .success(DeliveryAnswer(status: 400)))
    case 6: (.untaken, .success(DeliveryAnswer(status: 302)))
    default: (.taken, .success(DeliveryAnswer(status: 200)))
    }
  }

  private func events(in body: Data) -> [String] {
    let object = (try? JSONSerialization.jsonObject(with: body)) as? [String: Any]
    return (object?["batch"] as? [[String: Any]] ?? []).map { event in
      "\((event["event"] as? String ?? "").dropFirst()):\((event["messageId"] as? String ?? "").suffix(6))"
    }
  }

  private func write(_ text: String) {
    var bytes = Array(text.utf8)
    bytes.withUnsafeMutableBytes { bytes in
      // Not `write`, so that a test can count the client's own calls.
      var vector = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
      _ = writev(descriptor, &vector, 1)
    }
  }
}
