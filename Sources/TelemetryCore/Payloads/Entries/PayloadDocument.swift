/// A whole payload as recorded, except for its figures: bucket `payload`, metric `payload`.
public struct PayloadDocument: Codable, Hashable, Sendable {
  /// The kind of payload.
  public enum Kind: String, Codable, Hashable, Sendable {
    /// Figures of a day.
    case metric
    /// Failures.
    case diagnostic
  }

  /// The kind of payload.
  public let kind: Kind
  /// The app version; empty if the payload names none, or diagnostics of several versions.
  public let appVersion: String
  /// Start of the payload's period, as written there.
  public let begin: String
  /// End of the period, as written there.
  public let end: String
  /// True if it covers several app versions.
  public let multipleVersions: Bool
  /// True if it was simulated.
  public let simulated: Bool
  /// True if its quantities are in a regional format, so numbers and units are inferred.
  public let localized: Bool
  /// The operating system as it identifies itself: `iPhone OS 16.0.2 (20A380)`; empty if unknown, like the following ones.
  public let os: String
  /// The model: `iPhone11,8`.
  public let device: String
  /// The region, which does not determine the language.
  public let region: String
  /// The processor: `arm64e`.
  public let platform: String
  /// The payload's file name and content hash.
  public let source: String
}

extension PayloadDocument {
  init(_ payload: Payload, isLocalized: Bool, source: RecordedSource) {
    begin = payload.timeStampBegin?.description ?? ""
    end = payload.timeStampEnd?.description ?? ""
    simulated = payload.isSimulated
    localized = isLocalized
    self.source = source.description
    let metaData: PayloadMetaData?
    switch payload {
    case .metric(let payload):
      kind = .metric
      appVersion = payload.latestApplicationVersion ?? ""
      multipleVersions = payload.includesMultipleApplicationVersions
      metaData = payload.metaData
    case .diagnostic(let payload):
      kind = .diagnostic
      let versions = payload.applicationVersions
      appVersion = versions.count == 1 ? versions[0] : ""
      multipleVersions = versions.count > 1
      metaData = payload.metaData
    }
    os = metaData?.osVersion ?? ""
    device = metaData?.deviceType ?? ""
    region = metaData?.regionFormat ?? ""
    platform = metaData?.platformArchitecture ?? ""
  }
}
