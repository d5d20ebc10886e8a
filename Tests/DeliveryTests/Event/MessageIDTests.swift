import DeliveryCore
import Foundation
import TestSupport
import Testing

@Suite("Message ids")
struct MessageIDTests {
  @Test("B-9: a message id is epoch milliseconds, hyphen, UUID, and differs between any two events")
  func format() {
    var generator = SeededGenerator(seed: 1)
    let date = Date(timeIntervalSince1970: 1_795_377_600.123)
    let id = MessageID.make(at: date, using: &generator)
    #expect(id == "1795377600123-910a2dec-8902-4cc1-beeb-8da1658eec67")
    #expect(
      id.wholeMatch(of: /\d+-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
    #expect(MessageID.creationDate(of: id).map(EventTime.milliseconds) == 1_795_377_600_123)
    let ids = Set((0..<1000).map { _ in MessageID.make(at: date, using: &generator) })
    #expect(ids.count == 1000)
    #expect(
      ids.allSatisfy { id in MessageID.isValid(id) && UUID(uuidString: String(id.dropFirst(14))) != nil })
  }

  @Test(
    "An id made before 1970, or at no time at all, is valid too", arguments: [0, -1e300, .nan, .infinity])
  func extremeTimes(seconds: Double) {
    var generator = SeededGenerator(seed: 2)
    #expect(MessageID.isValid(MessageID.make(at: Date(timeIntervalSince1970: seconds), using: &generator)))
  }

  @Test(
    "B-10: the validator refuses ids without UUID, with a bad time, or with a malformed UUID",
    arguments: [
      "", "-", "1795377600123", "1795377600123-", "910a2dec-8902-4cc1-beeb-8da1658eec67",
      "-910a2dec-8902-4cc1-beeb-8da1658eec67", "x-910a2dec-8902-4cc1-beeb-8da1658eec67",
      "0-910a2dec-8902-4cc1-beeb-8da1658eec67", "-5-910a2dec-8902-4cc1-beeb-8da1658eec67",
      "+5-910a2dec-8902-4cc1-beeb-8da1658eec67", "5.0-910a2dec-8902-4cc1-beeb-8da1658eec67",
      " 5-910a2dec-8902-4cc1-beeb-8da1658eec67", "٥-910a2dec-8902-4cc1-beeb-8da1658eec67",
      "99999999999999999999-910a2dec-8902-4cc1-beeb-8da1658eec67",
      "5-910a2dec-8902-4cc1-beeb-8da1658eec6", "5-910a2dec-8902-4cc1-beeb-8da1658eec677",
      "5-910a2dec-8902-4cc1-beeb-8da1658eec6g", "5-910a2dec8902-4cc1-beeb-8da1658eec67-a",
      "5-910a2dec-8902-4cc1-beeb", "5-910a2dec-8902-4cc1-beeb-8da1658eec67-",
      "5-910a2dec-8902-4cc1-beebé8da1658eec6",
      "5--910a2dec-8902-4cc1-beeb-8da1658eec6",
    ])
  func refusals(id: String) {
    #expect(!MessageID.isValid(id))
    #expect(MessageID.creationDate(of: id) == nil)
  }

  @Test("Capital letters are those of a UUID too")
  func capitals() {
    #expect(MessageID.isValid("5-910A2DEC-8902-4CC1-BEEB-8DA1658EEC67"))
    #expect(
      MessageID.creationDate(of: "5-910A2DEC-8902-4CC1-BEEB-8DA1658EEC67")
        == Date(timeIntervalSince1970: 0.005))
  }
}
