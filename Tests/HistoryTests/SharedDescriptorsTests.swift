import Foundation
import JSONLines
import Platform
import TestSupport
import Testing

@testable import History

@Suite("Files that share descriptors")
struct SharedDescriptorsTests {
  private let folder: TemporaryFolder
  private let descriptors = SharedDescriptors()

  init() throws { folder = try TemporaryFolder() }

  private func files(_ count: Int) throws -> [SharedFile] {
    try (0..<count).map { number in
      let path = try folder.write("file \(number)\n", to: "\(number)")
      return try SharedFile(path: path, of: descriptors)
    }
  }

  private func text(_ file: SharedFile) throws -> String {
    String(decoding: try file.bytes(0..<100), as: UTF8.self)
  }

  @Test("Of many only so many are open, and all can be read")
  func many() throws {
    let files = try files(SharedDescriptors.limit + 50)
    #expect(descriptors.count == SharedDescriptors.limit)
    for _ in 0..<2 {
      for (number, file) in files.enumerated() {
        #expect(try text(file) == "file \(number)\n" && file.status.size == UInt64(text(file).utf8.count))
      }
      #expect(descriptors.count == SharedDescriptors.limit)
    }
  }

  @Test("A file that is still open stays what it was, whatever its name is given to")
  func open() throws {
    let file = try #require(try files(1).first)
    try replace("0")
    #expect(try text(file) == "file 0\n")
  }

  @Test("Another file under the path of one that was closed is not taken for it")
  func replaced() throws {
    let files = try files(SharedDescriptors.limit + 1)
    try replace("0")
    #expect(throws: POSIXError(.ESTALE)) { try text(files[0]) }
    #expect(throws: POSIXError(.ESTALE)) { try files[0].status }
    #expect(try text(files[1]) == "file 1\n")
  }

  @Test("What nobody has any more is closed")
  func forgotten() throws {
    var all: [SharedFile]? = try files(10)
    #expect(descriptors.count == 10 && all?.count == 10)
    all = nil
    #expect(descriptors.count == 0)
  }

  private func replace(_ name: String) throws {
    let other = try folder.write("another\n", to: "other")
    #expect(rename(other, folder.path(name)) == 0)
  }
}
