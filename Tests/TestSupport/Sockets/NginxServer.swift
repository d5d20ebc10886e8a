import Foundation

/// nginx on loopback, without privileges and with all its files in its own folder.
package final class NginxServer: Sendable {
  package struct Failure: Error {
    package let description: String
  }

  package let port: UInt16
  private let process: ChildProcess
  private let folder: TemporaryFolder

  /// Starts nginx and waits until it responds.
  ///
  /// - Parameters:
  ///   - locations: The locations of its only server; `PORT` is replaced by the port, `FOLDER` by its folder.
  ///   - server: Additional directives of the server.
  ///   - parameters: The parameters after the port in `listen`.
  ///   - port: The port to listen on; `nil` for a free one.
  package init(locations: String, server: String = "", parameters: String = "", port: UInt16? = nil) throws {
    folder = try TemporaryFolder()
    // Another process may take the port before nginx does.
    for _ in 0..<5 {
      let port = try port ?? Loopback.freePort()
      let text = Self.configuration(port, parameters, server + locations, folder.url.path)
      let arguments = [
        "-p", folder.url.path, "-e", "error.log", "-c", try folder.write(text, to: "nginx.conf"),
      ]
      let process = try ChildProcess(Self.program, arguments, output: folder.path("output"))
      if Self.waits(for: process, port) {
        self.process = process
        self.port = port
        return
      }
    }
    let words = ["output", "error.log"].compactMap { [folder] in
      try? String(contentsOfFile: folder.path($0), encoding: .utf8)
    }
    throw Failure(description: "nginx does not start: \(words.joined())")
  }

  deinit { process.kill() }

  /// The path of a file in its folder.
  package func path(_ name: String) -> String { folder.path(name) }

  /// On Debian, it is outside a user's `PATH`.
  private static var program: String {
    FileManager.default.isExecutableFile(atPath: "/usr/sbin/nginx") ? "/usr/sbin/nginx" : "nginx"
  }

  private static func waits(for process: ChildProcess, _ port: UInt16) -> Bool {
    let deadline = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < deadline, process.isRunning {
      if Loopback.answers(port) { return true }
      usleep(2_000)
    }
    return false
  }

  private static func configuration(
    _ port: UInt16, _ parameters: String, _ server: String, _ folder: String
  ) -> String {
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
      "\($0)_temp_path \(folder)/\($0);"
    }
    return """
      daemon off;
      master_process off;
      pid nginx.pid;
      events {}
      http {
        access_log off;
        default_type application/json;
        \(temporary.joined(separator: " "))
        server {
          listen 127.0.0.1:\(port) \(parameters);
          \(server.replacing("PORT", with: "\(port)").replacing("FOLDER", with: folder))
        }
      }
      """
  }
}
