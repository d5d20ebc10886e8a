/// One build of a program in a file: all that is needed to look up its places.
package struct ObjectFile: Hashable, Sendable {
  package let identifier: ModuleIdentifier
  /// The address of the `__TEXT` segment, or of the first loaded segment of an ELF file.
  package let base: UInt64
  /// The architecture, if the file holds several builds.
  package let architecture: String?
  /// True if it knows files and lines, and functions that were inlined.
  package let hasLines: Bool

  package init(identifier: ModuleIdentifier, base: UInt64, architecture: String? = nil, hasLines: Bool) {
    (self.identifier, self.base) = (identifier, base)
    (self.architecture, self.hasLines) = (architecture, hasLines)
  }

  /// The builds in a file; none if it is of another kind, or damaged.
  package static func all(in file: some ObjectBytes) -> [ObjectFile] {
    let whole = 0..<file.size
    guard let magic = file.bytes(at: 0, count: 4, in: whole)?.ordered(littleEndian: false).word(at: 0) else {
      return []
    }
    return switch magic {
    case 0xCAFE_BABE, 0xCAFE_BABF: MachOReader(file).builds(isWide: magic == 0xCAFE_BABF)
    case 0xCFFA_EDFE, 0xCEFA_EDFE: MachOReader(file).build(in: whole, architecture: nil).map { [$0] } ?? []
    case 0x7F45_4C46: ELFReader(file).build.map { [$0] } ?? []
    default: []
    }
  }

  /// The address in the file of a place in the program; `nil` beyond the last address.
  package func address(of offset: UInt64) -> UInt64? {
    let (address, overflow) = base.addingReportingOverflow(offset)
    return overflow ? nil : address
  }
}
