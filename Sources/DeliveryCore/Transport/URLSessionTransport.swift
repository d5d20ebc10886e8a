#if canImport(Darwin)
  import Essentials

  /// Posts with the system's loader, which manages connections, proxies and certificates.
  package struct URLSessionTransport: DeliveryTransport {
    private let session: URLSession

    package init() {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.httpCookieStorage = nil
      configuration.urlCache = nil
      session = URLSession(configuration: configuration)
    }

    package func post(_ request: DeliveryRequest) async throws(TransportFailure) -> DeliveryAnswer {
      let exchange = Task { await exchange(request) }
      // The loader's own timeout restarts with each byte.
      let deadline = Task {
        try await Task.sleep(for: request.timeout)
        exchange.cancel()
      }
      let outcome = await withTaskCancellationHandler {
        await exchange.value
      } onCancel: {
        exchange.cancel()
      }
      deadline.cancel()
      if Task.isCancelled { throw TransportFailure(.cancelled, "cancelled by the caller") }
      return try outcome.get()
    }

    private func exchange(_ request: DeliveryRequest) async -> Result<DeliveryAnswer, TransportFailure> {
      var message = URLRequest(url: request.url)
      message.httpMethod = "POST"
      message.httpBody = request.body
      for header in request.headers { message.setValue(header.value, forHTTPHeaderField: header.name) }
      do {
        let (bytes, response) = try await session.bytes(for: message, delegate: RedirectRefusal())
        // Closes the connection if more bytes arrive than are read.
        defer { bytes.task.cancel() }
        guard let head = response as? HTTPURLResponse else {
          return .failure(TransportFailure(.invalidAnswer, "no answer of HTTP"))
        }
        let detail = await beginning(of: bytes)
        return .success(
          DeliveryAnswer(
            status: head.statusCode, retryAfter: head.value(forHTTPHeaderField: "Retry-After"),
            detail: DeliveryAnswer.detail(of: detail)))
      } catch {
        return .failure(failure(of: error))
      }
    }

    /// Reads at most 64 KiB; an early end is not a failure.
    private func beginning(of bytes: URLSession.AsyncBytes) async -> [UInt8] {
      var (beginning, count) = ([UInt8](), 0)
      do {
        for try await byte in bytes {
          if count < DeliveryAnswer.detailLimit { beginning.append(byte) }
          count += 1
          if count >= DeliveryAnswer.limits.body { break }
        }
      } catch {}
      return beginning
    }

    private func failure(of error: any Error) -> TransportFailure {
      switch (error as? URLError)?.code {
      // The caller sees its own cancellation before this is checked.
      case .timedOut, .cancelled: TransportFailure(.timedOut, "no answer in time")
      case .badServerResponse, .cannotParseResponse:
        TransportFailure(.invalidAnswer, error.localizedDescription)
      case .unsupportedURL, .badURL: TransportFailure(.unavailable, error.localizedDescription)
      default:
        TransportFailure(error is CancellationError ? .timedOut : .unreachable, error.localizedDescription)
      }
    }
  }

  /// Treats a redirect like any other answer.
  private final class RedirectRefusal: NSObject, URLSessionTaskDelegate {
    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest
    ) async -> URLRequest? { nil }
  }
#endif
