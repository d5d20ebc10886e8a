import Foundation
import TestSupport
import Testing

/// `Tests/Scripts/require-packages` between tools that only write down what is asked of them; the real ones are tried by
/// `Tests/Scripts/bare-machine`.
@Suite("Packages that a build needs")
struct RequirePackagesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Runs the script without a terminal, for packages of which the last is missing, as is `libxml2`.
  private func requirePackages(user: String, sudo: String?, yes: String, _ packages: String...) throws -> (
    status: Int32, output: String, installed: [Substring]
  ) {
    var tools = [
      "id": "echo \(user)",
      "apt-get": "echo \"$*\" >>'\(folder.path("log"))'",
      "dpkg-query": """
      case $* in
        *libstdc++6) printf 14.2.0-19 ;;
        *) for name in binutils libsqlite3-0 libstdc++-14-dev zlib1g-dev; do printf '%s=installed ' $name; done ;;
      esac
      """,
    ]
    // It lets a command run that comes with `-n`, or would ask for a password.
    tools["sudo"] = sudo.map { "[ $1 != -n ] || exec \($0); exec \"$@\"" }
    for (name, text) in tools {
      let tool = try folder.write("#!/bin/sh\n\(text)\n", to: name)
      #expect(chmod(tool, 0o700) == 0)
    }
    for (name, place) in [("sh", "/bin/sh"), ("true", "/bin/true"), ("false", "/bin/false")] {
      #expect(symlink(place, folder.path(name)) == 0)
    }
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Scripts/require-packages").path
    let (status, output) = try Shell.run(
      script, packages, environment: ["PATH": folder.url.path, "YES": yes])
    let log = (try? String(contentsOfFile: folder.path("log"), encoding: .utf8)) ?? ""
    return (status, output, log.split(separator: "\n"))
  }

  @Test(
    "are installed by root, or by whoever agreed and may; others are told the command",
    arguments: [
      ("0", nil, "", nil), ("0", nil, "1", nil), ("1000", "true", "1", nil),
      ("1000", "true", "", "sudo sh -c"), ("1000", "false", "1", "sudo sh -c"), ("1000", nil, "1", "su -c"),
    ] as [(String, String?, String, String?)])
  func missing(user: String, sudo: String?, yes: String, told: String?) throws {
    let (status, output, installed) = try requirePackages(
      user: user, sudo: sudo, yes: yes, "zlib1g-dev", "tmux")
    let install = "install -y --no-install-recommends libxml2 tmux"
    #expect(output.hasPrefix("mistertop needs these packages: libxml2 tmux\n"))
    if let told {
      #expect(status == 1 && installed.isEmpty)
      #expect(output.hasSuffix("  \(told) 'apt-get update && apt-get \(install)'\n"), "\(output)")
    } else {
      #expect(status == 0 && installed == ["update", install[...]], "\(output)")
    }
  }
}
