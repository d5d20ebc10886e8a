import TestSupport
import Testing

@testable import TestDelivery

@Suite("What an endpoint noted is judged")
struct EndpointRecordTests {
  private typealias Verdict = EndpointRecord.Verdict

  private func verdict(_ lives: String...) throws -> Verdict {
    let folder = try TemporaryFolder()
    let file = try folder.write(lives.map { "life\n\($0)\n" }.joined(), to: "endpoint")
    return EndpointRecord(path: file).verdict
  }

  @Test func `The last batch of the dead may come again, also in parts`() throws {
    #expect(try verdict("+ 0:a 1:b .\n=", "+ 0:a 1:b .\n=") == Verdict(repeatedByDeath: 2))
    let parts = "- 0:a 1:b .\n=\n+ 0:a .\n=\n+ 1:b .\n="
    #expect(try verdict("+ 0:a 1:b .\n=", parts) == Verdict(repeatedByDeath: 4))
  }

  @Test func `A batch before the last, and one of the same life, may not`() throws {
    #expect(try verdict("+ 0:a .\n=\n+ 1:b .\n=", "+ 0:a .\n=") == Verdict(repeated: 1))
    #expect(try verdict("+ 0:a .\n=\n+ 0:a .\n=") == Verdict(repeated: 1))
  }

  @Test func `A batch whose answer got lost may come again, and none may come before an older one`() throws {
    #expect(try verdict("? 0:a .\n+ 0:a .\n=") == Verdict())
    #expect(try verdict("+ 1:b .\n=\n+ 0:a .\n=") == Verdict(disordered: 1))
    #expect(try verdict("? 0:a .\n+ 0:z .\n=") == Verdict(disordered: 1))
  }
}
