/// The scenarios of the simulator, embedded in the program: one JSON5 file each.
public enum Scenarios {
  /// A file of the folder `Resources`.
  public struct File: Sendable {
    /// The name without its ending.
    public let name: String
    /// The JSON5.
    public let bytes: [UInt8]
  }

  /// The stories, in the order in which they are best read.
  public static let stories = [
    File(name: "healthy-day", bytes: PackageResources.healthy_day_json5),
    File(name: "cold-bootstrap", bytes: PackageResources.cold_bootstrap_json5),
    File(name: "offline-commute", bytes: PackageResources.offline_commute_json5),
    File(name: "flaky-push", bytes: PackageResources.flaky_push_json5),
    File(name: "poison-item", bytes: PackageResources.poison_item_json5),
    File(name: "dead-letters", bytes: PackageResources.dead_letters_json5),
    File(name: "captive-portal", bytes: PackageResources.captive_portal_json5),
    File(name: "server-outage", bytes: PackageResources.server_outage_json5),
    File(name: "rate-limit-storm", bytes: PackageResources.rate_limit_storm_json5),
    File(name: "clock-jump", bytes: PackageResources.clock_jump_json5),
  ]

  /// The courses that the diagrams of the documents show.
  public static let diagrams = [
    File(name: "create", bytes: PackageResources.create_json5),
    File(name: "cycle", bytes: PackageResources.cycle_json5),
    File(name: "bootstrap", bytes: PackageResources.bootstrap_json5),
    File(name: "rate-limit", bytes: PackageResources.rate_limit_json5),
    File(name: "failures", bytes: PackageResources.failures_json5),
  ]
}
