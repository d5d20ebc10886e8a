package import Foundation

/// Endpoints of nginx that reject requests, each in its own way, until they are told to accept; accepted bodies are
/// stored as files.
package final class IngestionServer: Sendable {
  package struct Endpoint {
    /// The first component of its path.
    package let name: String
    /// The nginx directives that reject a request.
    package var refusal: String
    /// The status of an accepted request.
    package var taking: Int
    package var retryAfter: String?
    /// True if it accepts requests from the start.
    package var takes: Bool
    /// Additional nginx directives.
    package var more: String

    package init(
      name: String, refusal: String = "return 503", taking: Int = 202, retryAfter: String? = nil,
      takes: Bool = false, more: String = ""
    ) {
      self.name = name
      self.refusal = refusal
      self.taking = taking
      self.retryAfter = retryAfter
      self.takes = takes
      self.more = more
    }
  }

  private let nginx: NginxServer

  /// Starts nginx.
  ///
  /// - Parameter more: Additional locations.
  package init(_ endpoints: [Endpoint], more: String = "", port: UInt16? = nil) throws {
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

  package func host(_ name: String) -> String { "http://127.0.0.1:\(nginx.port)/\(name)" }

  /// Makes an endpoint accept requests from now on.
  package func take(_ name: String) throws {
    try Data().write(to: URL(fileURLWithPath: nginx.path("\(name).takes")))
  }

  /// The bodies that an endpoint accepted, in order.
  package func bodies(_ name: String) throws -> [Data] {
    try FileManager.default.contentsOfDirectory(atPath: nginx.path(name)).sorted().map {
      try Data(contentsOf: URL(fileURLWithPath: nginx.path("\(name)/\($0)")))
    }
  }
}
