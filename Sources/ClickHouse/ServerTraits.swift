/// Differences between servers, by version.
struct ServerTraits: Sendable, Hashable {
  /// Servers before 22 refuse settings that they do not know.
  private let isOld: Bool

  /// - Parameter version: As the server tells it (untrusted).
  init(version: String) {
    isOld = (version.split(separator: ".").first.flatMap { Int($0) } ?? 0) < 22
  }

  /// The settings under which a block is inserted whole, once, and before the answer.
  func insertSettings(_ block: Block) -> [(name: String, value: String)] {
    let settings = [
      ("query_id", block.identifier), ("max_insert_block_size", "1048576"), ("insert_distributed_sync", "1"),
    ]
    guard !isOld else { return settings }
    return settings + [
      ("insert_deduplication_token", block.identifier), ("async_insert", "0"),
      ("deduplicate_blocks_in_dependent_materialized_views", "1"),
    ]
  }
}
