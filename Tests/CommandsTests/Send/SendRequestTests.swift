import Foundation
import Platform
import TestSupport
import Testing

@testable import Commands

@Suite("The command line of send")
struct SendRequestTests {
  private static let host = "https://in.example.com"

  private func parse(
    _ arguments: String..., variables: [String: String] = ["HOME": "/home/me"]
  ) throws(UsageError) -> SendCommand.Request? {
    let environment = ProcessEnvironment(
      variables: variables, now: Timestamp(1_000_000), exists: { _ in false })
    guard
      case .command(let prepared) = try CommandLineParser(environment: environment).parse(
        ["send"] + arguments)
    else { return nil }
    return prepared.request as? SendCommand.Request
  }

  @Test("The key comes from the option, a file or the environment, in this order")
  func keys() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("  of-the-file \nsecond line\n", to: "key")
    let variables = ["HOME": "/home/me", "MISTERTOP_WRITE_KEY": "of-the-environment"]
    let host = ["--host", Self.host]
    #expect(try parse(host[0], host[1], variables: variables)?.writeKey == "of-the-environment")
    #expect(
      try parse(host[0], host[1], "--write-key-file", file, variables: variables)?.writeKey == "of-the-file")
    #expect(try parse(host[0], host[1], "--write-key", "k", variables: variables)?.writeKey == "k")
    let withLineEnd = ["MISTERTOP_WRITE_KEY": "of-the-environment\n"]
    #expect(try parse(host[0], host[1], variables: withLineEnd)?.writeKey == "of-the-environment")
    // A device without an end is no reason to read for ever.
    for empty in ["/dev/zero", "/dev/null"] {
      let error = #expect(throws: UsageError.self) { try parse(host[0], host[1], "--write-key-file", empty) }
      #expect(error?.message.contains(empty) == true)
    }
    #expect(throws: UsageError.conflict("--write-key", "--write-key-file")) {
      try parse(host[0], host[1], "--write-key", "k", "--write-key-file", file)
    }
  }

  @Test("Each file, host and key has a folder of its own, whose name does not tell the key")
  func folders() throws {
    let requests = try [
      parse("--host", Self.host, "--write-key", "k1", "a"),
      parse("--host", Self.host, "--write-key", "k2", "a"),
      parse("--host", Self.host, "--write-key", "k1", "b"),
      parse("--host", Self.host, "--write-key", "k1", "-"),
      parse("--host", "https://other.example.com", "--write-key", "k1", "a"),
    ].compactMap { $0 }
    #expect(Set(requests.map(\.folder)).count == 5)
    #expect(requests.allSatisfy { $0.folder.hasPrefix("/home/me/.local/share/mistertop/send/") })
    #expect(requests.map(\.file) == ["a", "a", "b", nil, "a"])
  }

  @Test("The rest is as its options say")
  func rest() throws {
    let plain = try #require(try parse("--host", Self.host, "--write-key", "k"))
    #expect(plain.wait == 120 && !plain.fromStart && !plain.compresses && plain.store == nil)
    let all = try #require(
      try parse(
        "--host", Self.host, "--write-key", "k", "--wait", "2.5", "--from-start", "--gzip", "--store", "s",
        "--queue", "/q"))
    #expect(all.wait == 2.5 && all.fromStart && all.compresses && all.store == "s" && all.folder == "/q")
  }

  static let wrong: [(arguments: [String], message: String)] = [
    ([], "option --host is required"),
    (["--host", host], "option --write-key, --write-key-file or $MISTERTOP_WRITE_KEY is required"),
    (
      ["--host", host, "--write-key", " "],
      "option --write-key, --write-key-file or $MISTERTOP_WRITE_KEY is required"
    ),
    (
      ["--host", "ftp://x", "--write-key", "k"],
      "invalid value 'ftp://x' for --host: expected an http or https URL with a host name"
    ),
    (
      ["--host", host, "--write-key", "k", "--wait", "0"],
      "invalid value '0' for --wait: expected a number of seconds above 0"
    ),
    (
      ["--host", host, "--write-key-file", "/nonexistent/key"],
      "invalid value '/nonexistent/key' for --write-key-file: expected a file that can be read, with the key in its first line"
    ),
    (["--host", host, "--write-key", "k", "a", "b"], "unexpected argument 'b'"),
  ]

  @Test("Wrong usage says what is wrong", arguments: wrong)
  func refusal(_ sample: (arguments: [String], message: String)) {
    let environment = ProcessEnvironment(variables: ["HOME": "/h"], now: Timestamp(0), exists: { _ in false })
    do throws(UsageError) {
      _ = try CommandLineParser(environment: environment).parse(["send"] + sample.arguments)
      Issue.record("was accepted")
    } catch { #expect(error.message == sample.message) }
  }
}
