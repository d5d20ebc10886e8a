import Aggregation
package import Codecs

/// The call stacks of a diagnostic.
public struct CallStackTree: PayloadSection {
  /// True if each stack is that of one thread; otherwise the stacks of all threads are one tree of samples.
  public var callStackPerThread: Bool?
  /// The stacks.
  public var callStacks: [CallStack] = []
  package var otherFields: [String: JSONValue] = [:]

  package static let fields: [SectionField<Self>] = [
    SectionField("callStackPerThread", \.callStackPerThread, .flag),
    SectionField("callStacks", \.callStacks, .list(.section)),
  ]

  /// A tree without stacks.
  public init() {}
}

/// One stack, or one tree of sampled stacks.
///
/// The root of a crashed thread is the frame that crashed, and what is below called it. The root of a sampled tree is
/// where the thread began, and what is below was called.
public struct CallStack: PayloadSection {
  /// True if this thread is to blame; systems leave it out where the stacks are not those of threads.
  public var threadAttributed: Bool?
  /// The first frames.
  public var callStackRootFrames: [CallStackFrame] = []
  package var otherFields: [String: JSONValue] = [:]

  package static let fields: [SectionField<Self>] = [
    SectionField("threadAttributed", \.threadAttributed, .flag),
    SectionField("callStackRootFrames", \.callStackRootFrames, .list(.frame)),
  ]

  /// A stack without frames.
  public init() {}
}

/// A place in a program, and those below it.
public struct CallStackFrame: Hashable, Sendable {
  /// The program or library; systems leave it out at times.
  public var binaryName: String?
  /// Which build of it.
  public var binaryUUID: String?
  /// The address in memory.
  public var address: UInt64?
  /// The offset as written; see ``textOffset``.
  public var offsetIntoBinaryTextSegment: UInt64?
  /// In how many samples it was seen, those below it included.
  public var sampleCount: Int?
  /// The frames below.
  public var subFrames: [CallStackFrame] = []
  package var otherFields: [String: JSONValue] = [:]

  /// A frame of which nothing is known.
  public init() {}

  /// The offset into the program's text.
  ///
  /// iOS 14 wrote the address at which the program was loaded in place of the offset.
  public var textOffset: UInt64? {
    guard let offset = offsetIntoBinaryTextSegment else { return nil }
    guard let address, offset > 1 << 31, offset <= address else { return offset }
    return address - offset
  }

  /// In how many samples it was the last, nil if that is not known.
  public var selfSampleCount: Int? {
    guard let sampleCount else { return nil }
    let below = subFrames.reduce(0) { $0.addingSaturated($1.sampleCount ?? 0) }
    return max(0, sampleCount.addingSaturated(below == .min ? .max : -below))
  }

  /// True if Xcode made it up.
  var isSimulated: Bool {
    binaryName == "testBinaryName" && address == 74_565 && offsetIntoBinaryTextSegment == 123
  }
}
