#if os(Linux)
  import CCurl
  import Essentials
  package import Platform

  /// A libcurl handle and its connections; one exchange at a time.
  ///
  /// Connections are reused. Proxies come from the environment, as libcurl reads it.
  package final class CurlHandle {
    /// Debian's names: the library that most programs use, and the one that git depends on.
    package static let libraries = ["libcurl.so.4", "libcurl-gnutls.so.4"]
    /// The version of the first library found, such as `8.14.1`.
    package static var version: String? {
      libraries.lazy.compactMap { mistertop_curl_version($0).map { String(cString: $0) } }.first.map { text in
        String(text.prefix { $0 != " " }.drop { !$0.isNumber })
      }
    }

    /// The polling interval for cancellation if no descriptor was left to be woken by, in milliseconds.
    private static let longestWait: Int32 = 1000

    private let curl: OpaquePointer
    /// A file with the trusted certificates, instead of the system's.
    private let authorities: String?

    /// Loads the first library found.
    ///
    /// - Parameter authorities: A file with the trusted certificates, instead of the system's.
    /// - Throws: A failure if all are missing.
    package init(libraries: [String] = CurlHandle.libraries, authorities: String? = nil) throws(HTTPFailure) {
      var found: OpaquePointer?
      for library in libraries where found == nil { found = mistertop_curl_open(library) }
      guard let curl = found else {
        throw HTTPFailure(.unavailable, "libcurl is not installed (\(libraries.joined(separator: ", ")))")
      }
      self.curl = curl
      self.authorities = authorities
    }

    deinit { mistertop_curl_close(curl) }

    /// Posts, and blocks this thread until the outcome is known.
    ///
    /// A body that breaks off after the status line is not a failure.
    ///
    /// - Parameter cancellation: Ends the exchange when raised.
    package func post(
      _ request: HTTPRequest, _ cancellation: WakeSignal
    ) -> Result<HTTPAnswer, HTTPFailure> {
      guard request.url.lowercased().hasPrefix("http://") || request.url.lowercased().hasPrefix("https://")
      else { return .failure(HTTPFailure(.unavailable, "only http and https can be posted to")) }
      var reader = AnswerReader(request.limits, fields: request.fields)
      defer { mistertop_curl_end(curl) }
      let (end, wasCancelled) = request.body.withUnsafeBytes { body in
        withUnsafeMutablePointer(to: &reader) { reader in
          let problem = describe(request, body, reader)
          return problem == CURLE_OK ? exchange(until: cancellation) : (problem, false)
        }
      }
      if wasCancelled { return .failure(HTTPFailure(.cancelled, "cancelled by the caller")) }
      reader.hasEnded = end == CURLE_OK
      // A failure after the status line: the result is already decided.
      if let answer = reader.answer { return .success(answer) }
      return .failure(failure(of: end))
    }

    /// Sets libcurl's options; the pointers must stay valid until the end of the exchange.
    private func describe(
      _ request: HTTPRequest, _ body: UnsafeRawBufferPointer, _ reader: UnsafeMutablePointer<AnswerReader>
    ) -> CURLcode {
      guard mistertop_curl_prepare(curl) else { return CURLE_FAILED_INIT }
      let milliseconds = Int(clamping: request.timeout.clampedNanoseconds / 1_000_000)
      var results = [
        mistertop_curl_set_text(curl, CURLOPT_URL, request.url),
        mistertop_curl_set_text(curl, CURLOPT_PROTOCOLS_STR, "http,https"),
        // HTTP/2 has no benefit for one request at a time.
        mistertop_curl_set_number(curl, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
        mistertop_curl_set_number(curl, CURLOPT_FOLLOWLOCATION, 0),
        mistertop_curl_set_number(curl, CURLOPT_FRESH_CONNECT, request.isRepeatable ? 0 : 1),
        mistertop_curl_set_number(curl, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
        mistertop_curl_set_number(curl, CURLOPT_NOSIGNAL, 1),
        // 0 would mean no limit, and a day fits into any integer type.
        mistertop_curl_set_number(curl, CURLOPT_TIMEOUT_MS, min(max(milliseconds, 1), 86_400_000)),
        // Limits the bytes read beyond the limit of the body.
        mistertop_curl_set_number(curl, CURLOPT_BUFFERSIZE, 4096),
        mistertop_curl_set_body(curl, body.baseAddress, body.count),
        mistertop_curl_set_readers(curl, takeLine, takeBody, reader),
      ]
      if request.readsNetrc {
        results.append(mistertop_curl_set_number(curl, CURLOPT_NETRC, Int(CURL_NETRC_OPTIONAL.rawValue)))
      }
      if let authorities { results.append(mistertop_curl_set_text(curl, CURLOPT_CAINFO, authorities)) }
      results += request.headers.map { mistertop_curl_add_header(curl, Self.line($0)) }
      // Waiting for an interim answer would cost a second if the server does not send one.
      results.append(mistertop_curl_add_header(curl, "Expect:"))
      // Abandons a name lookup that takes longer; older libraries wait for it.
      _ = mistertop_curl_set_number(curl, CURLOPT_QUICK_EXIT, 1)
      return results.first { $0 != CURLE_OK } ?? CURLE_OK
    }

    /// A header line in libcurl's form; line breaks would begin another header.
    private static func line(_ header: HTTPRequest.Header) -> String {
      let line = header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)"
      return String(String.UnicodeScalarView(line.unicodeScalars.filter { $0.value >= 0x20 || $0 == "\t" }))
    }

    private func exchange(until cancellation: WakeSignal) -> (end: CURLcode, wasCancelled: Bool) {
      var end = CURLE_FAILED_INIT
      guard mistertop_curl_begin(curl) == CURLM_OK else { return (end, false) }
      repeat {
        if cancellation.isRaised { return (end, true) }
      } while mistertop_curl_step(curl, cancellation.descriptor, Self.longestWait, &end)
      return (end, false)
    }

    private func failure(of end: CURLcode) -> HTTPFailure {
      let code: HTTPFailure.Code =
        switch end {
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        // No end of the headers, a line too long for libcurl, an invalid status line, or none at all.
        case CURLE_OK, CURLE_WRITE_ERROR, CURLE_OUT_OF_MEMORY, mistertop_curl_too_large,
          CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL:
          .invalidAnswer
        case CURLE_FAILED_INIT, CURLE_URL_MALFORMAT, CURLE_NOT_BUILT_IN, CURLE_UNKNOWN_OPTION: .unavailable
        default: .unreachable
        }
      let words =
        end == CURLE_OK ? "no answer but interim ones" : String(cString: mistertop_curl_explain(curl, end))
      return HTTPFailure(code, words)
    }
  }

  private func takeLine(_ reader: UnsafeMutableRawPointer?, _ bytes: UnsafeRawPointer?, _ count: Int) -> Bool
  {
    guard let reader = reader?.assumingMemoryBound(to: AnswerReader.self) else { return false }
    return reader.pointee.takeLine(UnsafeRawBufferPointer(start: bytes, count: count))
  }

  private func takeBody(_ reader: UnsafeMutableRawPointer?, _ bytes: UnsafeRawPointer?, _ count: Int) -> Bool
  {
    guard let reader = reader?.assumingMemoryBound(to: AnswerReader.self) else { return false }
    return reader.pointee.takeBody(UnsafeRawBufferPointer(start: bytes, count: count))
  }
#endif
