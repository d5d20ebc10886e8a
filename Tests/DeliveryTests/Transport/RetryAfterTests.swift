import Foundation
import Testing

@testable import DeliveryCore

@Suite("Retry-After")
struct RetryAfterTests {
  /// Sun, 06 Nov 1994 08:49:37 GMT.
  private static let example = Date(timeIntervalSince1970: 784_111_777)

  private func delay(_ text: String?, now: Date = example) -> Duration? { RetryAfter.delay(text, now: now) }

  @Test("B-77: Retry-After 5 is 5000 ms")
  func wholeSeconds() {
    #expect(delay("5") == .milliseconds(5000))
    for (text, seconds) in ["0": 0, "007": 7, " 5 ": 5, "\t120\r\n": 120, "3599": 3599] {
      #expect(delay(text) == .seconds(seconds), "\(text)")
    }
  }

  @Test("B-78: An HTTP date three seconds ahead is between 0 and 3000 ms, in each of the three shapes")
  func dates() throws {
    for text in [
      "Sun, 06 Nov 1994 08:49:40 GMT", "Sunday, 06-Nov-94 08:49:40 GMT", "Sun Nov  6 08:49:40 1994",
      "Sun Nov 06 08:49:40 1994", "  Sun, 06 Nov 1994 08:49:40 GMT\t",
    ] {
      #expect(delay(text) == .seconds(3), "\(text)")
      let later = try #require(delay(text, now: Self.example + 1.25))
      #expect(later > .zero && later < .seconds(3), "\(text)")
      #expect(delay(text, now: Self.example + 3) == .zero, "\(text)")
      #expect(delay(text, now: Self.example + 9e8) == .zero, "\(text)")
    }
  }

  @Test("B-79: Garbage or a missing header gives nothing")
  func garbage() {
    #expect(delay(nil) == nil)
    for text in [
      "", " ", "-", "--5", "+5", "5.5", "5 5", "5s", "0x10", "1e3", "٥", "soon", "\0", "5\0", "NaN", "inf",
      // Almost dates.
      "Sun, 06 Nov 1994 08:49:40", "Sun, 06 Nov 1994 08:49:40 UTC", "Sun, 6 Nov 1994 08:49:40 GMT",
      "Son, 06 Nov 1994 08:49:40 GMT", "Sun, 06 nov 1994 08:49:40 GMT", "Sun, 06 Nov 94 08:49:40 GMT",
      "Sun, 31 Feb 1994 08:49:40 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
      "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 00 Nov 1994 08:49:40 GMT",
      "Sun,  06 Nov 1994 08:49:40 GMT", "Sunday, 06-Nov-1994 08:49:40 GMT", "Sun, 06-Nov-94 08:49:40 GMT",
      "Sunday, 06-Nov 08:49:40 GMT", "Sun Nov 6 08:49:40 1994", "Sun Nov  16 08:49:40 1994",
      "Sun Nov  6 08:49:40 1994 GMT", "1994-11-06T08:49:40Z",
      String(repeating: "Sun, 06 Nov 1994 08:49:40 GMT ", count: 3000),
    ] {
      #expect(delay(text) == nil, "\(text.prefix(60))")
    }
  }

  @Test("B-127: A Retry-After of 99999999999999999999 or of ten years waits at most one hour")
  func huge() {
    let hour = Duration.seconds(3600)
    for text in [
      "3600", "3601", "99999999999999999999", "315360000", String(repeating: "9", count: 60_000),
      "\(Int.max)", "\(UInt64.max)", "Sat, 06 Nov 2004 08:49:37 GMT", "Fri, 31 Dec 9999 23:59:60 GMT",
      "Sun, 06 Nov 1994 09:49:37 GMT",
    ] {
      #expect(delay(text) == hour, "\(text.prefix(60))")
    }
    #expect(delay("Sun, 06 Nov 1994 09:49:36 GMT") == .seconds(3599))
  }

  @Test("What is negative or past is no wait")
  func past() {
    for text in [
      "-1", "-0", "-99999999999999999999", "Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:36 GMT",
      "Thu, 01 Jan 1970 00:00:00 GMT", "Sat, 01 Jan 0000 00:00:00 GMT",
    ] {
      #expect(delay(text) == .zero, "\(text)")
    }
  }

  @Test("A year of two digits is the latest one that is at most fifty years ahead")
  func century() {
    for (text, year, now) in [
      ("Sunday, 06-Nov-94 08:49:37 GMT", 1994, 1994), ("Sunday, 06-Nov-94 08:49:37 GMT", 1994, 2026),
      ("Sunday, 06-Nov-26 08:49:37 GMT", 2026, 2026), ("Sunday, 06-Nov-75 08:49:37 GMT", 2075, 2026),
      ("Sunday, 06-Nov-77 08:49:37 GMT", 1977, 2026), ("Sunday, 06-Nov-00 08:49:37 GMT", 2100, 2080),
      ("Tuesday, 29-Feb-00 08:49:37 GMT", 2000, 2080),
    ] {
      let fixed = text.replacing(/.*, (\d\d)-(\w+)-\d\d (.*)/) { "Mon, \($0.1) \($0.2) \(year) \($0.3)" }
      let present = Date(timeIntervalSince1970: Double(now - 1970) * 365.2425 * 86_400)
      let found = HTTPDate.unixSeconds(Array(text.utf8), now: present)
      #expect(
        found != nil && found == HTTPDate.unixSeconds(Array(fixed.utf8), now: present), "\(text) in \(now)")
    }
  }

  @Test("A clock that shows no time at all does no harm")
  func clocks() {
    for seconds in [Double.nan, .infinity, -.infinity, 1e300, -1e300] {
      let now = Date(timeIntervalSince1970: seconds)
      #expect(delay("5", now: now) == .seconds(5))
      for text in ["Sun, 06 Nov 1994 08:49:40 GMT", "Sunday, 06-Nov-94 08:49:40 GMT"] {
        let found = delay(text, now: now)
        #expect(found.map { ($0 == .zero) || ($0 == RetryAfter.longest) } ?? true)
      }
    }
  }
}
