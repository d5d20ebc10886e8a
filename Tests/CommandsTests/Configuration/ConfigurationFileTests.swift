import Codecs
import DashboardCore
import Foundation
import Platform
import QueryLanguage
import TerminalUI
import TestSupport
import Testing

@testable import Commands

@Suite("The file of a configuration")
struct ConfigurationFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func sentence(_ path: String) -> String? { ConfigurationFile(path: path).problems.first?.text }

  @Test("a file is read, with a byte order mark or without, through a link as well")
  func plain() throws {
    let path = try folder.write("\u{FEFF}{theme: 'night'}", to: "config.json5")
    #expect(ConfigurationFile(path: path).configuration.theme == "night")
    #expect(ConfigurationFile(path: path).problems.isEmpty)
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: path)
    #expect(ConfigurationFile(path: folder.path("link")).configuration.theme == "night")
  }

  @Test("no path is no problem; a path without a file is one")
  func missing() {
    #expect(ConfigurationFile(path: "").problems.isEmpty && !ConfigurationFile(path: "").isThere)
    let file = ConfigurationFile(path: folder.path("none"))
    #expect(!file.isThere && file.problems.map(\.text) == ["cannot be read: no such file"])
  }

  @Test("ten megabytes are refused at once")
  func long() throws {
    let path = try folder.write(String(repeating: "{theme: 'night'} ", count: 620_000), to: "long")
    #expect(sentence(path) == "has more than 1 MB, which is too long for a configuration")
    #expect(ConfigurationFile(path: path).configuration == Configuration())
    let most = String(repeating: " ", count: (1 << 20) - 16) + "{theme: 'night'}"
    #expect(ConfigurationFile(path: try folder.write(most, to: "most")).configuration.theme == "night")
  }

  @Test("bytes that are no UTF-8 are refused")
  func encoding() throws {
    try Data([0x7B, 0xFF, 0xFE, 0x7D]).write(to: URL(fileURLWithPath: folder.path("bad")))
    #expect(sentence(folder.path("bad")) == "is not valid UTF-8")
  }

  @Test("folders, pipes and devices do not hold up the start")
  func kinds() throws {
    #expect(sentence(folder.url.path) == "is a folder, not a file")
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    #expect(sentence(folder.path("pipe")) == "is not a regular file")
    #expect(sentence("/dev/zero") == "is not a regular file")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("loop"), withDestinationPath: folder.path("loop"))
    #expect(sentence(folder.path("loop"))?.hasPrefix("cannot be read: ") == true)
  }

  @Test(
    "who else can write the file, or owns it, gets no command run", arguments: [0o600, 0o644, 0o664, 0o646])
  func permissions(mode: Int) throws {
    let path = try folder.write("{limits: [{metric: 'a', above: 1, command: 'id'}], theme: 'paper'}", to: "c")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    let isOwn = mode & 0o022 == 0
    let file = ConfigurationFile(path: path)
    #expect(file.configuration.theme == "paper")
    #expect(file.configuration.limits.all.first?.command == (isOwn ? "id" : nil))
    #expect(file.problems.isEmpty == isOwn)
    // Read by someone else than the one it belongs to; who belongs to the system is trusted.
    let owner = try #require(Posix.status(at: path)).owner
    let other = ConfigurationFile(path: path, user: owner == 0 ? 0 : owner &+ 1)
    #expect(other.configuration.limits.all.first?.command == (owner == 0 && isOwn ? "id" : nil))
  }

  @Test("the sentence for the screen names the file, the line, and how much more there is")
  func words() throws {
    let path = try folder.write("{\n them: 1,\n bell: 2,\n}", to: "config.json5")
    #expect(
      ConfigurationFile(path: path).sentence
        == "config.json5, line 2: them: there is no such key; did you mean theme? (and 1 more: mistertop --check-config)"
    )
  }

  @Test("the file is the option's, else the variable's, else the platform's place")
  func place() throws {
    let path = try folder.write("{theme: 'night'}", to: "named.json5")
    func environment(_ variables: [String: String]) -> ProcessEnvironment {
      ProcessEnvironment(variables: variables, now: Timestamp(0), exists: { _ in false })
    }
    var view = ViewOptions()
    #expect(view.configuration(in: environment(["HOME": folder.url.path])).path == "")
    #expect(view.configuration(in: environment(["MISTERTOP_CONFIG": path])).configuration.theme == "night")
    let missing = view.configuration(in: environment(["MISTERTOP_CONFIG": folder.path("none")]))
    #expect(missing.problems.count == 1)
    view.configurationFile = path
    let named = view.configuration(in: environment(["MISTERTOP_CONFIG": folder.path("none")]))
    #expect(named.configuration.theme == "night" && named.problems.isEmpty)
    #if !canImport(Darwin)
      #expect(environment(["HOME": "/h"]).configurationFile == "/h/.config/mistertop/config.json5")
      #expect(
        environment(["HOME": "/h", "XDG_CONFIG_HOME": "/x"]).configurationFile == "/x/mistertop/config.json5")
    #endif
    #expect(environment([:]).configurationFile == "")
  }

  @Test("options win over the file")
  func order() {
    var configuration = Configuration()
    (configuration.theme, configuration.glyphs, configuration.colors) = ("paper", .blocks, .indexed16)
    configuration.limits = LimitSet([MetricLimit(metric: "a", bound: 1), MetricLimit(metric: "b", bound: 2)])
    #expect(ViewOptions().filled(from: configuration).theme == "paper")
    var view = ViewOptions()
    (view.theme, view.glyphs, view.colors) = ("night", .ascii, .trueColor)
    view.limits.set(MetricLimit(metric: "a", bound: 9))
    let filled = view.filled(from: configuration)
    #expect(filled.theme == "night" && filled.glyphs == .ascii && filled.colors == .trueColor)
    #expect(
      filled.limits.drawn(of: "a", in: .plain)?.bound == 9
        && filled.limits.drawn(of: "b", in: .plain)?.bound == 2)
  }
}
