import Aggregation
package import Codecs

/// The call stacks of a diagnostic.
public struct CallStackTree: PayloadSection {
  /// True if each stack belongs to one thread; otherwise the stacks of all threads form one tree of samples.
  public var callStackPerThread: Bool?
  /// The stacks.
  public var callStacks: [CallStack] = []
  /// The programs of the frames, where these have only their identifiers; iOS 27 and later.
  var binaries: [CallStackBinary]?
  package var otherFields: [String: JSONValue] = [:]

  package static let fields: [SectionField<Self>] = [
    SectionField("callStackPerThread", \.callStackPerThread, .flag),
    SectionField("callStacks", \.callStacks, .list(.section), aliases: ["callStackThreads"]),
    SectionField("binaryInfo", \.binaries, .list(.section)),
  ]

  /// A tree without stacks.
  public init() {}
}

/// A program or library in call stacks.
struct CallStackBinary: PayloadSection {
  var name: String?
  var uuid: String?
  var otherFields: [String: JSONValue] = [:]

  static let fields: [SectionField<Self>] = [
    SectionField("name", \.name, .text), SectionField("uuid", \.uuid, .text),
  ]
}

/// One stack, or one tree of sampled stacks.
///
/// The root of a crashed thread is the frame that crashed, with its callers below. The root of a sampled tree is
/// where the thread began, with its callees below.
public struct CallStack: PayloadSection {
  /// True if this thread is to blame; absent if the stacks are not those of threads.
  public var threadAttributed: Bool?
  /// The root frames.
  public var callStackRootFrames: [CallStackFrame] = []
  package var otherFields: [String: JSONValue] = [:]

  package static let fields: [SectionField<Self>] = [
    SectionField("threadAttributed", \.threadAttributed, .flag),
    SectionField(
      "callStackRootFrames", \.callStackRootFrames, .list(.frame), aliases: ["rootFrames", "frames"]),
  ]

  /// A stack without frames.
  public init() {}
}

/// A place in a program, with the frames below it.
public struct CallStackFrame: Hashable, Sendable {
  /// The program or library; systems sometimes leave it out.
  public var binaryName: String?
  /// The build's UUID.
  public var binaryUUID: String?
  /// The address in memory.
  public var address: UInt64?
  /// The offset as written; see ``textOffset``.
  public var offsetIntoBinaryTextSegment: UInt64?
  /// Number of samples in which the frame was seen, including those below it.
  public var sampleCount: Int?
  /// The frames below.
  public var subFrames: [CallStackFrame] = []
  package var otherFields: [String: JSONValue] = [:]

  /// An empty frame.
  public init() {}

  /// The offset into the program's text.
  ///
  /// iOS 14 wrote the load address of the program instead of the offset.
  public var textOffset: UInt64? {
    guard let offset = offsetIntoBinaryTextSegment else { return nil }
    guard let address, offset > 1 << 31, offset <= address else { return offset }
    return address - offset
  }

  /// Number of samples with this frame at the end of the stack; `nil` if unknown.
  public var selfSampleCount: Int? {
    guard let sampleCount else { return nil }
    let below = subFrames.reduce(0) { $0.addingSaturated($1.sampleCount ?? 0) }
    return max(0, sampleCount.addingSaturated(below == .min ? .max : -below))
  }

  /// True if Xcode simulated it; reports of iOS 27 have other addresses than earlier payloads.
  var isSimulated: Bool { binaryName == "testBinaryName" }
}
