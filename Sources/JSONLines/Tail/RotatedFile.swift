import Platform

/// A file with the name of a rotation of a neighboring file, packed or not.
package struct RotatedFile {
  package let name: String
  package let path: String
  /// True if its name says that it is packed.
  package let isPacked: Bool
  /// True if its name has a number or a date rather than a word that people choose.
  package let isNumbered: Bool
  package let order: RotationOrder

  /// The rotated files beside a path, in any order; none if the folder cannot be listed.
  ///
  /// - Parameter names: The contents of the folder, if already known.
  package static func beside(_ path: String, among names: [String]? = nil) -> [RotatedFile] {
    let parts = PathParts(path)
    let names = names ?? (try? Posix.names(in: parts.directory)) ?? []
    return names.compactMap { RotatedFile($0, of: path, named: parts.name) }
  }

  private init?(_ name: String, of path: String, named original: String) {
    let plain = RotatedName.unpacked(name)
    guard RotatedName.isRotated(plain, of: original) else { return nil }
    self.path = PathParts.sibling(of: path) { _ in name }
    guard let status = Posix.status(at: self.path), status.kind == .regular else { return nil }
    self.name = name
    isPacked = PathKey(plain) != PathKey(name)
    isNumbered = RotatedName.isNumbered(plain, of: original)
    order = RotationOrder(modified: status.modified, name: plain)
  }
}
