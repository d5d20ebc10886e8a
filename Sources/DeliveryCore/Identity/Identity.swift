/// The identity that a client's events carry.
package struct Identity: Sendable, Hashable {
  /// The id of the installation, from its first start until a reset.
  package var anonymousID: String
  package var userID: String?
  package var groupID: String?
  package var advertisingID: String?

  package init(
    anonymousID: String, userID: String? = nil, groupID: String? = nil, advertisingID: String? = nil
  ) {
    self.anonymousID = anonymousID
    self.userID = userID
    self.groupID = groupID
    self.advertisingID = advertisingID
  }
}

extension String {
  /// True if it contains only white space.
  package var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
