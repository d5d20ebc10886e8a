import Foundation
import Sync
import Testing

/// A row of an app.
private struct Note: Codable, Hashable {
  enum Color: String, Codable { case red, green }
  struct Place: Codable, Hashable {
    var name: String
    var height: Double?
  }

  var text = "walk"
  var count = 0
  var big = UInt64(0)
  var weight = 0.0
  var ratio = Float(0)
  var done = false
  var color: Color?
  var due: Date?
  var places: [Place] = []
  var tags: [String: Int?] = [:]
  var image: Data?
  var link: URL?
  var price: Decimal?
  var id: UUID?
  var other: SyncValue?
}

private class Base: Codable {
  var name = "base"
}

private final class Derived: Base {
  var size = 3

  enum CodingKeys: CodingKey { case size }

  override init() { super.init() }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    size = try container.decode(Int.self, forKey: .size)
    try super.init(from: container.superDecoder())
  }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(size, forKey: .size)
    try super.encode(to: container.superEncoder())
  }
}

/// Encodes its parts into containers of containers.
private struct Nested: Codable, Equatable {
  var rows = [[1, 2], [], [3]]

  enum Keys: CodingKey { case table, none }

  init() {}

  init(from decoder: any Decoder) throws {
    var table = try decoder.container(keyedBy: Keys.self).nestedUnkeyedContainer(forKey: .table)
    rows = []
    while !table.isAtEnd {
      if try table.decodeNil() { continue }
      var row = try table.nestedUnkeyedContainer()
      var numbers: [Int] = []
      while !row.isAtEnd { numbers.append(try row.decode(Int.self)) }
      rows.append(numbers)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encodeNil(forKey: .none)
    var table = container.nestedUnkeyedContainer(forKey: .table)
    try table.encodeNil()
    for row in rows {
      var inner = table.nestedUnkeyedContainer()
      for number in row { try inner.encode(number) }
    }
  }
}

@Suite("Rows of one's own types")
struct TypedRowTests {
  private func row(_ members: [String: SyncValue]) -> SyncEntity {
    SyncEntity(key: EntityKey(kind: "note", id: "n1"), members: members)
  }

  @Test func `Every member is the value of its property, and nil is none`() throws {
    var note = Note()
    note.color = .green
    note.due = Date(timeIntervalSince1970: 1_795_680_000.25)
    note.places = [Note.Place(name: "hill", height: 12.5), Note.Place(name: "sea")]
    note.tags = ["a": 1, "b": nil]
    note.image = Data([1, 2, 3])
    note.link = URL(string: "https://example.org/a?b=c")
    note.price = Decimal(string: "0.1")
    note.other = .array(["a", .null])
    let row = try SyncEntity(id: "n1", kind: "note", encoding: note)
    #expect(row.key == EntityKey(kind: "note", id: "n1"))
    #expect(
      row.members == [
        "text": "walk", "count": 0, "big": 0, "weight": 0.0, "ratio": 0.0, "done": false, "color": "green",
        "due": "2026-11-26T08:00:00.25Z",
        "places": .array([.object(["name": "hill", "height": 12.5]), .object(["name": "sea"])]),
        "tags": .object(["a": 1, "b": .null]), "image": "AQID", "link": "https://example.org/a?b=c",
        "price": "0.1", "other": .array(["a", .null]),
      ])
    #expect(try row.decode(Note.self) == note)
  }

  @Test(arguments: [Int.min, -1, 0, 9_007_199_254_740_993, Int.max])
  func `Whole numbers keep their value`(count: Int) throws {
    let row = try SyncEntity(id: "n1", kind: "note", encoding: Note(count: count))
    #expect(row.members["count"] == .int(Int64(count)))
    #expect(try row.decode(Note.self).count == count)
  }

  @Test(arguments: [
    -0.0, 0.1, 1, Double.leastNonzeroMagnitude, 9.223372036854775808e18, 1e17, Double.greatestFiniteMagnitude,
    1 / 3.0,
  ])
  func `Numbers keep their bits`(weight: Double) throws {
    let row = try SyncEntity(id: "n1", kind: "note", encoding: Note(weight: weight, ratio: 0.1))
    let note = try row.decode(Note.self)
    #expect(note.weight.bitPattern == weight.bitPattern && note.ratio == 0.1)
  }

