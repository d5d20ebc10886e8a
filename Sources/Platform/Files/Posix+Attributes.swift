import CAttributes
import Essentials

extension Posix {
  /// Gives an open file to another account, if the process is allowed to.
  @discardableResult
  package static func setOwner(_ owner: UInt32, of descriptor: Int32) -> Bool {
    fchown(descriptor, uid_t(owner), gid_t.max) == 0
  }

  /// Gives an open file to another group, if the process is allowed to.
  package static func setGroup(_ group: UInt32, of descriptor: Int32) -> Bool {
    fchown(descriptor, uid_t.max, gid_t(group)) == 0
  }

  /// Sets the modification time of an open file, in nanoseconds since 1970.
  package static func setModified(_ time: Int64, of descriptor: Int32) {
    let time = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
    _ = withUnsafeTemporaryAllocation(of: timespec.self, capacity: 2) { times in
      times.initialize(repeating: time)
      return futimens(descriptor, times.baseAddress)
    }
  }

  /// Creation time of an open file, in nanoseconds since 1970; `nil` if unknown to the file system.
  package static func birth(of descriptor: Int32) -> Int64? {
    let time = birth_time(descriptor)
    return time > 0 ? time : nil
  }

  /// The group ID of an open file; `nil` if it cannot be determined.
  package static func group(of descriptor: Int32) -> UInt32? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? UInt32(status.st_gid) : nil
  }

  /// The group ID of the object at a path, following links; `nil` if it cannot be determined.
  package static func group(at path: String) -> UInt32? {
    var status = stat()
    return stat(path, &status) == 0 ? UInt32(status.st_gid) : nil
  }

  /// Gives a new file the owner, group, permissions, access control list and extended attributes of another.
  ///
  /// - Parameter path: The other file's path, for messages.
  /// - Throws: The reason why one of them cannot be set; the new file must then not replace the other.
  package static func copyAttributes(
    from source: Int32, to target: Int32, of path: String
  ) throws(FileFailure) {
    var (old, new) = (stat(), stat())
    guard fstat(source, &old) == 0, fstat(target, &new) == 0 else { throw FileFailure(.status) }
    if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid) {
      guard fchown(target, old.st_uid, old.st_gid) == 0 else { throw FileFailure(.takeOver(path)) }
    }
    try copyExtendedAttributes(from: source, to: target, of: path)
    // Last, because changing the owner clears the special bits.
    guard fchmod(target, old.st_mode & 0o7777) == 0 else { throw FileFailure(.takeOver(path)) }
  }

  #if canImport(Darwin)
    private static func copyExtendedAttributes(
      from source: Int32, to target: Int32, of path: String
    ) throws(FileFailure) {
      let all = copyfile_flags_t(COPYFILE_ACL | COPYFILE_XATTR)
      guard fcopyfile(source, target, nil, all) == 0 else { throw FileFailure(.takeOver(path)) }
    }
  #else
    private static func copyExtendedAttributes(
      from source: Int32, to target: Int32, of path: String
    ) throws(FileFailure) {
      let (old, new) = (try attributes(of: source, path), try attributes(of: target, path))
      for (name, value) in old where new[name] != value {
        guard fsetxattr(target, name, value, value.count, 0) == 0 else {
          throw FileFailure(.takeOver(path))
        }
      }
      for name in new.keys where old[name] == nil {
        guard fremovexattr(target, name) == 0 else { throw FileFailure(.takeOver(path)) }
      }
    }

    /// Values by name; empty on a file system without extended attributes.
    private static func attributes(
      of descriptor: Int32, _ path: String
    ) throws(FileFailure) -> [String: [UInt8]] {
      var list = [CChar](repeating: 0, count: 1 << 16)
      let length = flistxattr(descriptor, &list, list.count)
      guard length >= 0 else {
        if [EOPNOTSUPP, ENOSYS].contains(errno) { return [:] }
        throw FileFailure(.takeOver(path))
      }
      var values: [String: [UInt8]] = [:]
      for name in list[..<length].split(separator: 0) {
        let name = String(decoding: name.map(UInt8.init(bitPattern:)), as: UTF8.self)
        var value = [UInt8](repeating: 0, count: 1 << 16)
        let count = fgetxattr(descriptor, name, &value, value.count)
        guard count >= 0 else { throw FileFailure(.takeOver(path)) }
        values[name] = Array(value[..<count])
      }
      return values
    }
  #endif
}
