import CAttributes
import Essentials

/// The kind of file system that a path lies on, as far as the watching of its files is concerned.
package struct MountKind: Hashable, Sendable {
  /// The changes of which this system tells a watcher.
  package enum Events: Hashable, Sendable {
    /// Every change: all of them are made through this system.
    case all
    /// Unknown: changes may be made below the file system, as below an overlay.
    case unsure
    /// None of the changes made elsewhere: on a server, a host, or by a program that is the file system.
    case none
  }

  /// Its usual name, such as `NFS`.
  package var name: String
  package var events: Events

  package init(name: String, events: Events) {
    self.name = name
    self.events = events
  }

  /// A file system on this machine.
  package static let local = MountKind(name: "local", events: .all)

  /// The kind with a magic number of `statfs(2)`.
  package init(number: UInt32) {
    if let name = Self.silent[number] {
      self.init(name: name, events: .none)
    } else {
      self.init(name: "local", events: Self.trusted.contains(number) ? .all : .unsure)
    }
  }

  /// File systems whose contents others change as well.
  private static let silent: [UInt32: String] = [
    0x6969: "NFS", 0xFF53_4D42: "CIFS", 0xFE53_4D42: "SMB", 0x517B: "SMB", 0x6573_5546: "FUSE",
    0x0102_1997: "9P", 0x5346_414F: "AFS", 0x6B41_4653: "AFS", 0x00C3_6400: "Ceph", 0x7375_7245: "Coda",
    0x564C: "NCP", 0x786F_4256: "VirtualBox", 0x7C7C_6673: "Parallels", 0xBACB_ACBC: "VMware",
    0x4750_4653: "GPFS", 0x0BD0_0BD0: "Lustre", 0x0116_1970: "GFS2", 0x7461_636F: "OCFS2",
    0x1983_0326: "BeeGFS", 0x2003_0528: "OrangeFS", 0xAAD7_AAEA: "PanFS", 0xBEEF_DEAD: "SNFS",
    0x6163_6673: "ACFS", 0x0131_11A8: "IBRIX",
  ]

  /// File systems on disks and in memory, which only this system changes: ext, XFS, Btrfs, tmpfs, ramfs, F2FS, ZFS, JFS,
  /// ReiserFS, FAT, exFAT, NTFS, HFS+, bcachefs, SquashFS, ISO 9660, proc and sysfs.
  private static let trusted: Set<UInt32> = [
    0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0x8584_58F6, 0xF2F5_2010, 0x2FC1_2FC1, 0x3153_464A,
    0x5265_4973, 0x4D44, 0x2011_BAB0, 0x7366_746E, 0x482B, 0xCA45_1A4E, 0x7371_7368, 0x9660, 0x9FA0,
    0x6265_6572,
  ]
}

extension Posix {
  /// The kind of file system of a path or, if nothing exists there, of the nearest folder above it.
  package static func mount(ofPath path: String) -> MountKind {
    var path = path
    while status(at: path) == nil {
      let folder = PathParts(path).directory
      guard folder != path else { return .local }
      path = folder
    }
    #if canImport(Darwin)
      var name = [CChar](repeating: 0, count: 32)
      guard is_local_file_system(path, &name) == 0 else { return .local }
      let text = name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
      return MountKind(name: String(decoding: text, as: UTF8.self).uppercased(), events: .none)
    #else
      return MountKind(number: file_system_number(path))
    #endif
  }

  /// Has a network file system ask its server again for the size and time of a path.
  package static func refresh(_ path: String) { refresh_attributes(-1, path) }

  /// The same for an open file.
  package static func refresh(_ descriptor: Int32) { refresh_attributes(descriptor, "") }
}
