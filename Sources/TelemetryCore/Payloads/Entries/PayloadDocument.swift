/// A whole payload as it is recorded, but for its figures: bucket `payload`, metric `payload`.
public struct PayloadDocument: Codable, Hashable, Sendable {
  /// The subject of a payload.
  public enum Kind: String, Codable, Hashable, Sendable {
    /// The figures of a day.
    case metric
    /// Things that went wrong.
    case diagnostic
  }

  /// The subject of the payload.
  public let kind: Kind
  /// The version of the app; empty where the payload names none, or diagnostics of several.
  public let appVersion: String
  /// When the time of the payload began, as written there.
  public let begin: String
  /// When it ended, as written there.
  public let end: String
  /// True if it covers several versions of the app.
  public let multipleVersions: Bool
  /// True if a simulation made it.
  public let simulated: Bool
  /// True if its quantities are written as a region does, so that numbers and units are understood, not known.
  public let localized: Bool
  /// The system as it names itself: `iPhone OS 16.0.2 (20A380)`; empty if unknown, like the following ones.
  public let os: String
  /// The model: `iPhone11,8`.
  public let device: String
  /// The region, which does not tell the language.
  public let region: String
  /// The processor: `arm64e`.
  public let platform: String
  /// Which payload it is: the name of its file and the hash of its content.
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
