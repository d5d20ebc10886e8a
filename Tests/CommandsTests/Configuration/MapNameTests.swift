import Foundation
import JSONLines
import Platform
import TestSupport
import Testing

@testable import Commands

@Suite("Maps by name")
struct MapNameTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func mapping(_ name: String, _ configuration: String) throws -> LineMapping? {
    let path = try folder.write(configuration, to: "config.json5")
    let environment = ProcessEnvironment(
      variables: ["MISTERTOP_CONFIG": path], now: Timestamp(0), exists: { _ in true })
    let line = ["stats", "--map", name, "app.log"]
    guard case .command(let prepared) = try CommandLineParser(environment: environment).parse(line) else {
      return nil
    }
    return (prepared.request as? StatsCommand.Request)?.mapping
  }

  @Test("a name stands for a map of the configuration")
  func named() throws {
    let found = try mapping("shop", "{ maps: { shop: 'time=ts,name=op,value=ms' } }")
    #expect(found?.text == "time=ts,name=op,value=ms")
  }

  @Test("a name that the configuration does not have is a wrong use that says what was meant")
  func unknown() throws {
    for (configuration, words) in [
      ("{ maps: { shop: 'time=ts' } }", "the configuration has no map of this name; did you mean shop?"),
      ("{}", "the configuration names none"),
    ] {
      let error = #expect(throws: UsageError.self) { try mapping("shpo", configuration) }
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }
  }
}
