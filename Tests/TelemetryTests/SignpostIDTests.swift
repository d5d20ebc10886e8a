import Telemetry
import Testing

@Suite("Signpost ids")
struct SignpostIDTests {
  @Test("the ids that the system defines are three different ones")
  func systemIDs() {
    #expect(Set([SignpostID.exclusive, .null, .invalid]).count == 3)
  }

  @Test(
    "a record holds 0 for the exclusive id, and any other number as far as it fits",
    arguments: [
      (SignpostID.exclusive, 0), (.null, 0), (SignpostID(1), 1), (SignpostID(UInt64(Int.max)), Int.max),
      (SignpostID(1 << 63), Int.max), (.invalid, Int.max),
    ])
  func recorded(id: SignpostID, number: Int) {
    #expect(id.recorded == number)
  }

  @Test("a signposter makes each id once, whoever asks, and none that the system defines")
  func made() async {
    let signposter = TestSignposter().make()
    let ids = await withTaskGroup(of: [SignpostID].self) { group in
      for _ in 0..<4 { group.addTask { (0..<1000).map { _ in signposter.makeSignpostID() } } }
      return await group.reduce(into: Set()) { $0.formUnion($1) }
    }
    #expect(ids.count == 4000 && ids.isDisjoint(with: [.exclusive, .null, .invalid]))
  }

  @Test("an object has one id")
  func objects() {
    let signposter = TestSignposter().make()
    let (first, second) = (TestSignposter(), TestSignposter())
    #expect(signposter.makeSignpostID(from: first) == signposter.makeSignpostID(from: first))
    #expect(signposter.makeSignpostID(from: first) != signposter.makeSignpostID(from: second))
  }
}
