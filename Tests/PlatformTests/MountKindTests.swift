import Foundation
import Platform
import TestSupport
import Testing

@Suite("Kinds of file systems")
struct MountKindTests {
  @Test(
    "tell whether events come for every change",
    arguments: [
      (0x6969, "NFS", MountKind.Events.none), (0x6573_5546, "FUSE", .none), (0x0102_1997, "9P", .none),
      (0xFE53_4D42, "SMB", .none), (0xFF53_4D42, "CIFS", .none), (0x00C3_6400, "Ceph", .none),
      (0x786F_4256, "VirtualBox", .none), (0xEF53, "local", .all), (0x0102_1994, "local", .all),
      (0x794C_7630, "local", .unsure), (0x1234_5678, "local", .unsure),
    ] as [(UInt32, String, MountKind.Events)])
  func known(_ number: UInt32, _ name: String, _ events: MountKind.Events) {
    #expect(MountKind(number: number) == MountKind(name: name, events: events))
  }

  @Test func `A path without a file is on the file system of its folder`() throws {
    let folder = try TemporaryFolder()
    #expect(
      Posix.mount(ofPath: folder.path("not/yet/here.log")) == Posix.mount(ofPath: folder.url.path))
    #expect(Posix.mount(ofPath: "here.log") == Posix.mount(ofPath: "."))
  }
}
