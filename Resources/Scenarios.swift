/// The scenarios of the simulators, embedded in the program: one JSON5 file each.
public enum Scenarios {
  /// A file of the folder `Resources`.
  public struct File: Sendable {
    /// The name without its ending.
    public let name: String
    /// The JSON5.
    public let bytes: [UInt8]
  }

  /// The stories of the sync engine, in the order in which they are best read.
  public static let stories = [
    File(name: "healthy-day", bytes: PackageResources.healthy_day_json5),
    File(name: "cold-bootstrap", bytes: PackageResources.cold_bootstrap_json5),
    File(name: "offline-commute", bytes: PackageResources.offline_commute_json5),
    File(name: "flaky-push", bytes: PackageResources.flaky_push_json5),
    File(name: "poison-item", bytes: PackageResources.poison_item_json5),
    File(name: "dead-letters", bytes: PackageResources.dead_letters_json5),
    File(name: "captive-portal", bytes: PackageResources.captive_portal_json5),
    File(name: "server-outage", bytes: PackageResources.server_outage_json5),
    File(name: "session-expired", bytes: PackageResources.session_expired_json5),
    File(name: "hung-call", bytes: PackageResources.hung_call_json5),
    File(name: "conflicting-edits", bytes: PackageResources.conflicting_edits_json5),
    File(name: "power-cut", bytes: PackageResources.power_cut_json5),
    File(name: "rate-limit-storm", bytes: PackageResources.rate_limit_storm_json5),
    File(name: "clock-jump", bytes: PackageResources.clock_jump_json5),
  ]

  /// The stories of the delivery client, in the order in which they are best read.
  public static let deliveryStories = [
    File(name: "ordinary-evening", bytes: PackageResources.ordinary_evening_json5),
    File(name: "endpoint-outage", bytes: PackageResources.endpoint_outage_json5),
    File(name: "come-back-later", bytes: PackageResources.come_back_later_json5),
    File(name: "tunnel", bytes: PackageResources.tunnel_json5),
    File(name: "lost-answers", bytes: PackageResources.lost_answers_json5),
    File(name: "slow-line", bytes: PackageResources.slow_line_json5),
    File(name: "oversized-batches", bytes: PackageResources.oversized_batches_json5),
    File(name: "bad-batch", bytes: PackageResources.bad_batch_json5),
    File(name: "revoked-key", bytes: PackageResources.revoked_key_json5),
    File(name: "killed-offline", bytes: PackageResources.killed_offline_json5),
    File(name: "full-disk", bytes: PackageResources.full_disk_json5),
    File(name: "week-in-a-drawer", bytes: PackageResources.week_in_a_drawer_json5),
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
