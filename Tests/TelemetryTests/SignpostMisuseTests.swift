import Foundation
import MisterMetricsCore
import Telemetry
import Testing

@Suite("Misuse of signposts")
struct SignpostMisuseTests {
  private let test = TestSignposter()

  @Test("a second end is recorded with a text instead of its message")
  func doubleEnd() {
    let signposter = test.make()
    let state = signposter.beginInterval("A", "begun")
    signposter.endInterval("A", state, "ended")
    test.advance(by: .milliseconds(3))
    signposter.endInterval("A", state, "again")
    signposter.endInterval("A", state)
    #expect(
      test.story == [
        "A 0.0 (begun; ended)", "A 3.0 ([Error] Interval already ended)",
        "A 3.0 ([Error] Interval already ended)",
      ])
    #expect(test.intervals.map(\.error) == [nil, "Interval already ended", "Interval already ended"])
    #expect(signposter.misuses == 2)
  }

  @Test("an end of another name is recorded under the name of the begin, and consumes the state")
  func otherName() {
    let signposter = test.make()
    let state = signposter.beginInterval("A")
    signposter.endInterval("B", state, "ended")
    signposter.endInterval("A", state)
    #expect(
      test.story == [
        "A 0.0 ([Error] Interval ended with another name: B)", "A 0.0 ([Error] Interval already ended)",
      ])
    #expect(signposter.misuses == 2)
  }

  @Test("the same name may be written twice")
  func equalNames() {
    let signposter = test.make()
    let names: [StaticString] = ["Equal", "\u{45}qual", "x", StaticString(unicodeScalarLiteral: "x")]
    signposter.endInterval(names[1], signposter.beginInterval(names[0]))
    signposter.endInterval(names[3], signposter.beginInterval(names[2]))
    #expect(test.story == ["Equal 0.0", "x 0.0"] && signposter.misuses == 0)
  }

  @Test("an end at another signposter is recorded there, and consumes the state")
  func otherSignposter() {
    let (first, second) = (test.make(), test.make())
    let state = first.beginInterval("A")
    test.advance(by: .milliseconds(1))
    second.endInterval("A", state, "ended")
    first.endInterval("A", state)
    #expect(
      test.story == [
        "A 1.0 ([Error] Interval was begun by another signposter)", "A 1.0 ([Error] Interval already ended)",
      ])
    #expect(first.misuses == 1 && second.misuses == 1)
    let copy = first
    copy.endInterval("A", first.beginInterval("A"))
    #expect(first.misuses == 1, "copies are one signposter")
  }

  @Test("an exclusive interval that begins while another of its name is open says so at its end")
  func overlapping() {
    let signposter = test.make()
    let first = signposter.beginInterval("A")
    let other = signposter.beginInterval("B")
    test.advance(by: .milliseconds(1))
    let second = signposter.beginInterval("A")
    test.advance(by: .milliseconds(1))
    signposter.endInterval("A", first)
    signposter.endInterval("A", second, "late")
    signposter.endInterval("B", other)
    signposter.endInterval("A", signposter.beginInterval("A"))
    #expect(
      test.story == [
        "A 2.0", "A 1.0 ([Error] Interval overlaps another exclusive one of its name)", "B 2.0", "A 0.0",
      ])
    #expect(signposter.misuses == 1)
  }

  @Test("intervals with ids overlap freely")
  func overlappingIDs() {
    let signposter = test.make()
    let states = (0..<100).map { _ in signposter.beginInterval("A", id: signposter.makeSignpostID()) }
    for state in states { signposter.endInterval("A", state) }
    #expect(signposter.misuses == 0 && test.intervals.map(\.id) == Array(1...100))
  }

  @Test("a recreated state is not checked: it ends the open interval of its id and of the given name")
  func recreated() {
    let signposter = test.make()
    _ = signposter.beginInterval("A", id: SignpostID(7))
    test.advance(by: .milliseconds(4))
    let state = SignpostIntervalState.beginState(id: SignpostID(7))
    signposter.endInterval("A", state, "found")
    signposter.endInterval("A", state, "gone")
    #expect(test.story == ["A 4.0 (found)", "A 0.0 ([Error] Interval has no known begin)"])
    #expect(test.intervals.map(\.id) == [7, 7])
  }

  @Test("a state survives encoding, and its end elsewhere knows the time of the begin")
  func encoded() throws {
    let signposter = test.make()
    test.advance(by: .seconds(1))
    let state = signposter.beginInterval("A", id: SignpostID(5))
    let data = try JSONEncoder().encode(state)
    test.advance(by: .milliseconds(250))
    let decoded = try JSONDecoder().decode(SignpostIntervalState.self, from: data)
    #expect(decoded.signpostID == SignpostID(5))
    test.make().endInterval("A", decoded)
    signposter.endInterval("A", decoded)
    signposter.endInterval("A", decoded)
    #expect(test.story == ["A 250.0", "A 250.0", "A 250.0"])
    let recreated = try JSONEncoder().encode(SignpostIntervalState.beginState(id: .exclusive))
    #expect(try JSONDecoder().decode(SignpostIntervalState.self, from: recreated).signpostID == .exclusive)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(SignpostIntervalState.self, from: Data("{}".utf8))
    }
  }

  @Test("of many threads that end one state, exactly one ends it")
  func threads() async {
    let signposter = test.make()
    for _ in 0..<200 {
      let state = signposter.beginInterval("A")
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 { group.addTask { signposter.endInterval("A", state) } }
      }
    }
    #expect(test.intervals.count == 800 && test.intervals.count { $0.error == nil } == 200)
    #expect(signposter.misuses == 600)
  }

  @Test("states that are thrown away do not add up")
  func thrownAway() {
    let signposter = test.make()
    for _ in 0..<100_000 { _ = signposter.beginInterval("A", id: signposter.makeSignpostID()) }
    signposter.endInterval("A", signposter.beginInterval("A"))
    #expect(test.story == ["A 0.0"] && signposter.misuses == 0)
  }
}
