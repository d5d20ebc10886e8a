import Codecs
import Essentials
import HTTPClient
package import Platform

/// Sends one statement at a time to a server.
package protocol ServerLink: AnyObject {
  /// Runs a statement and waits for its end.
  ///
  /// - Parameters:
  ///   - settings: Parameters of the request, such as `query_id`.
  ///   - rows: The rows of an insert.
  /// - Returns: The answer's body.
  func run(
    _ statement: String, settings: [(name: String, value: String)], rows: [UInt8]
  ) -> Result<[UInt8], ServerFailure>
}

#if os(Linux)
  /// A connection over HTTP.
  package final class HTTPServerLink: ServerLink {
    private let timeout: Duration
    private let limit: Int
    private let url: String
    /// The headers with the user and the password, which are nowhere else: addresses are logged.
    private let credentials: [HTTPRequest.Header]
    private let curl: CurlHandle
    private let stop: WakeSignal

    /// - Parameters:
    ///   - environment: Has `CLICKHOUSE_USER` and `CLICKHOUSE_PASSWORD`; without a password, `~/.netrc` is read.
    ///   - authorities: A file with the trusted certificates, instead of the system's.
    ///   - stop: Ends a statement when raised.
    ///   - timeout: The longest duration of a statement.
    ///   - limit: Maximum bytes of an answer.
    package init(
      _ address: ServerAddress, environment: [String: String], authorities: String?, stop: WakeSignal,
      timeout: Duration = .seconds(60), limit: Int = 64 << 10
    ) throws(ServerFailure) {
      (self.stop, self.timeout, self.limit) = (stop, timeout, limit)
      let user = address.user ?? environment["CLICKHOUSE_USER"]
      if let password = environment["CLICKHOUSE_PASSWORD"] {
        url = address.url(user: nil)
        credentials = [("X-ClickHouse-User", user ?? "default"), ("X-ClickHouse-Key", password)]
      } else {
        // For libcurl alone, which looks for the user's password.
        url = address.url(user: user)
        credentials = []
      }
      do throws(HTTPFailure) { curl = try CurlHandle(authorities: authorities) } catch {
        throw ServerFailure(error)
      }
    }

    package func run(
      _ statement: String, settings: [(name: String, value: String)], rows: [UInt8]
    ) -> Result<[UInt8], ServerFailure> {
      // Without it, an error in the middle is a line at the end of a 200.
      var parameters = [("wait_end_of_query", "1")] + settings
      var headers = credentials
      var body = Data(statement.utf8)
      if !rows.isEmpty {
        parameters.append(("query", statement))
        headers.append(("Content-Encoding", "gzip"))
        do throws(BodyCompression.Failure) { body = try BodyCompression.gzip(rows) } catch {
          return .failure(.unanswered(.unavailable, "out of memory"))
        }
      }
      let request = HTTPRequest(
        url: url + "?" + Self.query(parameters), headers: headers, body: body, timeout: timeout,
        limits: AnswerReader.Limits(body: limit, kept: limit),
        readsNetrc: credentials.isEmpty, isRepeatable: rows.isEmpty)
      return curl.post(request, stop).mapError(ServerFailure.init).flatMap(Self.body)
    }

    private static func query(_ parameters: [(String, String)]) -> String {
      parameters.map { name, value in
        name + "=" + value.utf8.map(escaped).joined()
      }.joined(separator: "&")
    }

    private static func escaped(_ byte: UInt8) -> String {
      let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
      return isPlain ? String(UnicodeScalar(byte)) : "%" + Hexadecimal.text(byte)
    }

    private static func body(_ answer: HTTPAnswer) -> Result<[UInt8], ServerFailure> {
      guard answer.status == 200 else { return .failure(ServerFailure(answer)) }
      guard answer.isWhole else { return .failure(.strange("an answer that breaks off, or does not end")) }
      return .success(answer.body)
    }
  }
#endif
