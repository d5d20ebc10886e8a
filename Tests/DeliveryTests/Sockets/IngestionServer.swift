import Foundation

/// Endpoints of nginx that refuse in their ways until they are told to take; what they take they put into files.
final class IngestionServer: Sendable {
  /// One endpoint.
  struct Endpoint {
    /// The beginning of its path.
    let name: String
    /// How nginx refuses, in its own words.
    var refusal = "return 503"
    /// The status by which it takes.
    var taking = 202
    var retryAfter: String?
    /// Whether it takes from the start.
    var takes = false
    /// More of nginx's words.
    var more = ""
  }

  private let nginx: NginxServer

  /// Starts nginx.
  ///
  /// - Parameter more: Other locations.
  init(_ endpoints: [Endpoint], more: String = "", port: UInt16? = nil) throws {
    let locations = endpoints.map(Self.location) + [more]
    nginx = try NginxServer(locations: locations.joined(separator: "\n"), port: port)
    for endpoint in endpoints where endpoint.takes { try take(endpoint.name) }
  }

  // nginx reads the whole body into a file before it forwards the request, to itself.
  private static func location(_ endpoint: Endpoint) -> String {
    """
    location = /\(endpoint.name)/v1/batch {
      \(endpoint.retryAfter.map { "add_header Retry-After '\($0)' always;" } ?? "")
      \(endpoint.more)
      if (!-f FOLDER/\(endpoint.name).takes) { \(endpoint.refusal); }
      client_body_temp_path FOLDER/\(endpoint.name);
      client_body_in_file_only on;
      proxy_pass_request_body off;
      proxy_set_header Content-Length '';
      proxy_pass http://127.0.0.1:PORT/taken/\(endpoint.name);
    }
    location = /taken/\(endpoint.name) { return \(endpoint.taking); }
    """
  }

  func host(_ name: String) -> String { "http://127.0.0.1:\(nginx.port)/\(name)" }

  /// The endpoint takes from now on.
  func take(_ name: String) throws {
    try Data().write(to: URL(fileURLWithPath: nginx.path("\(name).takes")))
  }

  /// The bodies that an endpoint took, in their order.
  func bodies(_ name: String) throws -> [Data] {
    try FileManager.default.contentsOfDirectory(atPath: nginx.path(name)).sorted().map {
      try Data(contentsOf: URL(fileURLWithPath: nginx.path("\(name)/\($0)")))
    }
  }

  /// The names of the events that an endpoint took, in their order.
  func names(_ name: String) throws -> [String] {
    try bodies(name).flatMap { try CoreRig.events(in: $0) }.map { $0["event"] as? String ?? "?" }
  }
}

/// The names of events with these numbers.
func names(_ numbers: ClosedRange<Int>) -> [String] { numbers.map { "\($0)" } }
