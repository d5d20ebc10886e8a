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
  /// The build of the app.
  public let build: String
  /// The identifier of the app.
  public let bundle: String
  /// True if the app was installed through TestFlight; `nil` if unknown.
  public let testFlight: Bool?
  /// True if low power mode was on when the payload was assembled; `nil` if unknown.
  public let lowPower: Bool?
  /// The user or device that was named around the payload.
  public let user: String?
  /// The payload's file name and content hash.
  public let source: String
}

extension PayloadDocument {
  init(_ payload: Payload, isLocalized: Bool, user: String?, source: RecordedSource) {
    self.user = user
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
    build = metaData?.applicationBuildVersion ?? ""
    bundle = metaData?.bundleIdentifier ?? ""
    testFlight = metaData?.isTestFlightApp
    lowPower = metaData?.lowPowerModeEnabled
  }
}
