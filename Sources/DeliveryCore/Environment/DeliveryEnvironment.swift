package import Essentials
import HTTPClient

/// All external dependencies of a client.
package struct DeliveryEnvironment: Sendable {
  package var clock: any DeliveryClock
  package var generator: any RandomNumberGenerator & Sendable
  package var transport: any DeliveryTransport
  package var context: any ContextSource
  package var network: any NetworkMonitor
  /// Opens the events on disk; called only if events may be stored there.
  package var openStorage: @Sendable (InitOptions) throws(StorageFailure) -> any EventStorage
  /// Opens the stored identity.
  package var openValues: @Sendable (InitOptions) -> any KeyValueStorage
  /// A value that the original library stored.
  package var original: @Sendable (_ name: String) -> String? = { _ in nil }
  /// The right to a client's folder; `nil` if it has none.
  package var claim: @Sendable (InitOptions) -> FolderClaim? = { _ in nil }
  /// Opens the note of an unfinished reset.
  package var openMarks: @Sendable (InitOptions) -> any KeyValueStorage = { _ in InMemoryKeyValues() }
  /// Opens the events that the endpoint refused.
  package var openRefused: @Sendable (InitOptions) -> any KeyValueStorage = { _ in InMemoryKeyValues() }
  /// Encodes a body for posting; if it throws, the batch is dropped.
  package var encodeBody: @Sendable (Data, InitOptions) throws -> Data = { body, options in
    options.compressesBodies ? try BodyCompression.gzip(body) : body
  }
  /// Receives log lines.
  package var log: @Sendable (LogLine) -> Void
  /// True if the app is in the foreground when the client becomes ready.
  package var isForeground: @Sendable () -> Bool

  package init(
    clock: any DeliveryClock, generator: any RandomNumberGenerator & Sendable,
    transport: any DeliveryTransport, context: any ContextSource, network: any NetworkMonitor,
    openStorage: @escaping @Sendable (InitOptions) throws(StorageFailure) -> any EventStorage,
    openValues: @escaping @Sendable (InitOptions) -> any KeyValueStorage,
    log: @escaping @Sendable (LogLine) -> Void, isForeground: @escaping @Sendable () -> Bool
  ) {
    self.clock = clock
    self.generator = generator
    self.transport = transport
    self.context = context
    self.network = network
    self.openStorage = openStorage
    self.openValues = openValues
    self.log = log
    self.isForeground = isForeground
  }
}

/// A log line for people; never contains a complete write key, a trait or a property.
package struct LogLine: Sendable, Hashable {
  package enum Level: String, Sendable, Hashable, CaseIterable {
    /// Logged only in debug mode.
    case debug
    case warning
    case error
  }

  package let level: Level
  package let text: String

  package init(_ level: Level, _ text: String) {
    self.level = level
    self.text = text
  }
}

/// Masking of secrets and ids for display.
package enum Masked {
  /// `***` and the last four characters; `***` alone for keys of up to four.
  package static func key(_ key: String) -> String {
    key.count <= 4 ? "***" : "***" + key.suffix(4)
  }

  /// Foreign text with a key masked; a key of a few letters is not a secret, and may be part of any word.
  package static func text(_ text: String, key secret: String) -> String {
    // Bytewise: a combining mark behind a key must not hide it.
    secret.count < 8
      ? text
      : String(
        decoding: Array(text.utf8).replacing(Array(secret.utf8), with: Array(key(secret).utf8)), as: UTF8.self
      )
  }

  /// At most the last eight characters of an id: message ids begin with a timestamp that whole batches share.
  package static func id(_ id: String) -> String {
    id.count <= 8 ? id : "…" + id.suffix(8)
  }
}
