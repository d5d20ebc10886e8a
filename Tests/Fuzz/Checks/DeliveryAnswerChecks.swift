import Codecs
import Foundation
import HTTPClient

@testable import DeliveryCore

/// Checks of what a server answers to a batch: status line, headers, Retry-After, the beginning of the body.
enum DeliveryAnswerChecks {
  /// The input as an answer, after three bytes that say how its body is cut and what the time is.
  static func answer(_ input: UnsafeRawBufferPointer) -> String? {
    var input = FuzzInput(input)
    let sizes = [input.steering(), 64 * input.steering()]
    let now = Date(timeIntervalSince1970: Double(input.steering()) * 40_000_000)
    let whole = read(input.bytes, sizes: [.max])
    guard read(input.bytes, sizes: sizes) == whole else { return "how the body is cut changes the answer" }
    if let whole, let complaint = complaint(about: whole) { return complaint }
    let text = String(decoding: input.bytes, as: UTF8.self)
    for value in [text, whole?.retryAfter ?? "", whole?.detail ?? ""] {
      if let complaint = complaint(aboutRetryAfter: value, now: now) { return complaint }
    }
    return complaint(aboutDate: input.bytes, now: now)
  }

  /// Hands an answer over as libcurl does: the heads line by line, then the body in pieces.
  private static func read(_ bytes: UnsafeRawBufferPointer, sizes: [Int]) -> DeliveryAnswer? {
    var reader = AnswerReader(DeliveryAnswer.limits, fields: ["retry-after"])
    var rest = bytes[...]
    var isBody = false
    while !isBody, !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
      let line = UnsafeRawBufferPointer(rebasing: rest[..<end])
      rest = rest[end...]
      guard reader.takeLine(line) else { return reader.answer.map(DeliveryAnswer.init) }
      isBody = reader.answer != nil && line.trimmingBlanks().isEmpty
    }
    var isWelcome = true
    UnsafeRawBufferPointer(rebasing: rest).forEachPiece(sizes: sizes) { piece in
      if isWelcome { isWelcome = reader.takeBody(piece) }
    }
    return reader.answer.map(DeliveryAnswer.init)
  }

  private static func complaint(about answer: DeliveryAnswer) -> String? {
    guard (200...999).contains(answer.status) else { return "a status of \(answer.status)" }
    if let detail = answer.detail, detail.isEmpty || detail.utf8.count > DeliveryAnswer.detailLimit {
      return "a detail of \(detail.utf8.count) bytes"
    }
    if let value = answer.retryAfter, value.utf8.trimmingBlanks().count < value.utf8.count {
      return "a value with blanks around it"
    }
    return nil
  }

  private static func complaint(aboutRetryAfter text: String, now: Date) -> String? {
    let delay = RetryAfter.delay(text, now: now)
    if let delay, delay < .zero || delay > RetryAfter.longest { return "a wait of \(delay)" }
    let value = text.utf8.trimmingBlanks()
    guard !value.isEmpty, value.allSatisfy(\.isDigit) else { return nil }
    let seconds = Int(String(decoding: value, as: UTF8.self)) ?? .max
    return delay == .seconds(min(seconds, 3600)) ? nil : "a wait that is not what it says"
  }

  /// A text read as a date is the same moment in today's shape.
  private static func complaint(aboutDate bytes: UnsafeRawBufferPointer, now: Date) -> String? {
    guard let seconds = HTTPDate.unixSeconds(bytes, now: now) else { return nil }
    let second = (seconds % 86_400 + 86_400) % 86_400
    let day = (seconds - second) / 86_400
    let date = CivilDate(day: day)
    // A leap second at the end of the last year that can be written.
    guard (0...9999).contains(date.year) else { return date.year == 10_000 ? nil : "the year \(date.year)" }
    func digits(_ number: Int, _ count: Int) -> String {
      String(String(number + 10_000).suffix(count))
    }
    let month = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][
      date.month - 1]
    let time = [second / 3600, second / 60 % 60, second % 60].map { digits($0, 2) }.joined(separator: ":")
    let written = "Mon, \(digits(date.day, 2)) \(month) \(digits(date.year, 4)) \(time) GMT"
    return HTTPDate.unixSeconds(Array(written.utf8), now: now) == seconds
      ? nil : "\(written) is another moment"
  }
}
