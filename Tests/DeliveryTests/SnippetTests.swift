import Foundation
import TestSupport
import Testing

@Suite("A program written for the original client's documentation")
struct SnippetTests {
  @Test("compiles unchanged and behaves as that documentation says")
  func runs() throws {
    let folder = try TemporaryFolder()
    let output = folder.path("output")
    let program = try ChildProcess.program("analytics-snippets")
    let status = try ChildProcess(
      program, [], environment: ["XDG_DATA_HOME": folder.url.path, "HOME": folder.url.path], output: output
    ).wait()
    #expect(status == .exited(0))
    let lines = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n")
    #expect(lines.allSatisfy { !$0.contains("snippet-write-key") })
    #expect(
      lines.filter { !$0.hasPrefix("Delivery: ") }.joined(separator: "\n") == """
        anonymous id: a UUID
        debug keys: anonymousId circuitRemainingMs circuitState dropped flushInFlight flushIntervalSeconds groupId \
        hasDiskData ingestionHost lifecycle maxDiskEvents maxQueueEvents networkStatus queueLength tracing userId writeKey
        write key: masked
        after reset: a proxy
        """)
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path("metarouter")).sorted()
    #expect(!files.contains { $0.hasSuffix(".tmp") })
  }

  @Test("ends cleanly although another thread is about to connect: OpenSSL does not clean up under it")
  func endsWhileConnecting() throws {
    let folder = try TemporaryFolder()
    let program = try ChildProcess.program("analytics-snippets")
    // Of four hundred runs three crashed.
    for run in 0..<100 {
      let home = folder.path("\(run)")
      let status = try ChildProcess(
        program, [], environment: ["XDG_DATA_HOME": home, "HOME": home], output: folder.path("output")
      ).wait()
      #expect(status == .exited(0))
    }
  }
}