  @Test func `A number of the server fits if it is the same one`() throws {
    #expect(try row(["a": 3]).decode([String: Double].self) == ["a": 3])
    #expect(try row(["a": 3.0]).decode([String: Int8].self) == ["a": 3])
    #expect(try row(["a": 0.1]).decode([String: Float].self) == ["a": 0.1])
    for (value, name) in [
      (SyncValue.int(300), "Int8"), (3.5, "Int"), (-1, "UInt"), ("3", "Int"), (.null, "Int"),
    ] {
      let row = row(["a": value])
      #expect(throws: DecodingError.self, "\(value) is no \(name)") {
        switch name {
        case "Int8": _ = try row.decode([String: Int8].self)
        case "UInt": _ = try row.decode([String: UInt].self)
        default: _ = try row.decode([String: Int].self)
        }
      }
    }
    #expect(throws: DecodingError.self) {
      try row(["a": 9_007_199_254_740_993]).decode([String: Double].self)
    }
    #expect(throws: DecodingError.self) { try row(["a": 1e300]).decode([String: Float].self) }
  }

  @Test(arguments: [
    ("2026-11-21T08:00:00Z", 1_795_248_000.0), ("2026-11-21T08:00:00.5Z", 1_795_248_000.5),
    ("2026-11-21T09:00:00+01:00", 1_795_248_000), ("2026-11-21T08:00:00.123456789Z", 1_795_248_000.123456789),
    ("1969-12-31T23:59:59.999Z", -0.001),
  ])
  func `Dates of a server are read`(text: String, seconds: Double) throws {
    let date = try #require(try row(["due": .string(text)]).decode([String: Date].self)["due"])
    #expect(abs(date.timeIntervalSince1970 - seconds) < 1e-6)
  }

  @Test(arguments: ["", ".", "yesterday", "2026-11-21", "2026-11-21T08:00:00.Z", "2026-11-21T08:00:00", "1"])
  func `What is no date throws`(text: String) {
    #expect(throws: DecodingError.self) { try row(["due": .string(text)]).decode([String: Date].self) }
  }

  @Test func `A date comes back to the millisecond, and is the same from then on`() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<500 {
      let date = Date(
        timeIntervalSince1970: Double.random(in: -62_135_596_800...253_402_300_799, using: &random))
      let first = try SyncEntity(id: "n1", kind: "note", encoding: ["due": date])
      let read = try first.decode([String: Date].self)
      #expect(
        abs(date.timeIntervalSince(read["due"] ?? .distantFuture)) <= 0.000_6,
        "\(date.timeIntervalSince1970)")
      #expect(try SyncEntity(id: "n1", kind: "note", encoding: read).members == first.members)
    }
  }

  @Test func `What a member cannot hold throws with its path`() throws {
    func path(_ note: some Encodable) -> String? {
      do { _ = try SyncEntity(id: "n1", kind: "note", encoding: note) } catch EncodingError.invalidValue(
        _, let context)
      {
        return context.codingPath.map(\.stringValue).joined(separator: ".")
      } catch {}
      return nil
    }
    #expect(path(Note(big: .max)) == "big")
    #expect(path(Note(weight: .nan)) == "weight" && path(Note(ratio: .infinity)) == "ratio")
    #expect(
      path(Note(places: [Note.Place(name: "a"), Note.Place(name: "b", height: -.infinity)]))
        == "places.1.height")
    #expect(path(Note(due: Date(timeIntervalSince1970: 1e15))) == "due")
    #expect(path([1, 2]) == "" && path("text") == "" && path(Int?.none) == "")
  }

  @Test func `A missing member, an unknown case and another shape throw with their path`() throws {
    func path(_ members: [String: SyncValue]) throws -> String? {
      let all = try SyncEntity(id: "n1", kind: "note", encoding: Note()).members.merging(members) { $1 }
      do { _ = try row(all).decode(Note.self) } catch let error as DecodingError {
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context),
          .keyNotFound(_, let context):
          return context.codingPath.map(\.stringValue).joined(separator: ".")
        @unknown default: return nil
        }
      }
      return nil
    }
    #expect(try path(["color": "blue"]) == "color" && path(["color": .null]) == nil)
    #expect(
      try path(["places": "none"]) == "places" && path(["places": .array([.object([:])])]) == "places.0")
    #expect(try path(["text": .null]) == "text" && path(["done": 1]) == "done")
    #expect(throws: DecodingError.self) { try row([:]).decode(Note.self) }
  }

  @Test func `Types that encode themselves by hand come back`() throws {
    let nested = try SyncEntity(id: "n1", kind: "note", encoding: Nested())
    #expect(
      nested.members == ["none": .null, "table": .array([.null, .array([1, 2]), .array([]), .array([3])])])
    #expect(try nested.decode(Nested.self) == Nested())
    let derived = Derived()
    (derived.name, derived.size) = ("derived", 4)
    let row = try SyncEntity(id: "n1", kind: "note", encoding: derived)
    #expect(row.members == ["size": 4, "super": .object(["name": "derived"])])
    let read = try row.decode(Derived.self)
    #expect(read.name == "derived" && read.size == 4)
  }

  @Test func `An edit names what differs, clears what is nil, and leaves alone what the type does not have`()
    throws
  {
    struct Task: Codable { var text: String, due: Date?, done: Bool? }
    let row = row(["text": "walk", "due": "2026-11-21T08:00:00.000Z", "owner": "Ada"])
    var task = try row.decode(Task.self)
    #expect(try row.edits(to: task).isEmpty)
    (task.text, task.due, task.done) = ("run", nil, true)
    #expect(try row.edits(to: task) == ["text": "run", "due": .null, "done": true])
  }
}
